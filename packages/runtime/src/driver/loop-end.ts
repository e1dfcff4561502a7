import { type LoopEnd, mapOutcome, type RunState } from '@agentgate/core';

/** What a strategy is told when its loop is over. A loop that was left by a fault of ours has no ending: an error. */
export function loopEndOf(runId: string, state: RunState | null): LoopEnd {
  const { status, code } = state?.ended ?? { status: 'error' as const, code: 'error.driver' };
  return {
    runId,
    totalIterations: state?.iteration ?? 0,
    finalResult: mapOutcome(status, code).finalResult ?? 'strategy_stop',
    elapsedMs: state?.activeMs ?? 0,
    status,
    code,
  };
}
