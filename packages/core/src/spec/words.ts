import * as z from 'zod';

/**
 * A strict object whose error names its options, so that an unknown one can be answered with the nearest.
 * The names travel in the message because an issue has no other room for them; `parseSpec` takes them out.
 */
export const strict = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join('\n') : 'a group of options',
  });

export const text = (expected: string) =>
  z.string({ error: () => expected }).regex(/\S/, { error: () => expected });

export const whole = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`;
  const error = () => expected;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};

export const amount = (min: number, max: number) => {
  const error = () => `a number from ${min} to ${max}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
};

export const share = amount(0, 1);
export const flag = z.boolean({ error: () => 'true or false' });

export const oneOf = <T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, { error: () => `one of ${values.join(', ')}` });

/** One path or several; always a list afterwards. */
export const list = z
  .union([text('a path'), z.array(text('a path'))], { error: () => 'a path or a list of paths' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

/** A shell that is given nothing, or comments alone, succeeds: what it was to judge or to do would pass unseen. */
const shellText = z.string({ error: () => 'a command' }).regex(/(^|\n)[^\S\n]*[^\s#]/, {
  error: ({ input }) => (/\S/.test(String(input)) ? 'a command (a comment alone runs nothing)' : 'a command'),
});

/** One text for the shell, or the words of a program. */
export const command = z.union(
  [shellText, z.array(text('a word of the command')).min(1, { error: () => 'at least the program' })],
  {
    error: () => 'a command: one text for the shell, or a list of words',
  },
);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `hybrid` stands for `{kind: hybrid}`. */
export const asKind = (value: unknown): unknown => (typeof value === 'string' ? { kind: value } : value);
