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
  it('draws a circle, though no plan has one, and an empty plan', () => {
    expect(drawPlan([node('a', ['b']), node('b', ['a'])]).boxes).toHaveLength(2);
    expect(drawPlan([])).toMatchObject({ boxes: [], edges: [] });
  });
});
