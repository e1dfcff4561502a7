import type { PlanNode } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../terminal.ts';
import { treeLines } from './plan-tree.ts';

const painted = (name: string) => (text: string) => `<${name}>${text}`;
const terminal = (over: Partial<Terminal> = {}): Terminal =>
  ({
    live: false,
    width: 40,
    colors: {
      green: painted('green'),
      red: painted('red'),
      yellow: painted('yellow'),
      dim: painted('dim'),
    },
    ...over,
  }) as unknown as Terminal;

const node = (id: string, over: Partial<PlanNode> = {}): PlanNode => ({
  id,
  title: `Do ${id}.`,
  status: 'not-started',
  blocked: false,
  reason: null,
  used: 0,
  limit: 5,
  moved: 0,
  dependsOn: [],
  chosen: null,
  resolvedBy: null,
  runs: [],
  caveats: [],
  unticked: [],
  children: [],
  ...over,
});

describe('a plan as a tree', () => {
  it('has a line for each item, with its mark, its state, its budget, and why', () => {
    const nodes = [
      node('a', { status: 'done', used: 2, caveats: ['flaky: x'] }),
      node('g', {
        resolvedBy: 'any',
        status: 'in-progress',
        children: [
          node('x', { chosen: false, status: 'stuck', used: 4, limit: 4, moved: -1, reason: 'no way' }),
          node('y', { chosen: true, status: 'in-progress', used: 6, limit: 7, moved: 2 }),
          node('z', { chosen: false }),
        ],
      }),
      node('b', { blocked: true, reason: 'waits for g' }),
      node('c', {
        status: 'done-with-caveats',
        used: 1,
        unticked: [{ criterion: 2, text: 'It reads well.' }],
      }),
      node('d', { status: 'deferred', reason: 'later', unticked: [] }),
      node('e', { unticked: [{ criterion: 1, text: 'not yet' }] }),
    ];
    expect(treeLines(nodes, terminal())).toEqual([
      '<green>✓ a  Do a.  done  2/5  note: flaky: x',
      '… g  Do g. (one of)  in-progress',
      '<red>  ✗ x  Do x.  stuck  4/4 (-1)  no way',
      '  … y  Do y.  in-progress  6/7 (+2)',
      '<dim>  ○ z  Do z.  not chosen',
      '<dim>· b  Do b.  blocked  waits for g',
      '<yellow>~ c  Do c.  done-with-caveats  1/5  to tick: 2 It reads well.',
      '- d  Do d.  deferred  later',
      '· e  Do e.  not-started',
    ]);
  });
  it('is cut to the width of a terminal, and nowhere else', () => {
    const long = [node('a', { title: 'x'.repeat(80) })];
    expect(treeLines(long, terminal())[0]).toContain('x'.repeat(80));
    const [cut] = treeLines(long, terminal({ live: true }));
    expect([cut!.length, cut!.slice(-1)]).toEqual([39, '…']);
  });
});
