import type { Assessment } from '@agentgate/core';

/** How a gate stood in one iteration, as the matrix shows it. `soft`: a soft gate that failed. */
export type Mark = 'passed' | 'cached' | 'failed' | 'soft' | 'unable' | 'timed-out' | 'pending' | 'skipped';

type Standing = Assessment['standings'][number];

export function markOf({ gate, verdict, passed, spared }: Standing, cached: boolean): Mark {
  if (spared) return 'skipped';
  if (passed) return cached ? 'cached' : 'passed';
  if (verdict.kind === 'failed') return gate.severity === 'soft' ? 'soft' : 'failed';
  return verdict.kind === 'passed' ? 'passed' : verdict.kind;
}

export const markWords: Record<Mark, string> = {
  passed: 'passed',
  cached: 'passed, judged earlier on the same inputs',
  failed: 'failed',
  soft: 'failed, as advice only',
  unable: 'could not run',
  'timed-out': 'ran out of time',
  pending: 'waits',
  skipped: 'left out',
};

export const markSigns: Record<Mark, string> = {
  passed: '✓',
  cached: '✓',
  failed: '✗',
  soft: '~',
  unable: '!',
  'timed-out': '◷',
  pending: '…',
  skipped: '–',
};
