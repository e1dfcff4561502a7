import type { Decision } from './decision.ts';
import type { EventBody } from './event.ts';
import type { RunState } from './state.ts';
import { bestTree } from './best.ts';
import { settledMoves } from './ladder.ts';

/** The last event of a run, made from the decision that ends it. */
export function makeEnding(
  state: RunState,
  decision: Extract<Decision, { kind: 'end-run' }>,
): Extract<EventBody, { kind: 'run.ended' }> {
  const best = bestTree(state);
  const moves = settledMoves(state, decision.status);
  return {
    kind: 'run.ended',
    runId: state.runId,
    status: decision.status,
    code: decision.because.code,
    reason: decision.because.reason,
    iterations: state.iteration,
    tree: state.atHand,
    best: best ? { iteration: best.iteration, tree: best.tree } : null,
    caveats: decision.caveats,
    costUsd: state.costUsd,
    tokens: state.tokens,
    goalSatisfied: decision.goalSatisfied,
    activeMs: state.activeMs,
    ...(moves.length === 0 ? {} : { moves }),
  };
}
