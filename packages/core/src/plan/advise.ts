import type { Condition } from '../decision.ts';
import { because } from './because.ts';
import type { PlanDecision } from './plan-decision.ts';
import { type Attempt, freeIterations, type PlanState, remaining, unticked } from './plan-state.ts';
import { deepestSplit, proposedParts } from './replan.ts';
import { pickItem, reachedLimit, reachedLimits, runItem } from './start-item.ts';
import { expectation, goesAhead, hasUntried, isImproving, spareIterations } from './turns.ts';
import type { WorkItem } from './work-item.ts';

/**
 * What comes of an attempt that has ended: the item is settled, or something is changed before it is tried again.
 * Nothing is tried twice in the same way.
 */
export function advise(state: PlanState, id: string, runId: string): PlanDecision | null {
  const record = state.records.get(id)!;
  const attempt = record.unheeded;
  if (!attempt) return null;
  const item = state.agenda.item(id);
  switch (attempt.outcome.status) {
    case 'converged':
      return onConverged(state, item, attempt, runId);
    case 'error':
      return onError(state, item, attempt);
    default:
      return onFailed(state, item, attempt, runId);
  }
}

function onConverged(state: PlanState, item: WorkItem, attempt: Attempt, runId: string): PlanDecision {
  const { merge } = state.records.get(item.id)!;
  const { outcome, place } = attempt;
  if (place === 'worktree' && merge?.kind !== 'merged') {
    if (merge?.kind !== 'item.conflicted')
      return {
        kind: 'merge-item',
        item: item.id,
        attempt: attempt.attempt,
        because: because('item.merge', 'its gates pass in its worktree, so it comes to the others'),
      };
    return onConflict(state, item, merge, runId);
  }
  const ticks = unticked(state, item.id);
  if (outcome.code === 'goal.met' && ticks.length === 0)
    return settle(item, 'done', because('goal.met', outcome.reason));
  const open = [...outcome.soft.map((gate) => `${gate} fails`), ...ticks];
  const reason = open.length > 0 ? open.join('; ') : outcome.reason;
  return settle(item, 'done-with-caveats', because('goal.hard-only', reason, { open: open.length }));
}

/** Its work does not fit to that of the others: it is told where, and puts it right. */
function onConflict(
  state: PlanState,
  item: WorkItem,
  { paths, failing }: { paths: readonly string[]; failing: readonly string[] },
  runId: string,
): PlanDecision {
  const where =
    paths.length > 0 ? `conflicts in ${paths.slice(0, 5).join(', ')}` : `${failing.join(', ')} fail`;
  const { conflicts } = state.records.get(item.id)!;
  if (conflicts.indexOf(conflicts.at(-1)!) < conflicts.length - 1)
    return lost(state, item, because('item.inertia', `resolving it led to the same again: ${where}`));
  const left = Math.min(remaining(state, item.id), freeIterations(state));
  const why = because('item.conflict', `merged with the others, ${where}`, {
    paths: [...paths].slice(0, 20),
  });
  const amount = left > 0 ? reachedAmount(state) : null;
  if (amount) return pause(state, amount);
  if (left > 0) return runItem(state, item, { runId, iterations: left, approach: 'resolve', because: why });
  if (remaining(state, item.id) > 0) return waitOrEnd(state, why);
  return lost(state, item, why);
}

/** The session has nothing left for it: it stays as it is until the next one. */
const waitOrEnd = (state: PlanState, { reason }: Condition): PlanDecision =>
  pause(state, because('budget.session', `${reason}; this session has no iteration left for that`));

const pause = (state: PlanState, limit: Condition): PlanDecision =>
  state.inFlight.size > 0
    ? { kind: 'wait', because: limit }
    : { kind: 'end-session', status: 'budget', because: limit };

/** The first limit of the session other than its iterations that is reached. */
const reachedAmount = (state: PlanState): Condition | null =>
  reachedLimits(state).find(({ code }) => code !== 'budget.session') ?? null;

/** What keeps every agent from working is no fault of one item. */
function onError(state: PlanState, item: WorkItem, { outcome }: Attempt): PlanDecision {
  const why = because(outcome.code, outcome.reason);
  if (outcome.code !== 'error.build' && state.session!.errors < 2) return lost(state, item, why);
  if (state.inFlight.size > 0) return { kind: 'wait', because: why };
  return { kind: 'end-session', status: 'error', because: why };
}

/** Not done. The situation is named, and the move that fits it is made. */
function onFailed(state: PlanState, item: WorkItem, attempt: Attempt, runId: string): PlanDecision | null {
  const record = state.records.get(item.id)!;
  const { outcome } = attempt;
  const left = remaining(state, item.id);
  const free = freeIterations(state);
  // One that gets better, or that an earlier session began, goes on; any other leaves a first try to each that nobody has tried.
  const spare = goesAhead(state, item.id) ? free : spareIterations(state, item.id);
  const again = (approach: 'go-on' | 'different' | 'informed', why: Condition): PlanDecision | null => {
    if (free <= 0) return waitOrEnd(state, why);
    if (spare <= 0) return null;
    return runItem(state, item, { runId, iterations: Math.min(left, spare), approach, because: why });
  };

  // What the whole session has used up is no fault of the item.
  const isCut = outcome.code === 'limit.iterations';
  const amount = !isCut || left > 0 ? reachedAmount(state) : null;
  if (amount) return pause(state, amount);
  const limit = isCut ? null : reachedLimit(state);
  if (limit) return waitOrEnd(state, limit);

  if (isCut && left > 0)
    return again('go-on', because('item.cut-short', 'its share of the session was used up, its own was not'));

  const parts = proposedParts(state, item.id);
  if (parts.length > 1 && record.depth < deepestSplit && !record.reintegrated && state.plan.hasSharedGates)
    return {
      kind: 'split',
      item: item.id,
      because: because('item.too-large', `the agent took it apart into ${parts.length}`, {
        situation: 'too-large',
        parts: parts.length,
      }),
    };

  if (choiceFor(state, item)) return lost(state, item, stuckReason(attempt));

  if (lacksInformation(attempt) && !record.probed && left > 1 && free > 1) {
    if (spare <= 1 && hasUntried(state, item.id)) return null;
    return {
      kind: 'probe',
      item: item.id,
      runId,
      about: 'information',
      because: because('item.uninformed', `${outcome.reason}: an agent looks into it first`, {
        situation: 'too-little-information',
        ended: outcome.code,
      }),
    };
  }
  if (record.probed && record.attempts.length > 0 && left > 0 && !wasInformed(record.attempts))
    return again(
      'informed',
      because('item.informed', 'somebody has looked into it since', { situation: 'too-little-information' }),
    );

  const repeated = isRepeated(record.attempts);
  if (left > 0 && !repeated)
    return again(
      'different',
      because('item.same-approach', `${outcome.reason}: another approach is tried`, {
        situation: 'same-approach-failing',
        ended: outcome.code,
        attempts: record.attempts.length,
      }),
    );

  if (left <= 0 && free > 0 && !repeated && isImproving(record.attempts)) {
    // Nobody has more than its share before everybody had a first try.
    if (hasUntried(state, item.id)) return null;
    const moved = borrow(state, item);
    if (moved) return moved;
    if (isBest(record.attempts)) return isAlone(state) ? extend(state, item) : null;
  }
  const why = repeated
    ? because('item.inertia', `another approach led to the same failures on the same tree: ${outcome.reason}`)
    : stuckReason(attempt);
  return lost(state, item, why);
}

const stuckReason = ({ outcome }: Attempt): Condition =>
  because(outcome.code, outcome.reason, { failing: outcome.failing.slice(0, 20) });

/** The item does not get there. What it is a part of may have another way; if not, it is stuck. */
export function lost(state: PlanState, item: WorkItem, why: Condition): PlanDecision {
  const choice = choiceFor(state, item);
  const left = choice ? lyingWithin(state, choice.choice) : item;
  const works = left ? workOf(state, left, choice !== null) : [];
  // What did not work is taken out of the way of the others; its trees are kept.
  if (left && works.length > 0)
    return {
      kind: 'revert-item',
      item: left.id,
      works,
      because: because('item.revert', `${item.id} did not get there, so what ${left.id} left is taken back`),
    };
  if (choice) return backtrack(choice, why);
  const whole = splitOf(state, item);
  if (whole)
    return {
      kind: 'reintegrate',
      item: whole.id,
      because: because('item.over-decomposed', `${item.id}, a part of ${whole.id}, is stuck: ${why.reason}`, {
        situation: 'over-decomposition',
      }),
    };
  return settle(item, 'stuck', why);
}

/** What it left: of an item that had been done, and has no alternative, only what came after that. */
function workOf({ records }: PlanState, { id }: WorkItem, isAll: boolean) {
  const { lying, built } = records.get(id)!;
  return isAll ? lying : lying.slice(built);
}

/** The last item inside of a given up alternative whose work lies in the workspace, if any. */
function lyingWithin({ agenda, records }: PlanState, choice: WorkItem): WorkItem | null {
  const inside = new Set([choice.id]);
  let last: WorkItem | null = null;
  for (const one of agenda.items) {
    if (one.parent !== null && inside.has(one.parent)) inside.add(one.id);
    if (inside.has(one.id) && records.get(one.id)!.lying.length > 0) last = one;
  }
  return last;
}

/** A group of alternatives, the one that is given up, and the one that is tried instead. */
interface Choice {
  group: WorkItem;
  choice: WorkItem;
  next: WorkItem | null;
}

/** The nearest group around an item that has another alternative left; the outermost where none has. */
function choiceFor(state: PlanState, item: WorkItem): Choice | null {
  let found: Choice | null = null;
  for (let one = item; one.parent !== null; ) {
    const group = state.agenda.item(one.parent);
    if (group.resolvedBy === 'any') {
      found = { group, choice: one, next: otherThan(state, group, one) };
      if (found.next) return found;
    }
    one = group;
  }
  return found;
}

const otherThan = (
  { agenda, failed, records }: PlanState,
  group: WorkItem,
  choice: WorkItem,
): WorkItem | null =>
  agenda
    .childrenOf(group.id)
    .find(({ id }) => id !== choice.id && !failed.has(id) && records.get(id)!.status !== 'deferred') ?? null;

function backtrack({ group, choice, next }: Choice, why: Condition): PlanDecision {
  const reason = next
    ? `${choice.id} did not get there (${why.reason}), so ${next.id} is tried`
    : `${choice.id} did not get there (${why.reason}), and no alternative of ${group.id} is left`;
  return {
    kind: 'choose',
    group: group.id,
    from: choice.id,
    to: next?.id ?? null,
    because: because(next ? 'item.backtrack' : 'item.exhausted', reason, {
      situation: 'stuck-at-alternative',
      ended: why.code,
    }),
  };
}

/** The item that an agent split and that this one is a part of, while it can still be done as one piece. */
function splitOf(state: PlanState, item: WorkItem): WorkItem | null {
  if (item.parent === null || state.records.get(item.id)!.depth === 0) return null;
  const parent = state.agenda.item(item.parent);
  const record = state.records.get(parent.id)!;
  return !record.reintegrated && remaining(state, parent.id) > 0 ? parent : null;
}

/** An agent that changed nothing, or said that it cannot, may only not know enough. */
const lacksInformation = ({ outcome }: Attempt): boolean =>
  outcome.code === 'no-progress.no-changes' || outcome.gaveUp !== null;

const wasInformed = (attempts: readonly Attempt[]): boolean =>
  attempts.some(({ approach }) => approach === 'informed');

/** The newest attempt left the same failures on the same work as one before it. */
function isRepeated(attempts: readonly Attempt[]): boolean {
  const last = attempts.at(-1)!.outcome;
  return attempts
    .slice(0, -1)
    .some(({ outcome }) => outcome.failureKey === last.failureKey && outcome.work === last.work);
}

/** Whether its newest attempt left less than any before it: what goes back and forth comes to an end. */
function isBest(attempts: readonly Attempt[]): boolean {
  const lows = attempts.map(({ outcome }) => Math.min(Infinity, ...outcome.failures));
  const last = lows.pop()!;
  return lows.every((one) => last < one);
}

/** Whether nothing else is under way or could begin. */
const isAlone = (state: PlanState): boolean => state.inFlight.size === 0 && pickItem(state) === null;

/** What the session has left goes to one that is still getting better, where nobody else could use it. */
function extend(state: PlanState, item: WorkItem): PlanDecision {
  const { rate, needed } = expectation(state.records.get(item.id)!.attempts);
  const free = freeIterations(state);
  return {
    kind: 'move-budget',
    from: null,
    to: item.id,
    iterations: Math.min(Math.max(1, needed), free),
    because: because(
      'budget.moved',
      `${item.id} fixes ${rate.toFixed(1)} findings an iteration and has ${lastCount(state, item)} left; nothing else can begin, and the session has ${free} unused`,
      { rate, needed, free },
    ),
  };
}

/** Iterations that stuck items left go to one that was still getting better. */
function borrow(state: PlanState, item: WorkItem): PlanDecision | null {
  const { rate, needed } = expectation(state.records.get(item.id)!.attempts);
  for (const donor of state.agenda.items) {
    const record = state.records.get(donor.id)!;
    if (record.status !== 'stuck' || donor.id === item.id || record.attempts.length === 0) continue;
    const spare = remaining(state, donor.id);
    const iterations = Math.min(spare, needed, freeIterations(state));
    if (iterations <= 0) continue;
    return {
      kind: 'move-budget',
      from: donor.id,
      to: item.id,
      iterations,
      because: because(
        'budget.moved',
        `${item.id} fixes ${rate.toFixed(1)} findings an iteration and has ${lastCount(state, item)} left; ${donor.id} is stuck and left ${spare} unused`,
        { rate, needed, spare },
      ),
    };
  }
  return null;
}

const lastCount = (state: PlanState, { id }: WorkItem): number =>
  state.records.get(id)!.attempts.at(-1)!.outcome.failures.at(-1) ?? 0;

const settle = (
  item: WorkItem,
  status: 'done' | 'done-with-caveats' | 'stuck',
  why: Condition,
): PlanDecision => ({
  kind: 'settle',
  item: item.id,
  status,
  because: why,
});
