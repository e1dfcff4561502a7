import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { Event } from './event.ts';
import { fold } from './evolve.ts';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';
import type { LevelResult, Verdict } from './verdict.ts';

/** Red before, green from the first build on. */
const ordinary: World = {
  turn: (n) => ({ tree: `t${n}` }),
  judge: (_, __, n) => (n === 0 ? failed(['a']) : green),
};
const by = (verdicts: Record<string, Verdict>): World['judge'] => {
  return (gate, _, n) => (n === 0 ? failed(['a']) : (verdicts[gate] ?? green));
};
const soft = { run: 'y', severity: 'soft' };
const timedOut: Verdict = { kind: 'timed-out', afterMs: 1, excerpt: '' };
const levels = (['passed', 'failed', 'not-run', 'not-run'] as const).map(
  (status, at): LevelResult => ({ level: `L${at}` as LevelResult['level'], status, checks: [] }),
);

const flaky = 'the same tree was red before, so a gate may be flaky';
const greenBefore = 'every gate was green before the agent began, so the gates say nothing about this task';

interface Row {
  name: string;
  spec?: Record<string, unknown>;
  world?: Partial<World>;
  status: string;
  caveats: string[];
}

const rows: Row[] = [
  { name: 'nothing', status: 'converged', caveats: [] },
  {
    name: 'soft gates that still fail, with how many findings, if any',
    spec: { gates: { tests: 'x', lint: soft, slow: soft }, limits: { iterations: 1 } },
    world: { judge: by({ lint: failed(['a', 'b']), slow: timedOut }) },
    status: 'converged',
    caveats: ['soft gate lint still fails (2)', 'soft gate slow still fails'],
  },
  {
    name: 'that only soft gates were there',
    spec: { gates: { lint: soft } },
    status: 'converged',
    caveats: ['no hard gate was given; soft gates are advice'],
  },
  {
    name: 'a gate that was left out, with the reason',
    spec: { gates: { tests: 'x', style: { ...soft, when: 'manual' } } },
    status: 'converged',
    caveats: ['gate style was not judged: only a person starts it: agentgate check'],
  },
  {
    name: 'findings above the least level, once, also where old findings are let be',
    spec: {
      gates: { tests: { run: 'x', baseline: 'no-new' } },
      strategy: { kind: 'hybrid', minLevel: 'L0' },
    },
    world: {
      judge: (_, __, n) => (n === 0 ? failed(['a']) : ({ ...failed(['a', 'b']), levels } as Verdict)),
    },
    status: 'converged',
    caveats: ['gate tests: 2 findings above the least level remain'],
  },
  {
    name: 'old findings that are let be',
    spec: { gates: { types: { run: 'x', baseline: 'no-new' }, tests: 'y' } },
    world: { judge: (gate) => (gate === 'types' ? failed(['a', 'b', 'c']) : green) },
    status: 'converged',
    caveats: ['gate types: 3 findings from before the run remain'],
  },
  {
    name: 'that all was green before',
    world: { judge: () => green },
    status: 'converged',
    caveats: [greenBefore],
  },
  {
    name: 'that all was green before, and nothing about flakes, where the agent left the tree alone',
    world: { judge: () => green, turn: () => ({}) },
    status: 'converged',
    caveats: [greenBefore],
  },
  {
    name: 'nothing where one of two gates was red before',
    spec: { gates: { tests: 'x', lint: 'y' } },
    world: { judge: (gate, _, n) => (gate === 'tests' && n === 0 ? failed(['a']) : green) },
    status: 'converged',
    caveats: [],
  },
  {
    name: 'that the untouched tree was red',
    world: { turn: () => ({}) },
    status: 'converged',
    caveats: [flaky],
  },
  {
    name: 'that an earlier iteration was red on this tree',
    world: {
      turn: (n) => ({ tree: n === 2 ? 'other' : 'first' }),
      judge: (_, __, n) => (n < 3 ? failed(['a', `b${n}`]) : green),
    },
    status: 'converged',
    caveats: [flaky],
  },
  {
    name: 'limits that could not bind, because the agent told nothing',
    spec: { limits: { cost: '5usd', tokens: '5k', quota: '80%' } },
    status: 'converged',
    caveats: [
      'the agent reported no cost, so the limit on money could not bind',
      'the agent reported no tokens, so the limit on tokens could not bind',
      'the agent told nothing of its usage windows, so the limit on them could not bind',
    ],
  },
  {
    name: 'nothing of limits where the agent told what it used',
    spec: { limits: { cost: '5usd', tokens: '5k', quota: '80%' } },
    world: {
      turn: (n) => ({
        tree: `t${n}`,
        tokens: 0,
        costUsd: 0,
        windows: [{ name: '5h', used: 0.1, resetsAtMs: 0 }],
      }),
    },
    status: 'converged',
    caveats: [],
  },
  {
    name: 'nothing of limits before an agent was started',
    spec: { limits: { cost: '5usd', tokens: '5k' } },
    world: { stops: () => true },
    status: 'stopped',
    caveats: [],
  },
  {
    name: 'nothing of gates where the run gives up, since that is what it says itself',
    spec: { gates: { tests: 'x', lint: soft }, limits: { iterations: 1 } },
    world: { judge: () => failed(['a']), turn: () => ({ end: { kind: 'failed', detail: 'x' } }) },
    status: 'diverged',
    caveats: [],
  },
  {
    name: 'what still fails of partial work',
    spec: {
      gates: { tests: 'x', slow: 'y', docs: 'z', style: { ...soft, when: 'manual' } },
      strategy: { kind: 'hybrid', acceptPartialAfter: 1 },
      limits: { iterations: 1 },
    },
    world: { judge: by({ tests: failed(['a', 'b', 'c']), slow: timedOut }) },
    status: 'partial',
    caveats: ['gate tests still fails (3)', 'gate slow still fails (1)'],
  },
];

describe('what the end of a run says beside its result', () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', (_, { spec, world, status, caveats }) => {
    const { state } = play(specOf(spec), { ...ordinary, ...world });
    expect(state.ended).toMatchObject({ status, caveats });
  });
});

describe('a gate that is red and then green on one tree by its nature', () => {
  it.each([
    [{ kind: 'convergence' }],
    [{ kind: 'approval' }],
    [{ kind: 'checklist', items: [{ assertion: 'is it so?' }] }],
    [{ kind: 'ci' }],
  ])('%j is not called flaky', (gate) => {
    const { state } = play(specOf({ gates: { tests: 'x', gate } }), { ...ordinary, turn: () => ({}) });
    expect(state.ended).toMatchObject({ status: 'converged', caveats: [] });
  });
});

/** The caveats of the same history with other facts in it. */
function caveatsWith(played: Played, change: (event: Event) => Event): readonly string[] {
  const decision = decide(fold(played.events.slice(0, -2).map(change)));
  return decision.kind === 'end-run' ? decision.caveats : [decision.kind];
}

describe('files that the gates write', () => {
  const caveats = (fields: Record<string, unknown>, fresh: string[]) =>
    caveatsWith(play(specOf(fields), ordinary), (event) =>
      event.kind === 'tree.confirmed' && event.iteration === 0 ? { ...event, fresh } : event,
    );
  it('are named up to three', () => {
    expect(caveats({}, ['a.log', 'b.log', 'c.log'])).toEqual([
      'the gates themselves write a.log, b.log, c.log',
    ]);
    expect(caveats({}, ['a.log', 'b.log', 'c.log', 'd.log'])).toEqual([
      'the gates themselves write a.log, b.log, c.log …',
    ]);
  });
  it('are no caveat of a run that gives up', () => {
    const given = play(specOf({ limits: { iterations: 1 } }), { ...ordinary, judge: () => failed(['a']) });
    const fresh = ['a.log'];
    expect(
      caveatsWith(given, (event) => (event.kind === 'tree.confirmed' ? { ...event, fresh } : event)),
    ).toEqual([]);
  });
});

describe('a gate that passes by a word', () => {
  const commit = '0123456789abcdef0123456789abcdef01234567';
  it.each([
    [
      { kind: 'ci', ref: commit },
      green,
      [`gate word judged commit ${commit}, as its ref says, whatever tree this run ended on`],
    ],
    [{ kind: 'ci', ref: 'main' }, green, []],
    [{ kind: 'ci', ref: `v${commit}` }, green, []],
    [{ kind: 'ci', ref: `${commit}0` }, green, []],
    [{ kind: 'ci' }, green, []],
    [
      { kind: 'approval', timeout: '1m', default: 'approve' },
      { kind: 'passed', unanswered: true } as const,
      ['gate word passed because nobody answered in time, and its default is approve'],
    ],
    [{ kind: 'approval' }, green, []],
  ])('%j says whose', (gate, verdict, caveats) => {
    const { state } = play(specOf({ gates: { tests: 'x', word: gate } }), {
      ...ordinary,
      judge: by({ word: verdict }),
    });
    expect(state.ended).toMatchObject({ status: 'converged', caveats });
  });
});
