import type { PlanNode } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { type Box, drawPlan } from './plan-layout.ts';

const node = (id: string, dependsOn: string[] = [], children: PlanNode[] = []): PlanNode => ({
  id,
  title: id,
  status: 'not-started',
  blocked: false,
  reason: null,
  caveats: [],
  used: 0,
  limit: 3,
  moved: 0,
  dependsOn,
  chosen: null,
  resolvedBy: children.length > 0 ? 'all' : null,
  runs: [],
  unticked: [],
  children,
});

const plan = [
  node('store'),
  node('api', ['store'], [node('list', ['schema']), node('write', ['list'])]),
  node('schema'),
  node('page', ['write']),
];

const has = ({ x, y, width, height }: Box, [px, py]: [number, number]) =>
  px > x && px < x + width && py > y && py < y + height;

/** Points along a path of lines and curves, close to each other. */
function pointsOf(path: string): [number, number][] {
  let at: [number, number] = [0, 0];
  return [...path.matchAll(/([MLC])([^MLC]+)/g)].flatMap(([, kind, numbers = '']) => {
    const [x1 = 0, y1 = 0, x2 = x1, y2 = y1, x3 = x2, y3 = y2] = numbers.trim().split(' ').map(Number);
    const [x0, y0] = at;
    at = [x3, y3];
    if (kind === 'M') return [at];
    return Array.from({ length: 50 }, (_, index): [number, number] => {
      const t = (index + 1) / 50;
      if (kind === 'L') return [x0 + (x1 - x0) * t, y0 + (y1 - y0) * t];
      const between = (a: number, b: number, c: number, d: number) =>
        (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
      return [between(x0, x1, x2, x3), between(y0, y1, y2, y3)];
    });
  });
}

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const holds = (a: Box, b: Box) =>
  a.x < b.x && a.y < b.y && a.x + a.width > b.x + b.width && a.y + a.height > b.y + b.height;

describe('a plan as a drawing', () => {
  const { boxes, edges, width, height } = drawPlan(plan);
  const box = (id: string) => boxes.find((one) => one.node.id === id)!;

  it('has every item once, within its bounds', () => {
    expect(boxes.map(({ node: { id } }) => id).sort()).toEqual(
      ['api', 'list', 'page', 'schema', 'store', 'write'].sort(),
    );
    for (const one of boxes)
      expect([one.x >= 0, one.y >= 0, one.x + one.width <= width, one.y + one.height <= height]).toEqual([
        true,
        true,
        true,
        true,
      ]);
  });
  it('puts what waits right of what it waits for, through groups too', () => {
    for (const { from, to } of edges) expect(box(from).x + box(from).width).toBeLessThan(box(to).x);
  });
  it('puts parts into their group, and nothing over anything else', () => {
    for (const a of boxes)
      for (const b of boxes) if (a !== b && overlap(a, b)) expect(holds(a, b) || holds(b, a)).toBe(true);
    expect(holds(box('api'), box('write'))).toBe(true);
    expect(overlap(box('api'), box('page'))).toBe(false);
  });
  it('leads an edge past the items in between, and never behind one', () => {
    const far = [
      node('model'),
      node('json', ['model']),
      node('parts', ['model'], [node('one'), node('two', ['one']), node('three', ['one', 'two'])]),
      node('cli', ['parts']),
      node('docs', ['cli']),
      node('release', ['docs', 'json', 'model']),
    ];
    const drawn = drawPlan(far);
    const long = drawn.edges.filter(({ to }) => to === 'release' || to === 'three');
    expect(long.map(({ from }) => from)).toEqual(['one', 'two', 'docs', 'json', 'model']);
    for (const { from, to, path } of long)
      for (const point of pointsOf(path)) {
        const under = drawn.boxes.filter(
          (one) => one.node.children.length === 0 && one.node.id !== from && has(one, point),
        );
        expect([from, to, under.map((one) => one.node.id)]).toEqual([from, to, []]);
      }
  });
  it('draws a circle, though no plan has one, and an empty plan', () => {
    expect(drawPlan([node('a', ['b']), node('b', ['a'])]).boxes).toHaveLength(2);
    expect(drawPlan([])).toMatchObject({ boxes: [], edges: [] });
  });
});
