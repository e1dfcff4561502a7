import { Agenda } from './agenda.ts';
import {
  isDone,
  isResolved,
  type ItemRecord,
  missing,
  newRecord,
  type PlanState,
  unticked,
} from './plan-state.ts';
import type { Plan, WorkItem } from './work-item.ts';

/** The graph is another one: what is known of its items stays known. */
export function replan(state: PlanState, plan: Plan): void {
  state.plan = plan;
  const known = new Set(plan.items.map(({ id }) => id));
  for (const item of plan.items) {
    const known = state.records.get(item.id);
    if (known) {
      // Put off, or wanted after all, before anybody had begun it.
      if (item.deferred && known.status === 'not-started') known.status = 'deferred';
      if (!item.deferred && known.status === 'deferred') known.status = 'not-started';
      continue;
    }
    const depth = item.parent === null ? 0 : (state.records.get(item.parent)?.depth ?? 0);
    state.records.set(item.id, newRecord(item, depth));
  }
  for (const id of state.records.keys()) if (!known.has(id)) forget(state, id);
  choose(state);
  state.agenda = new Agenda(plan, {
    statusOf: (id) => state.records.get(id)!.status,
    choiceOf: (group) => state.choices.get(group) ?? null,
  });
  for (const item of state.agenda.items.toReversed()) if (item.resolvedBy !== null) derive(state, item.id);
  // What was derived may satisfy somebody.
  state.agenda = new Agenda(plan, {
    statusOf: (id) => state.records.get(id)!.status,
    choiceOf: (group) => state.choices.get(group) ?? null,
  });
}

/** The same for a plan with items that nobody knew: what they are in is not done any more. */
export function changePlan(state: PlanState, plan: Plan): void {
  const added = plan.items.filter(({ id }) => !state.records.has(id));
  replan(state, plan);
  for (const item of added) reopenAbove(state, item.id);
  if (added.length > 0) replan(state, plan);
}

/** Groups around an item that were done or given up are open again. */
export function reopenAbove(state: PlanState, id: string): void {
  for (let up = state.agenda.item(id).parent; up !== null; up = state.agenda.item(up).parent) {
    const record = state.records.get(up)!;
    const group = state.agenda.item(up);
    if (state.failed.delete(up) && group.parent !== null) state.choices.delete(group.parent);
    if (!isDone(record.status) && record.status !== 'stuck') continue;
    record.status = 'in-progress';
    record.code = null;
    record.reason = null;
    record.moved = Math.max(record.moved, record.used);
  }
}

function forget(state: PlanState, id: string): void {
  state.records.delete(id);
  for (const set of [
    state.inFlight,
    state.unheeded,
    state.inProgress,
    state.failed,
    state.rejudged,
    state.proposing,
  ])
    set.delete(id);
}

const isPutOff = ({ records }: PlanState, id: string): boolean => records.get(id)!.status === 'deferred';

/** Every group tries the first of its alternatives that has not failed. */
function choose(state: PlanState): void {
  const alternatives = new Map<string, WorkItem[]>();
  for (const { id, resolvedBy } of state.plan.items) if (resolvedBy === 'any') alternatives.set(id, []);
  for (const item of state.plan.items) if (item.parent !== null) alternatives.get(item.parent)?.push(item);
  for (const [id, children] of alternatives) {
    const chosen = children.find((one) => one.id === state.choices.get(id));
    if (chosen && !state.failed.has(chosen.id) && !isPutOff(state, chosen.id)) continue;
    // Where nothing can be tried, one that was put off or given up stands for the group.
    const next =
      children.find((one) => isDone(state.records.get(one.id)!.status)) ??
      children.find((one) => !state.failed.has(one.id) && !isPutOff(state, one.id)) ??
      chosen ??
      children[0];
    if (next) state.choices.set(id, next.id);
    else state.choices.delete(id);
  }
}

/** An item has another status, and whoever waited for that is ready. */
export function setStatus(state: PlanState, id: string, status: ItemRecord['status']): void {
  const record = state.records.get(id)!;
  record.status = status;
  // What came to its end does not come back by itself.
  if (status !== 'in-progress') record.aside = [];
  if (status === 'in-progress') state.inProgress.add(id);
  else state.inProgress.delete(id);
  state.agenda.settled(id);
}

/** Groups without gates of their own are resolved by their children. */
export function deriveAbove(state: PlanState, id: string): void {
  for (let up = state.agenda.item(id).parent; up !== null; up = state.agenda.item(up).parent) {
    const record = state.records.get(up)!;
    // What its gates said before is of another tree.
    record.judged = null;
    state.agenda.childResolved(up);
    const before = record.status;
    derive(state, up);
    if (record.status !== before) state.agenda.settled(up);
  }
}

function derive(state: PlanState, group: string): void {
  const record = state.records.get(group)!;
  const item = state.agenda.item(group);
  if (item.deferred || isGivenUp(state, group)) return;
  const children = state.agenda.childrenOf(group);
  if (children.length === 0) return;
  const ticks = unticked(state, group);
  const statuses = children.map(({ id }) => state.records.get(id)!.status);
  if (isDone(record.status) && record.code !== 'item.parts') return tellCaveats(state, group, statuses);
  const status =
    item.resolvedBy === 'any'
      ? anyStatus(state, group, ticks.length > 0)
      : allStatus(statuses, state.agenda.isJudgedAsWhole(group), ticks.length > 0);
  if (status === record.status && !isDone(status)) return;
  // What its own attempt came to is worth more than what its parts say.
  if (record.status === 'stuck' && record.attempts.length > 0) return;
  record.status = status;
  if (isDone(status)) {
    record.code = 'item.parts';
    const there = item.resolvedBy === 'any' ? `${state.choices.get(group)} is done` : 'all of its parts are';
    record.reason = [there, ...ticks].join('; ');
  }
}

/** One that its own gates found good has caveats as long as something of it, or in it, is missing. */
function tellCaveats(state: PlanState, group: string, statuses: readonly ItemRecord['status'][]): void {
  const record = state.records.get(group)!;
  const open = missing(state, group);
  if (open.length === 0 && record.status === 'done') return;
  const isWhole = open.length === 0 && statuses.every((one) => one === 'done');
  record.status = isWhole ? 'done' : 'done-with-caveats';
  record.reason = ['its parts are there and its own gates pass', ...open].join('; ');
}

/** Whether it lies in an alternative that was given up. */
function isGivenUp({ agenda, failed }: PlanState, id: string): boolean {
  for (let one: string | null = id; one !== null; one = agenda.item(one).parent)
    if (failed.has(one)) return true;
  return false;
}

function anyStatus(state: PlanState, group: string, isUnticked: boolean): ItemRecord['status'] {
  const children = state.agenda.childrenOf(group);
  const isOut = ({ id }: WorkItem) => state.failed.has(id) || isPutOff(state, id);
  if (children.every(isOut) && children.some(({ id }) => state.failed.has(id))) return 'stuck';
  const choice = state.choices.get(group);
  const status = choice === undefined ? 'deferred' : state.records.get(choice)!.status;
  if (status === 'done' && isUnticked) return 'done-with-caveats';
  return status === 'stuck' ? 'in-progress' : status;
}

/** The least that can be said of all of them. One that has gates of its own is not done by its parts alone. */
function allStatus(
  statuses: readonly ItemRecord['status'][],
  hasGates: boolean,
  isUnticked: boolean,
): ItemRecord['status'] {
  if (statuses.every(isResolved)) {
    if (statuses.every((one) => one === 'deferred')) return 'deferred';
    if (hasGates) return 'in-progress';
    return !isUnticked && statuses.every((one) => one === 'done') ? 'done' : 'done-with-caveats';
  }
  if (statuses.every((one) => isResolved(one) || one === 'stuck')) return 'stuck';
  return statuses.every((one) => one === 'not-started') ? 'not-started' : 'in-progress';
}
