import { FaultError, makeRegistry, strategies } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { readSpec } from './read-spec.ts';

const read = (value: unknown, strategy?: unknown, registry = strategies) =>
  readSpec(value, { strategy, registry, strategyTimeoutMs: 1_000 });
const mistakes = (value: unknown, strategy?: unknown): string => {
  try {
    read(value, strategy);
  } catch (error) {
    if (error instanceof FaultError) return `${error.fault.code}: ${error.fault.message}`;
    throw error;
  }
  return 'none';
};

describe('the forms of a spec', () => {
  const expected = {
    spec: {
      strategy: { kind: 'ralph', max: 7 },
      gates: [
        { name: 'tests', severity: 'hard' },
        { name: 'lint', severity: 'soft' },
      ],
      limits: { iterations: 5, wallClock: 90_000 },
    },
  };
  it.each([
    [
      'flat',
      {
        strategy: { kind: 'ralph', max: 7 },
        gates: { tests: {}, lint: { severity: 'soft' } },
        limits: { iterations: 5, wallClock: '90s' },
      },
    ],
    [
      'strategy and config',
      {
        strategy: 'ralph',
        config: { maxIterations: 7 },
        gates: [
          { name: 'tests', type: 'custom' },
          { name: 'lint', severity: 'soft' },
        ],
        limits: { maxIterations: 5, maxWallClock: 90_000 },
      },
    ],
    [
      'a resource',
      {
        apiVersion: 'agentgate.io/v1',
        kind: 'TaskSpec',
        metadata: { name: 'fix' },
        spec: {
          convergence: {
            strategy: 'ralph',
            config: { maxIterations: 7 },
            gates: [
              { name: 'tests', check: { command: 'npm test' } },
              { name: 'lint', severity: 'soft' },
            ],
            limits: { maxIterations: 5, maxWallClock: '90s' },
          },
        },
      },
    ],
  ])('reads one that is %s', (_, value) => {
    expect(read(value)).toMatchObject({ ...expected, task: null, strategy: null });
  });
  it('needs neither task nor agent, and keeps a task that is there', () => {
    expect(read({ gates: { a: {} } }).task).toBeNull();
    expect(read({ gates: { a: {} }, task: 'do it' }).task).toBe('do it');
    expect(read({ gates: { a: {} }, goal: { prompt: 'do it' } }).task).toBe('do it');
  });
  it('takes any kind of gate, with or without what it checks', () => {
    const { spec } = read({
      gates: [
        { name: 'plain' },
        { name: 'levels', type: 'verification-levels' },
        { name: 'ci', type: 'github-actions' },
        { name: 'file', exists: 'dist' },
        { name: 'person', type: 'approval' },
      ],
    });
    expect(spec.gates.map((gate) => gate.kind)).toEqual(['command', 'levels', 'ci', 'artifact', 'approval']);
  });
});

describe('mistakes', () => {
  it('tells every one of them at once', () => {
    const told = mistakes({
      gates: { tests: { severty: 'soft' }, lint: { onFailure: 'explode' } },
      limits: { iterations: 0, wallClock: 'soon' },
      strategy: 'fixd',
    });
    expect(told).toMatch(/^spec\.invalid: the spec has 5 mistakes/);
    expect(told).toContain('unknown option "severty": did you mean "severity"?');
    expect(told).toContain('gates.lint.onFailure: expected one of iterate, stop, escalate, found "explode"');
    expect(told).toContain('limits.iterations: expected a whole number from 1 to 10000, found 0');
    expect(told).toContain('limits.wallClock: expected a duration');
    expect(told).toContain('strategy: unknown strategy "fixd": did you mean "fixed"?');
  });
  it.each([
    ['no object', 'nothing', /expected an object with gates/],
    ['no gates', {}, /gates/],
    ['gates that are empty', { gates: {} }, /at least one gate/],
    ['two gates of one name', { gates: [{ name: 'a' }, { name: 'a' }] }, /two gates are named "a"/],
    ['a task in a file', { gates: { a: {} }, task: { file: 'P.md' } }, /read the file before/],
    [
      'a wrong option in config, told there',
      { gates: { a: {} }, strategy: 'fixed', config: { iterations: 0 } },
      /\n  config\.iterations: expected a whole number from 1/,
    ],
    [
      'a config that is no group',
      { gates: { a: {} }, strategy: 'fixed', config: 5 },
      /config: expected a group/,
    ],
    [
      'options in two places',
      { gates: { a: {} }, strategy: { kind: 'fixed', iterations: 2 }, config: { iterations: 3 } },
      /config: stands beside options of strategy/,
    ],
    [
      'two names that differ',
      { gates: { a: {} }, strategy: 'fixed', mode: 'ralph' },
      /mode: is read as strategy/,
    ],
    ['an unknown option', { gates: { a: {} }, loops: 5 }, /unknown option "loops"/],
  ])('refuses %s', (_, value, why) => {
    expect(mistakes(value)).toMatch(why);
  });
  it('says what a strategy object lacks', () => {
    expect(mistakes({ gates: { a: {} } }, { shouldGoOn: () => true })).toMatch(
      /the object has no function decide, onIterationComplete or shouldContinue; found: shouldGoOn/,
    );
  });
});

describe('the strategy', () => {
  const gates = { a: {} };
  it('of the controller goes before that of the spec, with the options of the spec where they fit', () => {
    expect(read({ gates, strategy: 'ralph' }, 'fixed').spec.strategy).toEqual({
      kind: 'fixed',
      iterations: 3,
    });
    expect(read({ gates, config: { iterations: 5 } }, 'fixed').spec.strategy).toEqual({
      kind: 'fixed',
      iterations: 5,
    });
    expect(read({ gates }, { kind: 'fixed', iterations: 6 }).spec.strategy).toEqual({
      kind: 'fixed',
      iterations: 6,
    });
  });
  it('may be a registered type, which gets its options', () => {
    const registry = makeRegistry();
    const made: unknown[] = [];
    const factory = (config: never) => {
      made.push(config);
      return { name: 'mine', type: 'mine', displayName: 'Mine', decide: () => ({}) as never };
    };
    registry.register('mine', factory, { description: 'mine' });
    const { spec, strategy } = read(
      { gates, strategy: 'mine', config: { depth: 3 }, limits: { iterations: 12 } },
      undefined,
      registry,
    );
    expect(spec.strategy).toMatchObject({ kind: 'custom', name: 'mine', max: 12 });
    strategy?.make();
    expect(made).toEqual([{ depth: 3 }]);
    expect(() => read({ gates, strategy: 'hybrid' }, undefined, registry)).toThrow(
      /unknown strategy "hybrid".*known: mine/,
    );
  });
  it('may stand in the spec as an object, a class or a function', () => {
    class Own {
      decide() {
        return { continue: false, reason: 'no' };
      }
    }
    for (const own of [new Own(), Own, () => ({ continue: false, reason: 'no' })])
      expect(read({ gates, strategy: own }).strategy).not.toBeNull();
  });
});
