import * as z from 'zod';
import { list, oneOf, strict } from './words.ts';

/** How far the gates are kept from the agent. */
export const Integrity = z.preprocess(
  (value) => (typeof value === 'string' ? { mode: value } : value),
  strict({
    mode: oneOf('strict', 'guarded', 'off').default('guarded'),
    /** Paths that the agent must not change, beside those that are found by themselves. */
    protect: list.default([]),
    /** Paths that it may change all the same. */
    unprotect: list.default([]),
    /** Paths whose change is granted beforehand, whatever it is. */
    grants: list.default([]),
  }),
);
