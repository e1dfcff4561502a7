import { describe, expect, it } from 'vitest';
import { contextFor } from './advice.ts';
import { assess } from './assess.ts';
import type { StrategyContext } from './strategies/strategy.ts';
import { failed, green, play, specOf, type World } from './testing/play.ts';
import type { LevelResult, Verdict } from './verdict.ts';

const levels: LevelResult[] = [
  { level: 'L0', status: 'passed', checks: [] },
  { level: 'L1', status: 'failed', checks: [] },
];
const many = Array.from({ length: 25 }, (_, at) => `t${at}`);
const verdicts: Record<string, Verdict> = {
  tests: { ...failed(many, { passed: 75 }), levels } as Verdict,
  lint: { kind: 'timed-out', afterMs: 1, excerpt: '' },
  docs: { kind: 'passed', levels: levels.slice(0, 1) },
  plain: green,
};

/** What a strategy outside of the core was given each time it was asked. */
function asked(world: Partial<World> = {}) {
  const contexts: StrategyContext[] = [];
  const gates = { tests: 'a', lint: { run: 'b', severity: 'soft' }, docs: 'c', plain: 'd' };
  const spec = specOf({ gates, strategy: { kind: 'custom', module: 's.mjs' }, limits: { cost: '9usd' } });
  play(spec, {
    turn: (n) => ({ tree: `t${n}`, tokens: 100, costUsd: 0.5, tookMs: 1_000 }),
    judge: (gate) => verdicts[gate]!,
    advise: (n, state) => {
      const context = contextFor(state, assess(state, state.current!), 'what it wrote');
      contexts.push({ ...context, history: [...context.history] });
      return { kind: 'advice', continue: n < 3, reason: 'x' };
    },
    ...world,
  });
  return contexts;
}

it('a strategy is given how every gate stands, bounded', () => {
  const [first] = asked();
  expect(first?.gates).toEqual([
    {
      name: 'tests',
      kind: 'command',
      severity: 'hard',
      verdict: 'failed',
      passed: false,
      level: 0.5,
      failures: many.slice(0, 20),
      levels,
    },
    {
      name: 'lint',
      kind: 'command',
      severity: 'soft',
      verdict: 'timed-out',
      passed: false,
      level: 0,
      failures: [],
      levels: [],
    },
    {
      name: 'docs',
      kind: 'command',
      severity: 'hard',
      verdict: 'passed',
      passed: true,
      level: 1,
      failures: [],
      levels: levels.slice(0, 1),
    },
    {
      name: 'plain',
      kind: 'command',
      severity: 'hard',
      verdict: 'passed',
      passed: true,
      level: 1,
      failures: [],
      levels: [],
    },
  ]);
});

it('a strategy is given where the run stands', () => {
  const contexts = asked();
  expect(contexts.map(({ iteration, index, sinceStart }) => [iteration, index, sinceStart])).toEqual([
    [1, 0, 1],
    [2, 1, 2],
    [3, 2, 3],
  ]);
  expect(contexts[1]).toMatchObject({
    runId: 'r1',
    granted: 0,
    limits: { cost: 9, iterations: 100 },
    elapsedMs: 2_121,
    tokens: 200,
    costUsd: 1,
    goalSatisfied: false,
    build: 'finished',
    current: { iteration: 2, tree: 't2', build: 'finished' },
    history: [{ iteration: 1, tree: 't1' }],
    tree: 't2',
    output: 'what it wrote',
  });
});

it('a strategy is told of a build that failed', () => {
  const [, second] = asked({
    turn: (n) => (n === 2 ? { end: { kind: 'failed', detail: 'x' } } : { tree: `t${n}` }),
  });
  expect(second).toMatchObject({ build: 'failed', gates: [], tree: 't1' });
});

describe('a strategy of the user', () => {
  const advised = (answer: Record<string, unknown>) => {
    const played = play(specOf({ strategy: { kind: 'custom', module: 's.mjs' } }), {
      turn: (n) => ({ tree: `t${n}` }),
      judge: () => failed(['a', 'b']),
      advise: (n) => ({ kind: 'advice', continue: n < 2, reason: `said ${n}`, ...(n < 2 ? {} : answer) }),
    });
    const [goes, ends] = [played.decisions[4]!, played.decisions.at(-1)!];
    return { goes: goes.because, ends: ends.because };
  };
  it('goes on and ends under its own name', () => {
    const { goes, ends } = advised({});
    expect(goes).toMatchObject({ code: 'continue.custom.continue', reason: 'said 1', confidence: 1 });
    expect(ends).toMatchObject({ code: 'strategy.custom.stop', reason: 'said 2', action: 'fail' });
  });
  it.each([
    [{ code: 'enough' }, { code: 'strategy.custom.enough', action: 'fail' }],
    [
      { action: 'timeout', confidence: 0.4 },
      { action: 'timeout', confidence: 0.4 },
    ],
    [{ action: 'complete' }, { action: 'complete' }],
    [{ action: 'continue' }, { action: 'fail' }],
  ])('that answers %j ends with %j', (answer, because) => {
    expect(advised(answer).ends).toMatchObject(because);
  });
});
