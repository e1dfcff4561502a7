import { describe, expect, it } from 'vitest';
import { readCondition, sparedVerdict } from './spare.ts';
import { failed, green, specOf } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

const verdict = (
  gate: Record<string, unknown>,
  {
    iteration = 1,
    tests,
    unspared = false,
  }: { iteration?: number; tests?: Verdict; unspared?: boolean } = {},
) => {
  const spec = specOf({ gates: { tests: 'x', last: { run: 'y', severity: 'soft', ...gate } } });
  const verdicts = new Map(tests ? [['tests', tests]] : []);
  return sparedVerdict(spec.gates[1]!, { spec, iteration, verdicts, unspared });
};

describe('a condition on the iteration', () => {
  it.each([
    ['iteration < 3', [true, true, false, false]],
    ['iteration <= 3', [true, true, true, false]],
    ['iteration > 3', [false, false, false, true]],
    ['iteration >= 3', [false, false, true, true]],
    ['iteration == 3', [false, false, true, false]],
    ['iteration = 3', [false, false, true, false]],
    ['iteration != 3', [true, true, false, true]],
    ['  iteration<3 ', [true, true, false, false]],
  ])('%s', (skipIf, expected) => {
    expect([1, 2, 3, 4].map((iteration) => verdict({ skipIf }, { iteration }) !== null)).toEqual(expected);
  });
});

describe('a condition on another gate', () => {
  it('holds by its verdict of this judgement, and not before there is one', () => {
    const red = failed(['a']);
    expect(verdict({ skipIf: 'gate.tests.failed' }, { tests: red })).toMatchObject({ by: 'condition' });
    expect(verdict({ skipIf: 'gate.tests.failed' }, { tests: green })).toBeNull();
    expect(verdict({ skipIf: 'gate.tests.passed' }, { tests: green })).toMatchObject({
      kind: 'skipped',
      why: 'left out while gate.tests.passed',
    });
    expect(verdict({ skipIf: 'gate.tests.passed' }, { tests: red })).toBeNull();
    expect(verdict({ skipIf: 'gate.tests.failed' })).toBeNull();
  });
});

describe('nothing is spared', () => {
  it('when the run is about to converge, but a gate that only a person starts', () => {
    expect(verdict({ skipIf: 'iteration < 9' }, { unspared: true })).toBeNull();
    expect(verdict({ when: 'manual' }, { unspared: true })).toMatchObject({ by: 'manual' });
    expect(verdict({ when: 'manual' })?.why).toContain('agentgate check');
  });
  it('by a gate that stands after it, or that has not passed', () => {
    const gates = { first: 'x', winner: { run: 'y', onSuccess: 'skip-remaining' }, last: 'z' };
    const spec = specOf({ gates });
    const asked = (name: string, winner: Verdict) =>
      sparedVerdict(spec.gates.find((one) => one.name === name)!, {
        spec,
        iteration: 1,
        verdicts: new Map([['winner', winner]]),
        unspared: false,
      });
    expect(asked('last', green)).toEqual({
      kind: 'skipped',
      why: 'spared, because winner passed',
      by: 'success',
    });
    expect(asked('first', green)).toBeNull();
    expect(asked('winner', green)).toBeNull();
    expect(asked('last', failed(['a']))).toBeNull();
  });
});

it.each([
  ['gate.my tests.passed', { gate: 'my tests' }],
  ['gate.a.b.failed', { gate: 'a.b' }],
  ['iteration >= 3', { gate: null }],
  ['branch == main', null],
  ['gate.tests.green', null],
  ['iteration ~ 3', null],
  ['not gate.tests.passed', null],
  ['iteration < 3 and more', null],
  ['iteration < x', null],
])('reads %j', (condition, expected) => {
  expect(readCondition(condition)).toEqual(expected);
});
