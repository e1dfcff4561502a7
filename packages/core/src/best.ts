import { assess, rankOf } from './assess.ts';
import type { BestTree, RunState } from './state.ts';

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

/** The later of two equally good trees is the better one: it holds the newer work. */
export function better(before: BestTree | null, now: BestTree): BestTree {
  if (!before) return now;
  for (let at = 0; at < now.rank.length; at++) {
    const difference = now.rank[at]! - before.rank[at]!;
    if (difference !== 0) return difference < 0 ? now : before;
  }
  return now;
}
