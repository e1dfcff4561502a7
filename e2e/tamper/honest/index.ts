import type { Honest } from '../case.ts';
import { others } from './others.ts';
import { shop } from './shop.ts';

/** Every honest diff of the corpus. */
export const honest: readonly Honest[] = [...shop, ...others];
