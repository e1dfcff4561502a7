import type { ProposedPart } from '../event.ts';
import { idPattern } from './plan-file.ts';
import { newRecord, type PlanState } from './plan-state.ts';
import type { Plan, WorkItem } from './work-item.ts';

/** How many parts an agent may propose at once, and how deep splits may go. */
export const mostParts = 10;
export const deepestSplit = 2;

/** What an agent proposed for this item and nobody has taken yet. */
export function proposedParts(state: PlanState, id: string): readonly ProposedPart[] {
  const record = state.records.get(id)!;
  const told = record.unheeded?.outcome.split ?? record.proposed.split;
  return told.length > mostParts ? [] : told;
}

/** The plan with an item in parts. They take over what the item waits for by being in it. */
export function parted(state: PlanState, id: string): Plan {
  const whole = state.agenda.item(id);
  const taken = new Set(state.plan.items.map((item) => item.id));
  const parts = proposedParts(state, id).map((part, at): WorkItem => {
    const wanted = `${id}.${part.id ?? at + 1}`;
    const own = idPattern.test(wanted) && !taken.has(wanted) ? wanted : freeId(id, at, taken);
    taken.add(own);
    return {
      ...whole,
      id: own,
      title: part.task.trim().split('\n')[0]!.slice(0, 80),
      task: part.task,
      dependsOn: [],
      parent: id,
      resolvedBy: null,
      gates: {},
      acceptance: [],
      priority: null,
      weight: part.weight ?? 1,
      limits: {},
      deferred: false,
      done: false,
    };
  });
  const record = state.records.get(id)!;
  for (const part of parts) state.records.set(part.id, newRecord(part, record.depth + 1));
  record.proposed = { split: [], drop: record.proposed.drop };
  record.status = 'in-progress';
  record.code = null;
  return withItems(state.plan, (item) =>
    item.id === id ? [{ ...item, resolvedBy: 'all' }, ...parts] : [item],
  );
}

function freeId(id: string, at: number, taken: ReadonlySet<string>): string {
  const stem = id.slice(0, 50);
  for (let number = at + 1; ; number++) {
    const name = `${stem}.${number}`;
    if (!taken.has(name)) return name;
  }
}

/** The plan with the parts of an item given up: it is one piece of work again, and knows what they came to. */
export function reintegrated(state: PlanState, id: string): Plan {
  const below = new Set([id]);
  for (const item of state.agenda.items)
    if (item.parent !== null && below.has(item.parent)) below.add(item.id);
  below.delete(id);
  const record = state.records.get(id)!;
  const left = [...below].map((part) => {
    const { status, reason } = state.records.get(part)!;
    return `${part} (${status}${reason === null ? '' : `: ${reason}`})`;
  });
  for (const part of below) record.lying.push(...state.records.get(part)!.lying);
  record.notes.push(`It had been split into parts, which are one piece of work again: ${left.join('; ')}.`);
  record.status = 'in-progress';
  record.code = null;
  const kept = (dependency: string): string => (below.has(dependency) ? id : dependency);
  return withItems(state.plan, (item) => {
    if (below.has(item.id)) return [];
    if (item.id === id) return [{ ...item, resolvedBy: null }];
    return [{ ...item, dependsOn: [...new Set(item.dependsOn.map(kept))].filter((one) => one !== item.id) }];
  });
}

export const withoutDependency = ({ plan }: PlanState, id: string, dependency: string): Plan =>
  withItems(plan, (item) =>
    item.id === id ? [{ ...item, dependsOn: item.dependsOn.filter((one) => one !== dependency) }] : [item],
  );

export const withItems = (plan: Plan, change: (item: WorkItem) => WorkItem[]): Plan => ({
  ...plan,
  items: plan.items.flatMap(change),
});
