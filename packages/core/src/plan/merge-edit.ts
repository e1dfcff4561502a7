import { sameJson } from '../same-json.ts';
import type { PlanState } from './plan-state.ts';
import { goalId, type Plan, type WorkItem } from './work-item.ts';

export type MergedEdit =
  | { kind: 'same' }
  | { kind: 'merged'; plan: Plan; changes: string[] }
  | { kind: 'refused'; reasons: string[] };

/**
 * A plan whose file was edited while it is under way. Items may come, go and change while nobody has begun them; what was
 * begun or is done stays as it was, and whoever wants that changed redirects the plan. A box that was ticked in the file
 * is nobody's proof, so it changes nothing for an item that the plan knows.
 */
export function mergeEdit(state: PlanState, next: Plan): MergedEdit {
  const reasons: string[] = [];
  const changes: string[] = [];
  const known = new Map(state.plan.items.map((item) => [item.id, item]));
  const wanted = new Map(next.items.map((item) => [item.id, item]));
  const isBegun = (id: string) => {
    const record = state.records.get(id);
    return (
      record !== undefined && (record.attempts.length > 0 || record.open !== null || record.code !== null)
    );
  };
  for (const item of state.plan.items) {
    if (wanted.has(item.id) || isMade(state, item)) continue;
    if (isBegun(item.id)) reasons.push(`${item.id} was begun and is no longer in the file`);
    else changes.push(`${item.id} taken out`);
  }
  const items = next.items.flatMap((item): WorkItem[] => {
    const before = known.get(item.id);
    if (!before) {
      changes.push(`${item.id} added`);
      return [item];
    }
    const now = { ...item, done: before.done };
    // Parts that an agent made are not in the file; the item has them all the same.
    const parts = state.plan.items.filter((one) => one.parent === item.id && isMade(state, one));
    if (parts.length > 0) now.resolvedBy = before.resolvedBy;
    const what = differences(before, now);
    if (what.length === 0) return [before, ...parts];
    if (isBegun(item.id) && what.some((one) => essential.has(one))) {
      reasons.push(`${item.id} was begun, and its ${what.join(', ')} changed`);
      return [before, ...parts];
    }
    changes.push(`${item.id}: ${what.join(', ')} changed`);
    return [now, ...parts];
  });
  for (const key of ['goal', 'context', 'limits', 'maxParallel', 'allowDeferredDeps', 'run'] as const)
    if (!sameJson(state.plan[key], next[key])) changes.push(`${key} changed`);
  if (reasons.length > 0) return { kind: 'refused', reasons };
  if (changes.length === 0) return { kind: 'same' };
  return { kind: 'merged', plan: { ...next, items }, changes };
}

/** What a begun item is judged by, and what it was told, cannot change under it. */
const essential = new Set<string>([
  'task',
  'gates',
  'acceptance',
  'parent',
  'resolvedBy',
  'dependsOn',
  'agent',
]);

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

const differences = (before: WorkItem, now: WorkItem): string[] =>
  compared.filter((key) => !sameJson(before[key] ?? null, now[key] ?? null));

/** Whether an agent made this item by taking another apart. */
const isMade = (state: PlanState, { id }: WorkItem): boolean =>
  id !== goalId && (state.records.get(id)?.depth ?? 0) > 0;
