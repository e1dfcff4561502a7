import { describe, expect, it } from 'vitest';
import { assess } from './assess.ts';
import { newCurrent } from './current.ts';
import { emptyState } from './state.ts';
import { measure, trendLabels, trendOf } from './progress.ts';
import { failed, green, play, red, specOf } from './testing/play.ts';
import { mapOutcome } from './outcome.ts';

const gates = { tests: 'a', types: 'b' };
const played = (passed: number[]) =>
  play(specOf({ gates, limits: { iterations: passed.length } }), {
    turn: (n) => ({ tree: `t${n}` }),
    judge: (gate, _tree, n) =>
      gate === 'types' ? red() : failed(['x', `y${n}`], { passed: passed[Math.max(0, n - 1)]! }),
  }).state;

describe('the tracker', () => {
  it('scores the mean closeness of the gates', () => {
    const state = played([2]);
    // tests: 2 of 4 pass; types fails without degrees.
    expect(state.last?.score).toBeCloseTo(0.25);
  });
  it('measures velocity, slope and estimates, and has none without a slope', () => {
    const rising = played([2, 6, 18]);
    const now = rising.last!;
    const metrics = measure({ ...rising, judged: rising.judged.slice(0, -1) }, now);
    expect(metrics.velocity).toBeCloseTo(now.score / 3);
    expect(metrics.recentVelocity).toBeGreaterThan(0);
    expect(metrics.estimatedIterations).toBeGreaterThan(0);
    expect(metrics.estimatedMs).toBeGreaterThan(0);
    const flat = played([2, 2, 2]);
    expect(measure({ ...flat, judged: flat.judged.slice(0, -1) }, flat.last!)).toMatchObject({
      recentVelocity: 0,
      estimatedIterations: null,
      estimatedMs: null,
    });
  });
  it('tells the level and the trend of each gate', () => {
    const state = played([2, 6]);
    const before = new Map([
      ['tests', 0.5],
      ['types', 0],
    ]);
    const metrics = measure({ ...state, footing: { ...state.footing, levels: before } }, state.last!);
    expect(metrics.byGate).toEqual({
      tests: { currentLevel: 0.75, previousLevel: 0.5, trend: 'improving' },
      types: { currentLevel: 0, previousLevel: 0, trend: 'stagnant' },
    });
    expect(state.footing.levels.get('tests')).toBe(0.75);
  });
  it('estimates by the slope of three scores', () => {
    const state = played([0, 2, 6]);
    // tests pass 0, 1/2 and 3/4 of their cases, types nothing: scores 0, 0.25, 0.375.
    const metrics = measure({ ...state, judged: state.judged.slice(0, -1) }, state.last!);
    expect(metrics.recentVelocity).toBeCloseTo(0.1875);
    expect(metrics.estimatedIterations).toBe(4);
    expect(metrics.estimatedMs).toBe(4 * 120);
  });
  it('keeps the score of every iteration, and what each came to', () => {
    const { judged } = played([0, 2, 6]);
    expect(judged.map(({ iteration, score }) => [iteration, score])).toEqual([
      [1, 0],
      [2, 0.25],
      [3, 0.375],
    ]);
    expect(judged.every(({ gates }) => gates['tests'] === false && gates['types'] === false)).toBe(true);
  });
  it('scores nothing as 0 and never as NaN', () => {
    const empty = emptyState();
    expect(measure(empty, assess(empty, newCurrent(1)))).toMatchObject({
      overall: 0,
      velocity: 0,
      recentVelocity: 0,
    });
  });
});

describe('the trend', () => {
  const before = played([2]).judged[0]!;
  const now = (over: object) => ({
    judged: true,
    unmasked: false,
    opaque: before.opaque,
    failures: new Set(['1', '2', '3']),
    score: before.score,
    ...over,
  });
  it.each([
    ['the first iteration has none', null, now({}), 'stagnant'],
    ['fewer failures', before, now({ failures: new Set(['1']) }), 'improving'],
    ['more failures', before, now({ failures: new Set(['1', '2', '3', '4']) }), 'regressing'],
    [
      'more failures because they were unmasked',
      before,
      now({ failures: new Set(['1', '2', '3', '4']), unmasked: true }),
      'improving',
    ],
    ['the score within the dead band', before, now({ score: before.score + 0.05 }), 'stagnant'],
    ['the score above the dead band', before, now({ score: before.score + 0.06 }), 'improving'],
    ['the score below it', before, now({ score: before.score - 0.06 }), 'regressing'],
  ] as const)('%s', (_name, earlier, current, expected) => expect(trendOf(earlier, current)).toBe(expected));
  it('has the labels of the older designs', () =>
    expect(trendLabels.regressing).toEqual({ plan: 'DIVERGING', graph: null }));
});

describe('outcomes in the older vocabularies', () => {
  it.each([
    ['converged', 'goal.met', 'success', 'complete', 'DONE', 'completed', 'passed'],
    ['converged', 'goal.hard-only', 'success', 'complete', 'DONE_WITH_CAVEATS', 'completed', 'passed'],
    ['partial', 'accept.partial', 'strategy_stop', 'complete', 'STUCK', 'stopped', 'failed_verification'],
    ['diverged', 'limit.iterations', 'max_iterations', 'timeout', 'STUCK', 'stopped', 'failed_verification'],
    ['diverged', 'limit.wall-clock', 'timeout', 'timeout', 'STUCK', 'stopped', 'failed_timeout'],
    ['diverged', 'limit.cost', 'timeout', 'timeout', 'STUCK', 'stopped', 'failed_timeout'],
    ['diverged', 'gate.stop', 'strategy_stop', 'fail', 'STUCK', 'stopped', 'failed_verification'],
    ['diverged', 'loop.oscillation', 'strategy_stop', 'fail', 'STUCK', 'stopped', 'failed_verification'],
    ['diverged', 'agent.false-claim', 'strategy_stop', 'fail', 'STUCK', 'stopped', 'failed_verification'],
    ['stopped', 'user.stop', 'strategy_stop', 'fail', 'IN_PROGRESS', 'stopped', 'canceled'],
    ['suspended', 'awaiting-gate', null, 'continue', 'IN_PROGRESS', 'running', null],
    ['error', 'error.gate', 'error', 'fail', 'STUCK', 'stopped', 'failed_error'],
    ['error', 'error.build', 'error', 'fail', 'STUCK', 'stopped', 'failed_build'],
  ] as const)('%s %s', (status, code, finalResult, action, task, graph, run) =>
    expect(mapOutcome(status, code)).toEqual({ finalResult, action, task, graph, run }),
  );
});

it('a green gate among red ones raises the level, never above 1', () => {
  const state = play(specOf({ gates, limits: { iterations: 1 } }), {
    turn: () => ({ tree: 't' }),
    judge: (gate, _t, n) => (gate === 'tests' && n > 0 ? green : red()),
  }).state;
  expect(state.last?.score).toBe(0.5);
});
