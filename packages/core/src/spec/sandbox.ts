import * as z from 'zod';
import { oneOf, strict } from './words.ts';

const how = oneOf('auto', 'bwrap', 'none');

/** Who is shut in, so that nothing gets out, lives on, or sees what it must not. One word stands for both. */
export const Sandbox = z.preprocess(
  (value) => (typeof value === 'string' ? { agent: value, gates: value } : value),
  strict({
    /** Unset, agents are shut in where the integrity is strict: some of what agents do ends at a sandbox. */
    agent: how.optional(),
    /** `auto` is about rooms; gates that judge in place are shut in by `bwrap` alone. */
    gates: how.default('auto'),
  }),
);
