import type { SpecProblem } from '../parse-spec/problem.ts';
import { nearest } from '../text/index.ts';
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
  for (const { item, path } of placed) {
    for (const [at, id] of item.dependsOn.entries()) {
      const say = (message: string) => problems.push({ path: [...path, 'dependsOn', at], message });
      if (id === item.id) say(`"${id}" depends on itself`);
      else if (!first.has(id)) say(unknown('item', id, known));
      else {
        const group = choiceAround(first, id, item);
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
  const cycle = problems.length === 0 ? findCycle(items) : null;
  if (cycle) {
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

/**
 * Items that wait for each other, or null. An item begins after its dependencies have ended and after its parent has
 * begun; it ends after its children.
 */
export function findCycle(items: readonly WorkItem[]): string[] | null {
  const at = new Map(items.map(({ id }, index) => [id, index]));
  const children: number[][] = items.map(() => []);
  for (const [index, { parent }] of items.entries())
    if (parent !== null) children[at.get(parent)!]!.push(index);
  const count = items.length;
  // The beginning of an item is its index, its end the index behind all beginnings.
  const waitsFor = (node: number): number[] => {
    if (node >= count) return [node - count, ...children[node - count]!.map((one) => one + count)];
    const { dependsOn, parent } = items[node]!;
    return [...dependsOn.map((id) => at.get(id)! + count), ...(parent === null ? [] : [at.get(parent)!])];
  };
  const state = new Uint8Array(count * 2);
  for (let from = 0; from < count * 2; from++) {
    const loop = state[from] === 0 ? walk(from, waitsFor, state) : null;
    if (loop) return named(loop, items);
  }
  return null;
}

const [onWay, finished] = [1, 2];

/** Goes down from one node without recursion; the nodes of a loop, if it comes upon one. */
function walk(from: number, waitsFor: (node: number) => number[], state: Uint8Array): number[] | null {
  const way: { node: number; rest: number[] }[] = [{ node: from, rest: waitsFor(from) }];
  state[from] = onWay;
  for (let top = way.at(-1); top; top = way.at(-1)) {
    const next = top.rest.pop();
    if (next === undefined) {
      state[top.node] = finished;
      way.pop();
    } else if (state[next] === onWay) {
      return way.slice(way.findIndex(({ node }) => node === next)).map(({ node }) => node);
    } else if (state[next] !== finished) {
      state[next] = onWay;
      way.push({ node: next, rest: waitsFor(next) });
    }
  }
  return null;
}

/** Each item once, the beginning with the earliest of the plan. */
function named(loop: readonly number[], items: readonly WorkItem[]): string[] {
  const indexes = [...new Set(loop.map((node) => node % items.length))];
  const start = indexes.indexOf(Math.min(...indexes));
  return [...indexes.slice(start), ...indexes.slice(0, start)].map((index) => items[index]!.id);
}
