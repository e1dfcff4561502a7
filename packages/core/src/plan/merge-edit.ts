import { sameJson } from '../same-json.ts';
import { checkGraph } from './check-graph.ts';
import type { PlanState } from './plan-state.ts';
import { goalId, type Plan, type WorkItem } from './work-item.ts';

export type MergedEdit =
  | { kind: 'same' }
  | { kind: 'merged'; plan: Plan; changes: string[] }
  | { kind: 'refused'; reasons: string[] };

/**
 * A plan whose file was edited while it is under way: what differs from the file of before is done to the plan as it is
 * now. Items may come, go and change while nobody has begun them; what was begun or is done stays as it was, and whoever
 * wants that changed redirects the plan. A box that was ticked in the file is nobody's proof, so it changes nothing for
 * an item that the plan knows.
 */
export function mergeEdit(state: PlanState, next: Plan): MergedEdit {
  const reasons: string[] = [];
  const changes: string[] = [];
  const before = new Map(state.written.items.map((item) => [item.id, item]));
  const wanted = new Map(next.items.map((item) => [item.id, item]));
  const isBegun = (id: string) => {
    const record = state.records.get(id);
    return (
      record !== undefined && (record.attempts.length > 0 || record.open !== null || record.code !== null)
    );
  };
  const isInside = (id: string): boolean =>
    isBegun(id) || state.agenda.childrenOf(id).some((one) => isInside(one.id));
  const gone = new Set<string>();
  for (const { id } of state.written.items) {
    if (wanted.has(id) || !state.records.has(id)) continue;
    if (isInside(id)) reasons.push(`${id} was begun and is no longer in the file`);
    else changes.push(`${id} taken out`);
    gone.add(id);
  }
  for (const item of state.agenda.items) if (item.parent !== null && gone.has(item.parent)) gone.add(item.id);
  const kept = state.plan.items.flatMap((item): WorkItem[] => {
    if (gone.has(item.id)) return [];
    const [old, now] = [before.get(item.id), wanted.get(item.id)];
    const what = old && now ? differences(old, now) : [];
    if (!now || what.length === 0) return [item];
    const isPutOff = what.includes('deferred') && isInside(item.id);
    if (isPutOff || (isBegun(item.id) && what.some((one) => essential.has(one)))) {
      reasons.push(`${item.id} was begun, and its ${what.join(', ')} changed`);
      return [item];
    }
    changes.push(`${item.id}: ${what.join(', ')} changed`);
    return [{ ...item, ...Object.fromEntries(what.map((key) => [key, now[key]])) }];
  });
  const added = next.items.filter(({ id }) => !before.has(id) && !state.records.has(id));
  changes.push(...added.map(({ id }) => `${id} added`));
  const fields = topFields.filter((key) => !sameJson(state.written[key], next[key]));
  changes.push(...fields.map((key) => `${key} changed`));
  const plan: Plan = {
    ...state.plan,
    ...Object.fromEntries(fields.map((key) => [key, next[key]])),
    items: [...kept, ...added],
  };
  const [wrong] = checkGraph(plan.items.filter(({ id }) => id !== goalId).map(placed));
  if (wrong) reasons.push(wrong.message);
  if (reasons.length > 0) return { kind: 'refused', reasons };
  return changes.length === 0 ? { kind: 'same' } : { kind: 'merged', plan, changes };
}

const topFields = [
  'goal',
  'context',
  'limits',
  'maxParallel',
  'allowDeferredDeps',
  'run',
  'base',
  'hasSharedGates',
] as const;

const placed = (item: WorkItem) => ({
  item: item.parent === goalId ? { ...item, parent: null } : item,
  path: [item.id],
  joins: null,
});

const compared = [
  'title',
  'task',
  'dependsOn',
  'parent',
  'resolvedBy',
  'gates',
  'acceptance',
  'priority',
  'weight',
  'limits',
  'agent',
  'paths',
  'deferred',
] as const;
type Compared = (typeof compared)[number];

/** What a begun item is judged by, and what it was told, cannot change under it. */
const essential = new Set<Compared>([
  'task',
  'gates',
  'acceptance',
  'parent',
  'resolvedBy',
  'dependsOn',
  'agent',
]);

const differences = (before: WorkItem, now: WorkItem): Compared[] =>
  compared.filter((key) => !sameJson(before[key] ?? null, now[key] ?? null));
