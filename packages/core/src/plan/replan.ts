import type { ProposedPart } from '../event.ts';
import { idPattern } from './plan-file.ts';
import { newRecord, type PlanState, remaining } from './plan-state.ts';
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

/** What an agent proposed about this item and nobody can take, with the reason; null where there is nothing of the kind. */
export function refusedProposal(
  state: PlanState,
  id: string,
): { parts: boolean; drop: string[]; reason: string } | null {
  const { agenda, records } = state;
  const { proposed } = records.get(id)!;
  const why = partsProblem(state, id);
  const drop = proposed.drop.filter((one) => !agenda.has(one) || !agenda.item(one).dependsOn.includes(id));
  const reasons = [
    ...(why === null ? [] : [`the parts that an agent proposed for ${id} are not taken: ${why}`]),
    ...drop.map((one) =>
      agenda.has(one)
        ? `${one}, which need not wait for ${id} as an agent said, does not`
        : `an agent said that ${one} need not wait for ${id}, and there is no such item`,
    ),
  ];
  return reasons.length === 0 ? null : { parts: why !== null, drop, reason: reasons.join('; ') };
}

/** Why what an agent proposed for an item does not take its place. */
function partsProblem(state: PlanState, id: string): string | null {
  const { unheeded, proposed, depth, reintegrated, parts } = state.records.get(id)!;
  const told = unheeded?.outcome.split ?? proposed.split;
  const count = told.length;
  if (count === 0) return null;
  if (count === 1) return 'one part is the whole';
  if (count > mostParts) return `${count} are more than the ${mostParts} that are taken at once`;
  if (depth >= deepestSplit) return `it is a part of a part, and splits go ${deepestSplit} deep at most`;
  if (reintegrated) return 'it was in parts before, which were put together again';
  if (!state.plan.hasSharedGates) return 'the plan has no gates of its own by which they could be judged';
  if (told.every((part) => parts.has(wordsOf(part)))) return 'it was taken apart into the same before';
  if (!unheeded?.outcome.split) return null;
  if (unheeded.outcome.status === 'converged') return 'it is done as one piece';
  const goesOn = unheeded.outcome.code === 'limit.iterations' && remaining(state, id) > 0;
  return goesOn ? 'it was only cut short, and goes on as one piece' : null;
}

/** What a part is told, however it is broken into lines. */
const wordsOf = ({ task }: ProposedPart): string => task.trim().replace(/\s+/g, ' ');

/** The plan with an item in parts. They take over what the item waits for by being in it. */
export function parted(state: PlanState, id: string): Plan {
  const whole = state.agenda.item(id);
  const taken = new Set(state.plan.items.map((item) => item.id));
  const record = state.records.get(id)!;
  const parts = proposedParts(state, id).map((part, at): WorkItem => {
    record.parts.add(wordsOf(part));
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
