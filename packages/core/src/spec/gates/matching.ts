import * as z from 'zod';
import { text } from '../words.ts';

/** A regular expression that can be read; it is matched line by line and in Unicode. */
export const pattern = text('a regular expression').refine(isPattern, {
  error: () => 'a regular expression',
});

/** One text to look for or several; always a list afterwards. */
export const texts = oneOrMore(text('a text to look for'), 'a text or a list of texts');

export const patterns = oneOrMore(pattern, 'a regular expression or a list of them');

/** A JSON Schema, written here or in a file of the project. */
export const jsonSchema = z.union([text('a path'), z.record(z.string(), z.json())], {
  error: () => 'a JSON Schema, or the path of one in the project',
});

export const json = z.json({ error: () => 'a JSON value' });

const unitBytes: Record<string, number> = { b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 };

/** A number of bytes, such as 500KB or 10MB. */
export const size = z
  .string({ error: () => 'a size with its unit, such as 500KB or 10MB' })
  .transform((value, context) => {
    const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kmg]?b)\s*$/i.exec(value) ?? [];
    if (number !== undefined) return Number(number) * unitBytes[unit!.toLowerCase()]!;
    context.addIssue({ code: 'custom', message: 'a size with its unit, such as 500KB or 10MB' });
    return z.NEVER;
  });

/** Whether no two of them share a name, so that a failure names exactly one. */
export const differ = (names: readonly (string | undefined)[]): boolean => {
  const given = names.filter((name) => name !== undefined);
  return new Set(given).size === given.length;
};

/** `true` stands for a group with nothing but its defaults. */
export const orDefaults = (value: unknown): unknown => (value === true ? {} : value);

function oneOrMore<T extends z.ZodType<string>>(one: T, expected: string) {
  return z
    .union([one, z.array(one).min(1, { error: () => expected })], { error: () => expected })
    .transform((value) => (Array.isArray(value) ? value : [value]) as string[]);
}

function isPattern(source: string): boolean {
  try {
    return new RegExp(source, 'mu') instanceof RegExp;
  } catch {
    // The constructor is the only judge of a pattern, and it answers by throwing.
    return false;
  }
}
