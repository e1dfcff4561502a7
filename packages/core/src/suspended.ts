import type { Decision } from './decision.ts';

/** The one decision that a person makes alone: new words for a run that nobody drives wait there until somebody goes on. */
export const suspendedByRedirect = {
  kind: 'end-run',
  status: 'suspended',
  caveats: [],
  goalSatisfied: false,
  because: {
    code: 'redirect',
    reason: 'a person redirected the run while nobody drove it',
    confidence: 1,
    evidence: {},
    action: 'continue',
    also: [],
  },
} as const satisfies Decision;
