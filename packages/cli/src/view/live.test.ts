import { type Event, emptyState, evolve } from '@agentgate/core';
import picocolors from 'picocolors';
import { describe, expect, it } from 'vitest';
import { harmless, type Terminal } from '../terminal.ts';
import { linesFor, liveView } from './live.ts';
import { iterationRow } from './row.ts';
import { sparkline, visible } from './words.ts';
import { wrap } from './wrap.ts';

/** A terminal that remembers. */
function paper(width: number): Terminal & { lines: string[]; statuses: (string | null)[] } {
  const lines: string[] = [];
  const statuses: (string | null)[] = [];
  return {
    lines,
    statuses,
    out: (text) => void lines.push(...text.split('\n')),
    err: (text) => void lines.push(text),
    exact: () => false,
    status: (text) => void statuses.push(text),
    live: true,
    cwd: '/w',
    width,
    colors: picocolors.createColors(true),
  };
}

const spec = {
  task: 'a task with quite a long title that does not fit into a narrow terminal at all',
  agent: { kind: 'command', run: ['sh'] },
  gates: ['tests', 'types', 'lint'].map((name) => ({
    kind: 'command',
    name,
    run: 'x',
    severity: 'hard',
    baseline: 'absolute',
  })),
  strategy: { kind: 'hybrid', base: 3, bonus: 'progress' },
  limits: { iterations: 20, wallClock: 3_600_000 },
  feedback: { maxChars: 4000 },
  detectors: {},
};
const because = {
  code: 'continue.base',
  reason: 'base 1 of 3, with a reason that goes on for quite some time',
  confidence: 1,
  evidence: {},
  action: 'continue',
  also: [],
};
const failed = { kind: 'failed', findings: [{ id: 'a', title: 'a' }], excerpt: '' };
const judged = (iteration: number) =>
  spec.gates.map(({ name }) => ({
    kind: 'gate.judged',
    iteration,
    attempt: 1,
    gate: name,
    tree: 'a',
    verdict: failed,
    tookMs: 1,
    output: null,
  }));
const taken = (iteration: number) => ({
  kind: 'snapshot.taken',
  iteration,
  tree: 'a'.repeat(40),
  work: '',
  substance: '',
  changed: { added: 0, modified: 1, deleted: 0, paths: [] },
  leftOut: [],
  nested: [],
  tookMs: 1,
});
const story = (
  [
    {
      kind: 'run.started',
      runId: 'abc234',
      version: '0',
      root: '/w',
      nonce: 'n',
      spec,
      specHash: '',
      source: '',
    },
    { kind: 'decided', decision: { kind: 'measure-baseline', because } },
    taken(0),
    ...judged(0),
    {
      kind: 'tree.confirmed',
      iteration: 0,
      attempt: 1,
      tree: 'a',
      after: 'a',
      work: '',
      substance: '',
      moved: [],
      fresh: [],
    },
    { kind: 'decided', decision: { kind: 'start-iteration', iteration: 1, because } },
    { kind: 'agent.started', iteration: 1, marker: 'm', prompt: 'p' },
    {
      kind: 'agent.ended',
      iteration: 1,
      end: { kind: 'finished' },
      tookMs: 1,
      output: null,
      outputBytes: 0,
      similar: [],
    },
    taken(1),
    {
      kind: 'integrity.checked',
      iteration: 1,
      attempt: 1,
      tree: 'a',
      tookMs: 1,
      sealed: true,
      changed: [
        { path: 'a.test.js', status: 'modified', what: 'test', oid: 'o', diff: '' },
        { path: 'b.test.js', status: 'renamed', what: 'test', oid: null, diff: '' },
      ],
      ratchets: [],
      dependencies: [],
    },
    ...judged(1),
    { kind: 'decided', decision: { kind: 'start-iteration', iteration: 2, because } },
    { kind: 'stop.requested', by: 'SIGINT' },
  ] as unknown as Event[]
).map((event, at) => ({ ...event, v: 1, seq: at + 1, at: '2026-01-01T00:00:00Z' }));

function watched(width: number) {
  const terminal = paper(width);
  const view = liveView(terminal, () => 0);
  let state = emptyState();
  for (const event of story) {
    state = evolve(state, event);
    view.onEvent?.(event, state);
  }
  view.onOutput?.({ kind: 'agent' }, `\u001b[31m${'long '.repeat(200)}\u0007`);
  view.close();
  return { terminal, state };
}

describe('the live view', () => {
  it.each([40, 60, 100, 200])('keeps the rows and the status line within %i columns', (width) => {
    const { terminal } = watched(width);
    const rows = terminal.lines.filter((line) => /^ {2}\d/.test(visible(line)));
    expect(rows).toHaveLength(2);
    for (const line of rows) expect(visible(line).length).toBeLessThanOrEqual(width);
    for (const status of terminal.statuses) expect(visible(status ?? '').length).toBeLessThan(width);
    expect(terminal.statuses.at(-1)).toBeNull();
  });
  it.each([40, 60, 100, 200])('names the tree of each iteration within %i columns', (width) => {
    const { state } = watched(width);
    const row = iterationRow(
      state.last!,
      0.42,
      { kind: 'ended', status: 'partial', code: 'limit.cost' },
      paper(width),
    );
    expect(visible(row)).toContain('aaaaaa   $0.42');
  });
  it('names what was changed of that the gates judge by, and no test that was only moved', () => {
    const said = watched(100)
      .terminal.lines.map(visible)
      .filter((line) => line.includes('judge by'));
    expect(said).toEqual([expect.stringMatching(/judged in the form from before\): a\.test\.js$/)]);
  });
  it('says what takes long, and that the baseline costs nothing', () => {
    const said = watched(100).terminal.statuses.map((status) => visible(status ?? ''));
    expect(said.some((text) => text.includes('baseline, no tokens spent yet: types'))).toBe(true);
    expect(said.some((text) => text.includes('iteration 1: the agent works'))).toBe(true);
    expect(said.some((text) => text.includes('iteration 1: judging lint'))).toBe(true);
  });
  it('says what a redirect says, also where that has lines', () => {
    const text = `A person says: No new packages.\nA person says: Use tabs.\n\nKnown about it:\n- much`;
    const event = { kind: 'redirect.requested', by: 'command', text } as unknown as Event;
    expect(linesFor(event, emptyState(), paper(100)).map(visible)).toEqual([
      '     redirected: A person says: No new packages. A person says: Use tabs.',
    ]);
  });
  it('makes a row from the state alone', () => {
    const { state } = watched(100);
    const row = () =>
      iterationRow(
        state.last!,
        0.42,
        { kind: 'ended', status: 'diverged', code: 'loop.oscillation' },
        paper(120),
      );
    expect(row()).toBe(row());
    expect(visible(row())).toContain('$0.42   diverged: loop.oscillation');
  });
});

it('draws the failures as a line', () => {
  expect(sparkline([18, 9, 4, 0])).toBe('18 █▅▃▁ 0');
  expect(sparkline([3])).toBe('');
  expect(sparkline([0, 0])).toBe('0 ▁▁ 0');
});

it('wraps at spaces', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('', 7)).toEqual([]);
});

describe('what reaches a terminal', () => {
  it.each([
    ['\u001b]0;owned\u0007title', 'title'],
    ['\u001b[2Jcleared', 'cleared'],
    ['a\u202egnp.exe', 'agnp.exe'],
    ['\u009b31mred', 'red'],
    ['\u001b]8;;http://x\u001b\\\\link', '\\link'],
    ['tab\tand\nline', 'tab\tand\nline'],
    ['\u001b[31mours\u001b[39m', '\u001b[31mours\u001b[39m'],
    ['\u001b[8mhidden\u001b[5mblinking\u001b[1;31mred', 'hiddenblinking\u001b[1;31mred'],
    ['\u001bP1;2|payload\u001b\\device', 'device'],
    ['in\u{e0041}vis\u200dible\u00ad', 'invisible'],
  ])('%j', (text, expected) => expect(harmless(text)).toBe(expected));
});
