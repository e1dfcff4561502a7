import type { Condition } from '../decision.ts';
import { advise, lost } from './advise.ts';
import { because } from './because.ts';
import type { PlanDecision, PlanDecisionOf } from './plan-decision.ts';
import type { PlanEnding } from './plan-ending.ts';
import { judgeAgain, mostMends, onRejudged } from './prove.ts';
import { deepestSplit, proposedParts, refusedProposal } from './replan.ts';
import { fitsBeside, holdsWorkspace, pickItem, reachedLimit, reachedLimits, runItem } from './start-item.ts';
import { isResolved, leavesOf, type PlanState, remaining, unticked } from './plan-state.ts';
import { stopperWords } from './stopper.ts';
import { mayUse, setAside } from './turns.ts';
import { goalId, hasOwnGates, type WorkItem } from './work-item.ts';

/**
 * What the outer loop does next. The order: redirect, stop, complete, what was broken, what has just ended, stall,
 * limits, the next item.
 * `runId` names the run that would begin; the same state and id give the same decision.
 */
export function decidePlan(state: PlanState, runId: string): PlanDecision {
  const decision =
    onComplete(state) ??
    onPersons(state) ??
    onRejudged(state) ??
    onProposals(state) ??
    onUnheeded(state, runId) ??
    onGoal(state) ??
    onStalls(state) ??
    startNext(state, runId) ??
    rethink(state, runId) ??
    endIdle(state);
  if (decision.kind !== 'end-session') return decision;
  // Where it stalls as well, that says more than the limit does.
  const telling = decision.status === 'budget' ? (onStalls(state) ?? decision) : decision;
  return withOthers(state, telling);
}

/** The first condition that holds is the reason; all others that hold are recorded with it. */
function withOthers(state: PlanState, decision: PlanDecisionOf<'end-session'>): PlanDecision {
  const { session, plan } = state;
  const isComplete = decision.status === 'complete' || decision.status === 'complete-with-caveats';
  const held = [
    ...(state.stop ? [stopped(state.stop)] : []),
    ...(!isComplete && session!.stalls >= plan.limits.stalls ? [stalled(state)] : []),
    ...(isComplete ? [] : reachedLimits(state)),
  ];
  const also = held.filter(({ code }) => code !== decision.because.code);
  return also.length > 0 ? { ...decision, also } : decision;
}

/** A late word cannot undo what is complete; otherwise the words of persons come first. */
function onComplete(state: PlanState): PlanDecision | null {
  // What a person wants changed may make it incomplete again.
  if (state.inFlight.size > 0 || state.redirects.length > 0) return null;
  const whole = state.records.get(goalId);
  const isComplete = whole
    ? isResolved(whole.status)
    : state.agenda.items.every(
        ({ id, parent }) => parent !== null || isResolved(state.records.get(id)!.status),
      );
  if (!isComplete) return null;
  const again = judgeAgain(state);
  // Whoever stops it does not want anything to be judged.
  if (again !== null) return state.stop ? null : again;
  if (state.rejudged.size > 0) return onUnproven(state);
  const leaves = leavesOf(state);
  const count = (status: string) =>
    leaves.filter(({ id }) => state.records.get(id)!.status === status).length;
  const groups = state.agenda.items.filter(
    ({ id, parent }) => parent === null && state.records.get(id)!.status === 'done-with-caveats',
  ).length;
  const [caveats, deferred] = [count('done-with-caveats') || groups, count('deferred')];
  const evidence = { items: leaves.length, caveats, deferred };
  if (whole && leaves.length === 0)
    return end(
      'complete',
      because('plan.goal-met', `the gates of the whole plan pass: ${whole.reason}`, evidence),
    );
  if (caveats + deferred === 0)
    return end('complete', because('plan.complete', `${all(leaves.length)} done`, evidence));
  const parts = [
    ...(caveats > 0 ? [`${caveats} with caveats`] : []),
    ...(deferred > 0 ? [`${deferred} deferred`] : []),
  ];
  const reason = `${all(leaves.length)} settled, ${parts.join(' and ')}`;
  return end('complete-with-caveats', because('plan.caveats', reason, evidence));
}

/** What is done and fails is opened again; what cannot be judged is neither complete nor broken. */
function onUnproven(state: PlanState): PlanDecision | null {
  const judged = [...state.rejudged].map((id) => ({ id, ...state.records.get(id)!.judged }));
  if (state.stop || judged.some(({ unable }) => unable === null)) return null;
  const { id, unable } = judged[0]!;
  return end('error', because('error.gate', `${id} was done, and cannot be judged once more: ${unable}`));
}

const all = (count: number): string => (count === 1 ? 'the one item is' : `all ${count} items are`);

/** Whatever is under way is ended first, by whoever drives. */
function onPersons(state: PlanState): PlanDecision | null {
  const { stop, inFlight } = state;
  const redirect = state.redirects[0];
  if (!redirect && !stop) return null;
  if (inFlight.size > 0) return wait(because('plan.ending', 'what is under way is ended first'));
  if (redirect)
    return {
      kind: 'redirect',
      because: because('user.redirect', `a person redirected the plan (${redirect.kind})`, {
        redirect: redirect.kind,
      }),
    };
  return end('stopped', stopped(stop!));
}

const stopped = ({ by, note }: NonNullable<PlanState['stop']>): Condition =>
  because('user.stop', `stopped by ${stopperWords(by)}${note === undefined ? '' : `: ${note}`}`, { by });

/** What agents proposed and nobody can take is told with its reason. */
function onProposals(state: PlanState): PlanDecision | null {
  for (const item of state.proposing) {
    const refused = refusedProposal(state, item);
    if (refused === null) continue;
    const { parts, drop, reason } = refused;
    return { kind: 'drop-proposal', item, parts, drop, because: because('item.proposal', reason) };
  }
  return null;
}

/** Attempts that have ended, in the order of the plan. */
function onUnheeded(state: PlanState, runId: string): PlanDecision | null {
  const ids = [...state.unheeded].toSorted((a, b) => state.agenda.orderOf(a) - state.agenda.orderOf(b));
  let held: PlanDecision | null = null;
  for (const id of ids) {
    // What was put off or given up meanwhile is left alone; work that is finished still comes in.
    const isWanted =
      state.agenda.isOpen(id) || state.records.get(id)!.unheeded?.outcome.status === 'converged';
    const decision = state.inFlight.has(id) || !isWanted ? null : advise(state, id, runId);
    if (!decision) continue;
    // The workspace is one: whoever works in it is waited for before another's work is brought in or taken back.
    // What is finished comes in before anybody waits, or the session ends, for another.
    if (decision.kind === 'wait' || decision.kind === 'end-session') held ??= decision;
    else if (isFree(state, decision)) return decision;
  }
  return held;
}

/** Whether nothing that is under way is in the way of it. */
function isFree(state: PlanState, decision: PlanDecision): boolean {
  switch (decision.kind) {
    // Others may have begun since its last attempt.
    case 'run-item':
      return fitsBeside(state, decision.item);
    case 'merge-item':
    case 'revert-item':
      return !holdsWorkspace(state);
    case 'probe':
    case 'split':
    case 'choose':
    case 'reintegrate':
      return state.inFlight.size === 0;
    default:
      return true;
  }
}

/** What something under way is in the way of waits for it. */
const freely = (state: PlanState, decision: PlanDecision): PlanDecision =>
  isFree(state, decision) ? decision : waitForOthers(state);

/** Before anything is spent the whole is judged once: it may be done already. */
function onGoal(state: PlanState): PlanDecision | null {
  const whole = state.records.get(goalId);
  if (!whole || !hasOwnGates(state.agenda.item(goalId))) return null;
  // One that was stuck may have been mended by a person since.
  const isDue = state.sessions === 1 || whole.status === 'stuck';
  if (!isDue || state.session!.touched.size > 0 || state.inFlight.size > 0) return null;
  if (!whole.judged)
    return {
      kind: 'judge-item',
      item: goalId,
      because: because('plan.begin', 'the whole is judged before anything is spent'),
    };
  // What is only wished for is missing all the same: there is something to do.
  if (!whole.judged.passed || whole.judged.soft.length > 0) return null;
  const reason = 'they pass on the tree as it is, so there is nothing to do';
  return { kind: 'settle', item: goalId, status: 'done', because: because('goal.met', reason) };
}

/** Work that brings nothing is not gone on with; an item of the plan that was never tried is tried before. */
function onStalls(state: PlanState): PlanDecisionOf<'end-session'> | null {
  const { session, plan, agenda } = state;
  if (session!.stalls < plan.limits.stalls || state.inFlight.size > 0) return null;
  const isFresh = ({ id }: WorkItem) => {
    const record = state.records.get(id)!;
    return record.depth === 0 && record.attempts.length === 0 && !session!.touched.has(id);
  };
  return agenda.next(isFresh) ? null : end('stuck', stalled(state));
}

function stalled({ session, plan, agenda }: PlanState): Condition {
  const reason = `${session!.stalls} items in a row left as much undone as before them; the limit of ${plan.limits.stalls} is reached`;
  return because('plan.stalled', reason, { stalls: session!.stalls, potential: agenda.potential });
}

/** Items under way first, then the order of the plan; side by side where they do not overlap. */
function startNext(state: PlanState, runId: string): PlanDecision | null {
  const item = pickItem(state);
  if (!item) return null;
  const limit = reachedLimit(state);
  if (limit) return state.inFlight.size > 0 ? waitForOthers(state) : end('budget', limit);
  const record = state.records.get(item.id)!;
  if (item.resolvedBy !== null && !record.judged)
    return state.inFlight.size > 0
      ? waitForOthers(state)
      : {
          kind: 'judge-item',
          item: item.id,
          because: because('item.parts', 'its parts are there, so its own gates are judged'),
        };
  if (item.resolvedBy !== null && record.judged!.unable !== null)
    return freely(state, lost(state, item, because('error.gate', record.judged!.unable)));
  if (item.resolvedBy !== null && record.judged!.passed) {
    const open = [...record.judged!.soft.map((gate) => `${gate} fails`), ...unticked(state, item.id)];
    const caveats =
      open.length > 0 ||
      state.agenda.childrenOf(item.id).some(({ id }) => state.records.get(id)!.status !== 'done');
    return {
      kind: 'settle',
      item: item.id,
      status: caveats ? 'done-with-caveats' : 'done',
      because: because('goal.met', ['its parts are there and its own gates pass', ...open].join('; ')),
    };
  }
  if (record.broken !== null && record.mends > mostMends)
    return freely(
      state,
      lost(
        state,
        item,
        because('item.broken', `it was mended ${mostMends} times, and others broke it again`),
      ),
    );
  const left = remaining(state, item.id);
  // One that waited for a person may only need the answer, and no iteration.
  const isAnswered = record.attempts.at(-1)?.outcome.status === 'suspended';
  if (left <= 0 && !isAnswered)
    return freely(
      state,
      lost(state, item, because('limit.iterations', 'its iterations are used up', { used: record.used })),
    );
  const aside = setAside(state, item.id);
  if (aside) return aside;
  return runItem(state, item, { runId, iterations: Math.max(0, Math.min(left, mayUse(state, item.id))) });
}

/** Nothing is left that could begin, because of what is stuck: once, an agent looks at the graph itself. */
function rethink(state: PlanState, runId: string): PlanDecision | null {
  if (state.inFlight.size > 0) return waitForOthers(state);
  for (const { stuck, waiting } of blockers(state)) {
    const record = state.records.get(stuck.id)!;
    const { drop } = record.proposed;
    const parts = proposedParts(state, stuck.id);
    const dropped = waiting.find(({ id, dependsOn }) => drop.includes(id) && dependsOn.includes(stuck.id));
    if (dropped)
      return {
        kind: 'drop-dependency',
        item: dropped.id,
        dependency: stuck.id,
        because: because('plan.rethought', `looking at the graph, ${dropped.id} does not need ${stuck.id}`),
      };
    if (parts.length > 1 && !record.reintegrated && record.depth < deepestSplit && state.plan.hasSharedGates)
      return {
        kind: 'split',
        item: stuck.id,
        because: because('plan.rethought', `${stuck.id} is stuck as one piece, and was taken apart`, {
          parts: parts.length,
        }),
      };
    if (record.rethought || reachedLimit(state) || stuck.resolvedBy !== null) continue;
    return {
      kind: 'probe',
      item: stuck.id,
      runId,
      about: 'graph',
      because: because(
        'plan.dependencies-stuck',
        `${waiting
          .map(({ id }) => id)
          .slice(0, 5)
          .join(', ')} wait for ${stuck.id}, which is stuck`,
        { situation: 'dependencies-stuck', waiting: waiting.length },
      ),
    };
  }
  return null;
}

/** Stuck items, each with those that wait for it. What was given up, with all inside of it, waits for nothing. */
export function blockers(state: PlanState): { stuck: WorkItem; waiting: WorkItem[] }[] {
  const statusOf = ({ id }: WorkItem) => state.records.get(id)!.status;
  return state.agenda.items.flatMap((stuck) => {
    if (statusOf(stuck) !== 'stuck' || !isWanted(state, stuck)) return [];
    const waiting = state.agenda
      .dependentsOf(stuck.id)
      .filter((one) => !isResolved(statusOf(one)) && statusOf(one) !== 'stuck' && isWanted(state, one));
    return waiting.length > 0 ? [{ stuck, waiting }] : [];
  });
}

/** Whether something would come of it: nothing around it is settled, given up, or no longer the alternative. */
function isWanted({ agenda, records, failed, choices }: PlanState, item: WorkItem): boolean {
  for (let one = item; ; ) {
    if (failed.has(one.id)) return false;
    if (one.parent === null) return true;
    const group = agenda.item(one.parent);
    if (isResolved(records.get(group.id)!.status)) return false;
    if (group.resolvedBy === 'any' && choices.get(group.id) !== one.id) return false;
    one = group;
  }
}

/** Nothing is under way and nothing can begin: every ending of that kind has its own name. */
function endIdle(state: PlanState): PlanDecision {
  const open = leavesOf(state).filter(({ id }) => !isResolved(state.records.get(id)!.status));
  const waiting = state.agenda.items.filter(({ id }) => {
    const record = state.records.get(id)!;
    return record.waiting !== null && !isResolved(record.status) && state.agenda.isOpen(id);
  });
  const names = (items: readonly WorkItem[]) =>
    `${items
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ')}${items.length > 5 ? ' …' : ''}`;
  if (waiting.length > 0) {
    const { id } = waiting[0]!;
    const reason = `${names(waiting)} ${waiting.length === 1 ? 'waits' : 'wait'} for a person: ${state.records.get(id)!.waiting}`;
    return end('blocked', because('plan.waiting', reason, { waiting: waiting.map((one) => one.id) }));
  }
  const stuck = open.filter(({ id }) => state.records.get(id)!.status === 'stuck');
  const groups = state.agenda.items.filter(
    ({ id, resolvedBy }) => resolvedBy !== null && state.records.get(id)!.status === 'stuck',
  );
  if (stuck.length === open.length) {
    const which = stuck.length > 0 ? stuck : groups;
    return end(
      'stuck',
      because('plan.stuck', `everything that is left is stuck: ${names(which)}`, {
        stuck: which.map(({ id }) => id).slice(0, 50),
      }),
    );
  }
  const blocked = open.filter(({ id }) => state.records.get(id)!.status !== 'stuck');
  const cause = blockers(state).map(
    ({ stuck: one, waiting: those }) =>
      `${names(those)} ${those.length === 1 ? 'waits' : 'wait'} for ${one.id}`,
  );
  const missing = cause.length > 0 ? cause.slice(0, 3).join('; ') : deferredCause(state, blocked);
  return end(
    'blocked',
    because('plan.blocked', `nothing that is left can begin: ${missing}`, {
      blocked: blocked.map(({ id }) => id).slice(0, 50),
      stuck: stuck.map(({ id }) => id).slice(0, 50),
    }),
  );
}

/** Who waits for something that a person put off. */
function deferredCause(state: PlanState, blocked: readonly WorkItem[]): string {
  for (const item of blocked)
    for (let up: WorkItem | null = item; up; up = up.parent === null ? null : state.agenda.item(up.parent)) {
      const unmet = up.dependsOn.find((id) => !state.agenda.isSatisfied(id));
      if (unmet !== undefined) return `${item.id} waits for ${unmet} (${state.records.get(unmet)!.status})`;
    }
  return blocked
    .map(({ id }) => id)
    .slice(0, 5)
    .join(', ');
}

const waitForOthers = (state: PlanState): PlanDecision =>
  wait(because('plan.under-way', `${[...state.inFlight].join(', ')} under way`));

const wait = (why: Condition): PlanDecision => ({ kind: 'wait', because: why });

const end = (status: PlanEnding, why: Condition): PlanDecisionOf<'end-session'> => ({
  kind: 'end-session',
  status,
  because: why,
});
