import type { WorkItem } from './work-item.ts';

/**
 * Items that wait for each other: one cycle of each knot, so that every mistake is told once. An item begins after its
 * dependencies have ended and after its parent has begun; it ends after its children. What names nobody, or itself, is
 * left to others.
 */
export function findCycles(items: readonly WorkItem[]): string[][] {
  const at = new Map(items.map(({ id }, index) => [id, index]));
  const children: number[][] = items.map(() => []);
  for (const [index, { parent }] of items.entries())
    if (parent !== null && at.has(parent)) children[at.get(parent)!]!.push(index);
  const count = items.length;
  // The beginning of an item is its index, its end the index behind all beginnings.
  const waitsFor = (node: number): number[] => {
    if (node >= count) return [node - count, ...children[node - count]!.map((one) => one + count)];
    const { dependsOn, parent, id } = items[node]!;
    const ends = dependsOn.flatMap((one) => (one !== id && at.has(one) ? [at.get(one)! + count] : []));
    return parent === null || !at.has(parent) ? ends : [...ends, at.get(parent)!];
  };
  return knots(count * 2, waitsFor).map((knot) => {
    const inside = new Set(knot);
    const loop = loopIn(Math.min(...knot), (node) => waitsFor(node).filter((one) => inside.has(one)));
    return named(loop, items);
  });
}

/** The groups of nodes that reach one another, of more than one node each; in the order of their first. */
function knots(count: number, waitsFor: (node: number) => number[]): number[][] {
  const index = new Int32Array(count).fill(-1);
  const low = new Int32Array(count);
  const isOpen = new Uint8Array(count);
  const open: number[] = [];
  const found: number[][] = [];
  let next = 0;
  for (let from = 0; from < count; from++) {
    if (index[from] !== -1) continue;
    const way = [enter(from)];
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const node = top.rest.pop();
      if (node === undefined) {
        way.pop();
        const above = way.at(-1)?.node;
        if (above !== undefined) low[above] = Math.min(low[above]!, low[top.node]!);
        if (low[top.node] === index[top.node]) leave(top.node);
      } else if (index[node] === -1) way.push(enter(node));
      else if (isOpen[node] === 1) low[top.node] = Math.min(low[top.node]!, index[node]!);
    }
  }
  return found.sort((a, b) => Math.min(...a) - Math.min(...b));

  function enter(node: number): { node: number; rest: number[] } {
    index[node] = next;
    low[node] = next;
    next += 1;
    open.push(node);
    isOpen[node] = 1;
    return { node, rest: waitsFor(node) };
  }

  function leave(node: number): void {
    const knot = open.splice(open.lastIndexOf(node));
    for (const one of knot) isOpen[one] = 0;
    if (knot.length > 1) found.push(knot);
  }
}

/** A way from a node of a knot back to a node on it; every node of a knot has one. */
function loopIn(from: number, waitsFor: (node: number) => number[]): number[] {
  const way: number[] = [];
  const place = new Map<number, number>();
  for (let node = from; ; node = waitsFor(node)[0]!) {
    const seen = place.get(node);
    if (seen !== undefined) return way.slice(seen);
    place.set(node, way.length);
    way.push(node);
  }
}

/** Each item once, the beginning with the earliest of the plan. */
function named(loop: readonly number[], items: readonly WorkItem[]): string[] {
  const indexes = [...new Set(loop.map((node) => node % items.length))];
  const start = indexes.indexOf(Math.min(...indexes));
  return [...indexes.slice(start), ...indexes.slice(0, start)].map((index) => items[index]!.id);
}
