import { checkGraph } from './check-graph.ts';
import { changePlan, reopenAbove, replan } from './regraph.ts';
import { readItems } from './parse-plan.ts';
import { isDone, type PlanState } from './plan-state.ts';
import { type Redirect, redirectWords } from './redirect.ts';
import { goalId, isJudged, type WorkItem } from './work-item.ts';

/** Why a redirect cannot be followed, in words for the person who gave it; null where it can. */
export function findRedirectProblem(state: PlanState, redirect: Redirect): string | null {
  const known = (id: string) => state.records.has(id);
  switch (redirect.kind) {
    case 'objective':
    case 'constraint':
      return null;
    case 'binding':
      return known(redirect.item) ? null : `there is no item ${redirect.item} in the plan`;
    case 'graph': {
      const missing = [...redirect.remove, ...redirect.defer, ...redirect.retry].find((id) => !known(id));
      if (missing !== undefined) return `there is no item ${missing} in the plan`;
      const again = redirect.retry.find((id) => isDone(state.records.get(id)!.status));
      if (again !== undefined) return `${again} is done; --override ${again} does it again`;
      const done = [...redirect.remove, ...redirect.defer].find((id) =>
        isDone(state.records.get(id)!.status),
      );
      if (done !== undefined) return `${done} is done; only items that are not done can be taken out`;
      return graphProblem(state, redirect);
    }
  }
}

/** What would be wrong with the plan if it were changed like this. */
function graphProblem(state: PlanState, redirect: GraphChange): string | null {
  const { placed, problems } = grown(state, redirect);
  const found = [...problems, ...checkGraph(placed)][0];
  if (found) return `${found.path.join('.')}: ${found.message}`;
  const byId = new Map(placed.map(({ item }) => [item.id, item]));
  // What was put off in the file may have been left without gates.
  const isNew = ({ id }: WorkItem) =>
    !state.records.has(id) || (redirect.retry.includes(id) && state.records.get(id)!.attempts.length === 0);
  const bare = placed.find(
    ({ item }) =>
      !state.plan.hasSharedGates &&
      item.resolvedBy === null &&
      isNew(item) &&
      !isJudged(item, (id) => byId.get(id)),
  );
  if (bare) {
    const how = state.records.has(bare.item.id) ? '' : ', as --gate "npm test" of agentgate plan add does';
    return `no gate would judge ${bare.item.id}; give it one${how}`;
  }
  const split = placed.find(({ item }) => !state.records.has(item.id) && isBegunPiece(state, item.parent));
  if (split)
    return `${split.item.parent} was begun as one piece of work and cannot get parts; add ${split.item.id} beside it, after ${split.item.parent}`;
  const parents = new Set(placed.map(({ item }) => item.parent));
  const empty = placed.find(({ item }) => item.resolvedBy !== null && !parents.has(item.id));
  if (empty) return `nothing would be left of ${empty.item.id}; take ${empty.item.id} out as a whole`;
  return placed.length === 0 ? 'nothing would be left of the plan' : null;
}

/** What was worked on as a whole is judged as a whole: a part that comes later would be left out of that. */
function isBegunPiece({ agenda, records }: PlanState, id: string | null): boolean {
  if (id === null || !agenda.has(id) || agenda.item(id).resolvedBy !== null) return false;
  const { attempts, open } = records.get(id)!;
  return attempts.length > 0 || open !== null;
}

type GraphChange = Extract<Redirect, { kind: 'graph' }>;

/** The items that are left, and those that come, as if the whole were none of them. */
function grown(state: PlanState, { add, remove }: GraphChange) {
  const gone = withBelow(state, remove);
  const there = state.plan.items.flatMap((item) =>
    gone.has(item.id) || item.id === goalId
      ? []
      : [
          {
            ...item,
            parent: item.parent === goalId ? null : item.parent,
            dependsOn: item.dependsOn.filter((one) => !gone.has(one)),
          },
        ],
  );
  return readItems(add, ['add'], { there });
}

function withBelow(state: PlanState, ids: readonly string[]): Set<string> {
  const all = new Set(ids);
  for (const item of state.agenda.items) if (item.parent !== null && all.has(item.parent)) all.add(item.id);
  return all;
}

/** Follows a redirect. One that cannot be followed was refused before it was written down. */
export function changedBy(state: PlanState, redirect: Redirect): void {
  const correct = (text: string, trailCleared = false) =>
    state.corrections.push({ at: state.lastAt, kind: redirect.kind, text, trailCleared });
  switch (redirect.kind) {
    case 'objective':
      state.trail = [];
      state.failed.clear();
      state.plan = { ...state.plan, goal: redirect.goal };
      for (const [id, record] of state.records) {
        record.notes = [];
        if (record.status === 'stuck') reopen(state, id);
      }
      replan(state, state.plan);
      correct(redirectWords(redirect), true);
      break;
    case 'constraint':
      state.constraints.push(redirect.text);
      correct(redirectWords(redirect));
      break;
    case 'graph':
      adjust(state, redirect);
      correct(redirectWords(redirect));
      break;
    case 'binding':
      override(state, redirect.item, redirect.text);
      correct(redirectWords(redirect));
      break;
  }
}

/** It is to be done, again or after all, and has its iterations anew: a person wants it. */
function reopen(state: PlanState, id: string): void {
  const record = state.records.get(id)!;
  // What it did well is built upon, whatever comes of it now.
  if (isDone(record.status)) record.lying = [];
  record.built = 0;
  record.broken = null;
  record.conflicts = [];
  record.kept = [];
  state.rejudged.delete(id);
  record.status = record.attempts.length > 0 ? 'in-progress' : 'not-started';
  if (record.status === 'in-progress') state.inProgress.add(id);
  record.code = null;
  record.reason = null;
  record.moved = record.used;
  record.probed = false;
  record.rethought = false;
  record.unheeded = null;
  record.waiting = null;
  record.judged = null;
  state.unheeded.delete(id);
}

function adjust(state: PlanState, redirect: GraphChange): void {
  const deferred = new Set(redirect.defer);
  const whole = state.plan.items.find(({ id }) => id === goalId);
  const items = grown(state, redirect).placed.map(({ item }) => ({
    ...item,
    parent: whole && item.parent === null ? goalId : item.parent,
    deferred: deferred.has(item.id) || (item.deferred && !redirect.retry.includes(item.id)),
  }));
  for (const id of redirect.retry) retry(state, id);
  for (const id of withBelow(state, redirect.defer)) {
    state.unheeded.delete(id);
    state.records.get(id)!.unheeded = null;
  }
  for (const id of deferred) {
    const record = state.records.get(id)!;
    record.status = 'deferred';
    record.reason = redirect.note ?? 'a person deferred it';
    record.unheeded = null;
    state.unheeded.delete(id);
    state.inProgress.delete(id);
  }
  changePlan(state, { ...state.plan, items: whole ? [whole, ...items] : items });
}

/** An item, whatever inside of it is stuck, and the alternative that it lies in, are wanted again. */
function retry(state: PlanState, id: string): void {
  for (const one of withBelow(state, [id])) {
    const { status } = state.records.get(one)!;
    state.failed.delete(one);
    if (one === id ? !isDone(status) : status === 'stuck') reopen(state, one);
  }
  reopenAbove(state, id);
  const { parent } = state.agenda.item(id);
  if (parent !== null && state.agenda.item(parent).resolvedBy === 'any') state.choices.set(parent, id);
}

/** It, and all that was built upon it, is to be done again. */
function override(state: PlanState, id: string, text: string): void {
  for (const one of builtUpon(state, id)) {
    const { status } = state.records.get(one)!;
    // What failed upon the old may work upon the new.
    state.failed.delete(one);
    if (status !== 'deferred' && status !== 'not-started') reopen(state, one);
  }
  state.records.get(id)!.notes.push(text);
  reopenAbove(state, id);
  replan(state, state.plan);
}

/** An item with its children, what depends on them, and the groups that were done by them. */
function builtUpon({ agenda, records }: PlanState, id: string): Set<string> {
  const found = new Set<string>();
  const down = new Set<string>();
  const queue: [id: string, isWhole: boolean][] = [[id, true]];
  for (let next = queue.pop(); next; next = queue.pop()) {
    const [one, isWhole] = next;
    if (down.has(one) || (found.has(one) && !isWhole)) continue;
    found.add(one);
    if (isWhole) down.add(one);
    for (const item of agenda.dependentsOf(one)) queue.push([item.id, true]);
    // The neighbours of an item inside of a group are not built upon it.
    if (isWhole) for (const item of agenda.childrenOf(one)) queue.push([item.id, true]);
    const { parent } = agenda.item(one);
    if (parent !== null && isDone(records.get(parent)!.status)) queue.push([parent, false]);
  }
  return found;
}
