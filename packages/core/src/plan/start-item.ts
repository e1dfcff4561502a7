import type { Condition } from '../decision.ts';
import { because } from './because.ts';
import { overlaps } from './overlap.ts';
import type { PlanDecision } from './plan-decision.ts';
import { type Attempt, freeIterations, type PlanState } from './plan-state.ts';
import { makesRoom } from './turns.ts';
import type { WorkItem } from './work-item.ts';

/** The item that is to begin next, if one may begin now. */
export function pickItem(state: PlanState): WorkItem | null {
  const { agenda, inFlight, inProgress, plan } = state;
  if (inFlight.size >= plan.maxParallel || holdsWorkspace(state)) return null;
  const running = [...inFlight].map((id) => agenda.item(id).paths);
  const mayBegin = (item: WorkItem): boolean => {
    const { unheeded, waiting } = state.records.get(item.id)!;
    return !inFlight.has(item.id) && !unheeded && waiting === null && !makesRoom(state, item.id);
  };
  const begun = [...inProgress]
    .filter((id) => agenda.isReady(id))
    .toSorted((a, b) => agenda.orderOf(a) - agenda.orderOf(b))
    .map((id) => agenda.item(id))
    .find((item) => mayBegin(item) && running.every((other) => !overlaps(item.paths, other)));
  return begun ?? agenda.next(mayBegin, running);
}

/** Whether an item may begin beside those that are under way. */
export function fitsBeside(state: PlanState, id: string): boolean {
  const { agenda, inFlight, plan } = state;
  if (inFlight.size === 0) return true;
  if (inFlight.size >= plan.maxParallel || holdsWorkspace(state)) return false;
  const { paths } = agenda.item(id);
  return [...inFlight].every((other) => !overlaps(paths, agenda.item(other).paths));
}

/** Whether somebody works in the workspace itself, so that nothing else may. */
export function holdsWorkspace(state: PlanState): boolean {
  return [...state.inFlight].some((id) => {
    const { open } = state.records.get(id)!;
    return open !== null && !(open.kind === 'run-item' && open.place === 'worktree');
  });
}

/** A worktree of its own where another item could begin beside it, or one has. */
function placeFor(state: PlanState, item: WorkItem): 'workspace' | 'worktree' {
  if (state.plan.maxParallel === 1 || item.paths === null || item.resolvedBy !== null) return 'workspace';
  if (state.inFlight.size > 0) return 'worktree';
  const beside = state.agenda.next(
    (other) => other.id !== item.id && other.resolvedBy === null && !state.records.get(other.id)!.unheeded,
    [item.paths],
  );
  return beside && freeIterations(state) > 1 ? 'worktree' : 'workspace';
}

/** An attempt at an item; the next ones go on from the first. */
export function runItem(
  state: PlanState,
  item: WorkItem,
  how: {
    runId: string;
    iterations: number;
    approach?: Extract<PlanDecision, { kind: 'run-item' }>['approach'];
    because?: Condition;
  },
): PlanDecision {
  const record = state.records.get(item.id)!;
  const made = record.attempts.filter(({ outcome }) => outcome.started !== false);
  // Bringing parts together is another piece of work than the item was before it had parts.
  const newest = made.at(-1);
  const isOther = item.resolvedBy !== null && newest?.approach !== 'integrate' && newest?.approach !== 'mend';
  const last = isOther ? undefined : newest;
  // What was finished beside and did not fit is not begun anew.
  const isUnresolved =
    record.conflict !== null && last?.outcome.status === 'converged' && last.place === 'worktree';
  const isBroken = record.broken !== null && last?.outcome.status === 'converged';
  const begun = isUnresolved ? 'resolve' : isBroken ? 'mend' : 'go-on';
  const usual = last ? begun : item.resolvedBy === null ? 'first' : 'integrate';
  const approach = how.approach ?? usual;
  const reason =
    approach === 'first'
      ? 'the first in the order of the plan that waits for nothing'
      : approach === 'integrate'
        ? `its parts are there, and ${record.judged?.failing.join(', ') || 'its own gates'} fail`
        : approach === 'mend'
          ? `it was done, and fails since: ${record.broken?.failing.join(', ')}`
          : 'it was begun, and nothing keeps it from going on';
  const goesOn = last !== undefined && last.outcome.status !== 'converged';
  // Work that lies in the workspace goes on there, that of a worktree in its worktree.
  const place = last ? last.place : placeFor(state, item);
  return {
    kind: 'run-item',
    item: item.id,
    attempt: record.attempts.length + 1,
    runId: how.runId,
    // A run that converged is over; another begins where it left off.
    from: goesOn ? last.runId : null,
    since: goesOn ? usedBefore(made).iterations : 0,
    approach,
    iterations: shareOut(state, how.iterations, place),
    place,
    because: how.because ?? because('item.eligible', reason, { order: state.agenda.orderOf(item.id) }),
  };
}

/** What the newest run and all that it goes on from have used. */
export function usedBefore(attempts: readonly Attempt[]) {
  const first = attempts.findLastIndex(({ from, outcome }) => from === null && outcome.started !== false);
  const used = { iterations: 0, activeMs: 0, tokens: 0, costUsd: 0 };
  for (const { outcome } of attempts.slice(Math.max(0, first))) {
    if (outcome.started === false) continue;
    used.iterations += outcome.iterations;
    used.activeMs += outcome.activeMs;
    used.tokens += outcome.tokens ?? 0;
    used.costUsd += outcome.costUsd ?? 0;
  }
  return used;
}

/** Who works beside others leaves some of the session to them. */
function shareOut(state: PlanState, iterations: number, place: 'workspace' | 'worktree'): number {
  if (place === 'workspace' || iterations === 0) return iterations;
  const slots = state.plan.maxParallel - state.inFlight.size;
  return Math.max(1, Math.min(iterations, Math.ceil(freeIterations(state) / Math.max(1, slots))));
}

/** The first limit of the session that is reached. */
export const reachedLimit = (state: PlanState): Condition | null => reachedLimits(state)[0] ?? null;

/** Every limit of the session that is reached. */
export function reachedLimits(state: PlanState): Condition[] {
  const { session: max, wallClock, tokens, cost } = state.plan.limits;
  const { spent, activeMs, tokens: told, costUsd } = state.session!;
  const budget = `${spent} of ${max} iterations of this session are used`;
  const time = 'the active time of this session is used up';
  return [
    ...(freeIterations(state) <= 0 ? [because('budget.session', budget, { spent, max })] : []),
    ...(activeMs >= wallClock ? [because('limit.wall-clock', time, { activeMs, wallClock })] : []),
    ...(tokens !== undefined && (told ?? 0) >= tokens
      ? [because('limit.tokens', 'the tokens of this session are used up', { tokens })]
      : []),
    ...(cost !== undefined && (costUsd ?? 0) >= cost
      ? [because('limit.cost', 'the money of this session is used up', { cost })]
      : []),
  ];
}
