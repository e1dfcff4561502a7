import type { PlanNode } from '@agentgate/core';

/** An item with its place in the drawing. */
export interface Box {
  node: PlanNode;
  x: number;
  y: number;
  width: number;
  height: number;
  depth: number;
}

/** One item waits for another. */
export interface Edge {
  from: string;
  to: string;
  path: string;
}

export interface Drawing {
  width: number;
  height: number;
  /** Groups before what is in them. */
  boxes: Box[];
  edges: Edge[];
}

const item = { width: 196, height: 66 };
const gap = { x: 44, y: 14 };
const inside = { side: 14, top: 58, bottom: 14 };

/** Draws a plan from left to right: what waits stands right of what it waits for, and parts stand in their group. */
export function drawPlan(nodes: readonly PlanNode[]): Drawing {
  const parents = new Map<string, string | null>();
  const note = (some: readonly PlanNode[], parent: string | null) => {
    for (const node of some) {
      parents.set(node.id, parent);
      note(node.children, node.id);
    }
  };
  note(nodes, null);
  const all = flatten(nodes);
  const links = all.flatMap((node) =>
    node.dependsOn.filter((id) => parents.has(id)).map((id) => ({ from: id, to: node.id })),
  );
  const { boxes, width, height } = place(
    nodes,
    links.map((link) => lifted(link, parents)),
    0,
  );
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const edges = links.map(({ from, to }) => ({ from, to, path: curve(byId.get(from)!, byId.get(to)!) }));
  return { width, height, boxes, edges };
}

export const flatten = (nodes: readonly PlanNode[]): PlanNode[] =>
  nodes.flatMap((node) => [node, ...flatten(node.children)]);

interface Link {
  from: string;
  to: string;
}

/** The same link between the two neighbours that hold its ends. */
function lifted({ from, to }: Link, parents: ReadonlyMap<string, string | null>): Link {
  const way = (id: string) => {
    const ids = [id];
    for (let at = parents.get(id); at != null; at = parents.get(at)) ids.push(at);
    return ids.reverse();
  };
  const [a, b] = [way(from), way(to)];
  let depth = 0;
  while (depth < a.length - 1 && depth < b.length - 1 && a[depth] === b[depth]) depth += 1;
  return { from: a[depth]!, to: b[depth]! };
}

function place(
  nodes: readonly PlanNode[],
  links: readonly Link[],
  depth: number,
): Pick<Drawing, 'boxes' | 'width' | 'height'> {
  const sizes = new Map(nodes.map((node) => [node.id, sizeOf(node, links, depth)]));
  const columns = columnsOf(nodes, links);
  const boxes: Box[] = [];
  let x = 0;
  let height = 0;
  for (const column of columns) {
    let y = 0;
    for (const node of column) {
      const { width: own, height: tall, boxes: within } = sizes.get(node.id)!;
      boxes.push({ node, x, y, width: own, height: tall, depth });
      boxes.push(...within.map((box) => ({ ...box, x: box.x + x + inside.side, y: box.y + y + inside.top })));
      y += tall + gap.y;
    }
    x += Math.max(...column.map((node) => sizes.get(node.id)!.width)) + gap.x;
    height = Math.max(height, y - gap.y);
  }
  return { boxes, width: Math.max(0, x - gap.x), height: Math.max(0, height) };
}

function sizeOf(node: PlanNode, links: readonly Link[], depth: number): Omit<Drawing, 'edges'> {
  if (node.children.length === 0) return { ...item, boxes: [] };
  const { boxes, width, height } = place(node.children, links, depth + 1);
  return {
    boxes,
    width: Math.max(item.width, width + inside.side * 2),
    height: height + inside.top + inside.bottom,
  };
}

/** As many columns as the longest way; in each, near to what is waited for. A circle cannot be drawn, and is cut. */
function columnsOf(nodes: readonly PlanNode[], links: readonly Link[]): PlanNode[][] {
  const ids = new Set(nodes.map(({ id }) => id));
  const before = new Map<string, string[]>();
  for (const { from, to } of links)
    if (from !== to && ids.has(from) && ids.has(to)) before.set(to, [...(before.get(to) ?? []), from]);
  const ranks = new Map<string, number>();
  const rank = (id: string, way: ReadonlySet<string>): number => {
    const known = ranks.get(id);
    if (known !== undefined) return known;
    if (way.has(id)) return 0;
    const further = new Set(way).add(id);
    const found = Math.max(0, ...(before.get(id) ?? []).map((one) => rank(one, further) + 1));
    ranks.set(id, found);
    return found;
  };
  const byRank: PlanNode[][] = [];
  for (const node of nodes) (byRank[rank(node.id, new Set())] ??= []).push(node);
  // What was cut out of a circle may leave a column empty.
  const columns = byRank.filter((column) => column !== undefined);
  const row = new Map<string, number>();
  for (const [at, column] of columns.entries()) {
    const centre = (node: PlanNode) => {
      const rows = (before.get(node.id) ?? []).map((id) => row.get(id) ?? 0);
      return rows.length === 0 ? 0 : rows.reduce((a, b) => a + b, 0) / rows.length;
    };
    if (at > 0) column.sort((a, b) => centre(a) - centre(b));
    for (const [index, node] of column.entries()) row.set(node.id, index);
  }
  return columns;
}

function curve(a: Box, b: Box): string {
  const [x1, y1] = [a.x + a.width, a.y + Math.min(a.height, item.height) / 2];
  const [x2, y2] = [b.x, b.y + Math.min(b.height, item.height) / 2];
  const bend = Math.max(16, Math.abs(x2 - x1) / 2);
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2 - 5} ${y2}`;
}
