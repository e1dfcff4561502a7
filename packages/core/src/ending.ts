import type { Decision } from './decision.ts';
import type { EventBody } from './event.ts';
import type { RunState } from './state.ts';
import { assess, rankOf } from './assess.ts';
import { better } from './evolve.ts';
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
    tree: state.current?.backTo?.tree ?? state.current?.tree ?? state.history.at(-1)?.tree ?? state.baseTree,
    best: best ? { iteration: best.iteration, tree: best.tree } : null,
    caveats: decision.caveats,
    costUsd: state.costUsd,
    tokens: state.tokens,
    goalSatisfied: decision.goalSatisfied,
    activeMs: state.activeMs,
    ...(moves.length === 0 ? {} : { moves }),
  };
}

/** The best judged tree so far, the one at hand included. */
export function bestTree(state: RunState): RunState['best'] {
  const { current } = state;
  if (!current?.tree) return state.best;
  const now = assess(state, current);
  if (!now.judged) return state.best;
  return better(state.best, {
    iteration: current.iteration,
    tree: current.tree,
    work: current.work,
    rank: rankOf(now),
  });
}
