import type { Honest } from '../case.ts';
import { lint } from './lint.ts';
import { others } from './others.ts';
import { python } from './python.ts';
import { shop } from './shop.ts';
import { types } from './types.ts';

/** Every honest diff of the corpus. */
export const honest: readonly Honest[] = [...shop, ...others, ...python, ...lint, ...types];
