import * as z from 'zod';
import { defaultSimilarity } from '../strategies.ts';
import { oneOf, share, strict } from '../words.ts';
import { common } from './common.ts';

/** Passes when the work stopped changing. It says nothing about whether the work is right. */
export const ConvergenceGate = strict({
  kind: z.literal('convergence'),
  /** `fingerprint` compares the work itself, `similarity` what the agent said. */
  strategy: oneOf('fingerprint', 'similarity').default('fingerprint'),
  threshold: share.default(defaultSimilarity),
  ...common,
});
