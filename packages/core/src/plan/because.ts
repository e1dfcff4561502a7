import type { Condition, Evidence } from '../decision.ts';

/** Why something is decided. */
export const because = (
  code: string,
  reason: string,
  evidence: Evidence = {},
  confidence = 1,
): Condition => ({ code, reason, confidence, evidence });
