import type { PlanNode } from '@agentgate/core';

/** An item with its place in the drawing. */
export interface Box {
  node: PlanNode;
  x: number;
  y: number;
  width: number;
  height: number;
  depth: number;
  /** Where its column ends; what leaves it bends no earlier, since its neighbours may be wider. */
  end: number;
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

const item = { width: 196, height: 82 };
const gap = { x: 27, y: 14 };
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
  const raised = links.map((link) => lifted(link, parents));
  const { boxes, lanes, width, height } = place(nodes, raised, 0);
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const edges = links.map(({ from, to }, at) => {
    const own = lanes.filter((lane) => lane.from === raised[at]!.from);
    return { from, to, path: curve(byId.get(from)!, byId.get(to)!, own) };
  });
  return { width, height, boxes, edges };
}

/** Where the edges of one item go past a column in which none of them ends, between what stands there. */
interface Lane {
  from: string;
  x1: number;
  x2: number;
  y: number;
}

type Placed = Pick<Drawing, 'boxes' | 'width' | 'height'> & { lanes: Lane[] };

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

function place(nodes: readonly PlanNode[], links: readonly Link[], depth: number): Placed {
  const sizes = new Map(nodes.map((node) => [node.id, sizeOf(node, links, depth)]));
  const columns = columnsOf(nodes, links);
  const boxes: Box[] = [];
  const lanes: Lane[] = [];
  let x = 0;
  let height = 0;
  for (const column of columns) {
    const wide = Math.max(...column.map((entry) => ('node' in entry ? sizes.get(entry.node.id)!.width : 0)));
    let y = 0;
    for (const entry of column) {
      if ('node' in entry) {
        const { node } = entry;
        const { width: own, height: tall, boxes: within, lanes: ways } = sizes.get(node.id)!;
        const [dx, dy] = [x + inside.side, y + inside.top];
        boxes.push({ node, x, y, width: own, height: tall, depth, end: x + wide });
        boxes.push(...within.map((box) => ({ ...box, x: box.x + dx, y: box.y + dy, end: box.end + dx })));
        lanes.push(...ways.map((way) => ({ ...way, x1: way.x1 + dx, x2: way.x2 + dx, y: way.y + dy })));
        y += tall + gap.y;
      } else {
        lanes.push({ from: entry.past, x1: x, x2: x + wide, y });
        y += gap.y;
      }
    }
    x += wide + gap.x;
    height = Math.max(height, y - gap.y);
  }
  return { boxes, lanes, width: Math.max(0, x - gap.x), height: Math.max(0, height) };
}

function sizeOf(node: PlanNode, links: readonly Link[], depth: number): Placed {
  if (node.children.length === 0) return { ...item, boxes: [], lanes: [] };
  const { boxes, lanes, width, height } = place(node.children, links, depth + 1);
  return {
    boxes,
    lanes,
    width: Math.max(item.width, width + inside.side * 2),
    height: height + inside.top + inside.bottom,
  };
}

/** What stands in a column: an item, or the way past it of what comes from another. */
type Entry = { node: PlanNode } | { past: string };

/** As many columns as the longest way; in each, near to what is waited for. A circle cannot be drawn, and is cut. */
function columnsOf(nodes: readonly PlanNode[], links: readonly Link[]): Entry[][] {
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
  const at = new Map(columns.flatMap((column, index) => column.map(({ id }) => [id, index] as const)));
  const until = new Map<string, number>();
  for (const [to, froms] of before)
    for (const from of froms) until.set(from, Math.max(until.get(from) ?? 0, at.get(to)!));
  const row = new Map<string, number>();
  return columns.map((column, index) => {
    const centre = (entry: Entry) => {
      const rows = ('node' in entry ? (before.get(entry.node.id) ?? []) : [entry.past]).map(
        (id) => row.get(id) ?? 0,
      );
      return rows.length === 0 ? 0 : rows.reduce((a, b) => a + b, 0) / rows.length;
    };
    const past = [...until].filter(([from, last]) => at.get(from)! < index && last > index);
    const entries: Entry[] = [...column.map((node) => ({ node })), ...past.map(([from]) => ({ past: from }))];
    if (index > 0) entries.sort((a, b) => centre(a) - centre(b));
    // What comes past here comes from here for the columns behind.
    for (const [place, entry] of entries.entries())
      row.set('node' in entry ? entry.node.id : entry.past, place);
    return entries;
  });
}

function curve(a: Box, b: Box, lanes: readonly Lane[]): string {
  const middle = ({ y, height }: Box) => y + Math.min(height, item.height) / 2;
  const end = { x: b.x - 5, y: middle(b) };
  const begin = { x: a.x + a.width, y: middle(a) };
  let at = { ...begin, x: a.end };
  let path = `M${begin.x} ${begin.y}L${at.x} ${at.y}`;
  const bendTo = (x: number, y: number) => {
    const bend = Math.max(16, Math.abs(x - at.x) / 2);
    path += `C${at.x + bend} ${at.y} ${x - bend} ${y} ${x} ${y}`;
    at = { x, y };
  };
  for (const { x1, x2, y } of lanes.filter((lane) => lane.x1 >= at.x && lane.x2 <= b.x)) {
    bendTo(x1, y);
    path += `L${x2} ${y}`;
    at = { x: x2, y };
  }
  bendTo(end.x, end.y);
  return path;
}
