import type { SpecProblem } from '../parse-spec/problem.ts';
import { nearest } from '../text/index.ts';
import { findCycles } from './cycles.ts';
import type { PlacedItem } from './parse-plan.ts';
import { goalId, type WorkItem } from './work-item.ts';

/** What is wrong between the items: names that are taken or unknown, and items that would wait for each other. */
export function checkGraph(placed: readonly PlacedItem[]): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const first = new Map<string, PlacedItem>();
  for (const one of placed) {
    const { item, path } = one;
    const say = (message: string) => problems.push({ path: [...path, 'id'], message });
    if (item.id === goalId) say(`the id "${goalId}" stands for the whole plan; take another`);
    else if (first.has(item.id))
      say(`the id "${item.id}" is taken already, by ${placeOf(first.get(item.id)!)}`);
    else first.set(item.id, one);
  }
  const known = [...first.keys()];
  const hasChoices = placed.some(({ item }) => item.resolvedBy === 'any');
  for (const { item, path } of placed) {
    for (const [at, id] of item.dependsOn.entries()) {
      const say = (message: string) => problems.push({ path: [...path, 'dependsOn', at], message });
      if (id === item.id) say(`"${id}" depends on itself`);
      else if (!first.has(id)) say(unknown('item', id, known));
      else {
        const group = hasChoices ? choiceAround(first, id, item) : null;
        if (group)
          say(
            `"${id}" may never be done, since ${group} needs only one of its alternatives; depend on "${group}"`,
          );
      }
    }
    if (item.parent !== null && !first.has(item.parent))
      problems.push({ path: [...path, 'parent'], message: unknown('parent', item.parent, known) });
  }
  const items = [...first.values()].map(({ item }) => item);
  for (const cycle of findCycles(items)) {
    const { path } = first.get(cycle[0]!)!;
    problems.push({
      path: [...path, 'dependsOn'],
      message: `these wait for each other: ${[...cycle, cycle[0]].join(' → ')}; take one of the dependencies out`,
    });
  }
  return problems;
}

/** The group of alternatives that an item lies in, unless whoever asks lies in the same alternative. */
function choiceAround(first: ReadonlyMap<string, PlacedItem>, id: string, asks: WorkItem): string | null {
  const above = (one: WorkItem): string[] => {
    const found = [one.id];
    for (let up = one.parent; up !== null && !found.includes(up); up = first.get(up)?.item.parent ?? null)
      found.push(up);
    return found;
  };
  const own = new Set(above(asks));
  const way = above(first.get(id)!.item);
  for (const [at, one] of way.entries()) {
    const parent = way[at + 1];
    if (own.has(one)) return null;
    if (parent !== undefined && first.get(parent)?.item.resolvedBy === 'any') return parent;
  }
  return null;
}

const placeOf = ({ path }: PlacedItem): string => path.join('.');

function unknown(noun: string, id: string, known: readonly string[]): string {
  const near = nearest(id, known);
  if (near) return `unknown ${noun} "${id}": did you mean "${near}"?`;
  const shown = known.slice(0, 12).join(', ');
  return `unknown ${noun} "${id}": expected one of ${shown}${known.length > 12 ? ', …' : ''}`;
}
