import { because } from './because.ts';
import type { PlanDecision } from './plan-decision.ts';
import { type Attempt, freeIterations, type PlanState } from './plan-state.ts';
import type { WorkItem } from './work-item.ts';

/** Whether another item can begin that nobody has tried. Parts that agents made do not count: they could go on for ever. */
export const hasUntried = (state: PlanState, id: string): boolean => untriedBeside(state, id, 1) > 0;

/**
 * What the session has for an item when one iteration is kept for each other one that can begin and that nobody has
 * tried. Nothing or less where it does not reach for that.
 */
export function spareIterations(state: PlanState, id: string): number {
  const free = freeIterations(state);
  return free - untriedBeside(state, id, free);
}

/** How many iterations an item may have now. A session that is too small for a try of each goes by the order of the plan. */
export function mayUse(state: PlanState, id: string): number {
  const spare = goesAhead(state, id) ? 0 : spareIterations(state, id);
  return spare > 0 ? spare : freeIterations(state);
}

/** What gets better, and what an earlier session began, comes before all others. */
export function goesAhead({ records, session }: PlanState, id: string): boolean {
  const { attempts } = records.get(id)!;
  return isImproving(attempts) || (attempts.length > 0 && !session!.touched.has(id));
}

/** Whether it was begun in this session, gets no better, and stands in the way of the first try of another. */
export function makesRoom(state: PlanState, id: string): boolean {
  if (!state.session!.touched.has(id) || goesAhead(state, id)) return false;
  return spareIterations(state, id) <= 0 && hasUntried(state, id);
}

/** Work of another item that waits for its next turn: it would fail the gates of whoever begins now. Its trees are kept. */
export function setAside(state: PlanState, id: string): PlanDecision | null {
  for (const other of state.inProgress) {
    const { lying, built, unheeded, waiting } = state.records.get(other)!;
    if (other === id || lying.length <= built || waiting !== null) continue;
    if (state.inFlight.has(other) || !state.agenda.isReady(other)) continue;
    if (unheeded || makesRoom(state, other)) return asideOf(state, other, id);
  }
  return null;
}

const asideOf = ({ records }: PlanState, item: string, before: string): PlanDecision => ({
  kind: 'revert-item',
  item,
  works: records.get(item)!.lying.slice(records.get(item)!.built),
  because: because(
    'item.set-aside',
    `${item} waits for its next turn, so its work is set aside for ${before}`,
  ),
});

/** Whether its newest iteration left less than the one before it. */
export const isImproving = (attempts: readonly Attempt[]): boolean => expectation(attempts).rate > 0;

/** How many findings an iteration is expected to fix, and how many iterations that makes. */
export function expectation(attempts: readonly Attempt[]): { rate: number; needed: number } {
  const counts = attempts.flatMap(({ outcome }) => outcome.failures);
  const [first, last] = [counts[0], counts.at(-1)];
  if (first === undefined || last === undefined || counts.length < 2) return { rate: 0, needed: 0 };
  const before = counts.at(-2)!;
  // What got better once and has not since is no longer getting better.
  const rate = last < before ? (first - last) / (counts.length - 1) : 0;
  return { rate, needed: rate > 0 ? Math.ceil(last / rate) : 0 };
}

function untriedBeside({ agenda, records, session }: PlanState, id: string, most: number): number {
  const isUntried = (item: WorkItem): boolean => {
    const { depth, attempts, waiting } = records.get(item.id)!;
    if (item.id === id || item.resolvedBy !== null || depth > 0) return false;
    return attempts.length === 0 && waiting === null && !session!.touched.has(item.id);
  };
  return agenda.countReady(isUntried, most);
}
