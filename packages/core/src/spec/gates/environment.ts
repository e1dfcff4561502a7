import * as z from 'zod';

const name = z.string().regex(/^[A-Za-z_]\w*$/, { error: () => 'the name of a variable' });
const value = z
  .union([z.string(), z.number(), z.boolean()], { error: () => 'a text' })
  .transform((one) => String(one));

/** Names that are passed on from the caller, or variables with their values. */
export const Environment = z.union([z.array(name), z.record(name, value)], {
  error: () => 'names such as [DATABASE_URL], or values such as {NODE_ENV: test}',
});
