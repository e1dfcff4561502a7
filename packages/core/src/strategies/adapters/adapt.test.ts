import { describe, expect, it } from 'vitest';
import type { LoopEnd } from '../../ports.ts';
import { adaptStrategy } from './adapt.ts';
import { contextAt } from './testing.ts';

const stop = { continue: false, reason: 'enough' };
const ending: LoopEnd = {
  runId: 'r1',
  totalIterations: 3,
  finalResult: 'max_iterations',
  elapsedMs: 9,
  status: 'diverged',
  code: 'limit.iterations',
};

describe('what is given as a strategy', () => {
  class Counting {
    readonly name = 'counting';
    readonly most: number;
    constructor({ most }: { most: number }) {
      this.most = most;
    }
    decide({ iteration }: { iteration: number }) {
      return { continue: iteration < this.most, reason: `at most ${this.most}` };
    }
  }
  class WithFields {
    decide = () => stop;
  }

  it.each([
    { name: 'an object', value: { decide: () => stop } },
    { name: 'a class', value: Counting },
    { name: 'a class whose methods are fields', value: WithFields },
    { name: 'a factory', value: (config: { most: number }) => new Counting(config) },
    {
      name: 'a factory that takes its time',
      value: async (config: { most: number }) => new Counting(config),
    },
    {
      name: 'a function called decide',
      value: function decide() {
        return stop;
      },
    },
    {
      name: 'a function of the context',
      value: ({ iteration }: { iteration: number }) => ({ continue: iteration < 2, reason: 'two' }),
    },
    {
      name: 'a function that cannot work without a context',
      value: ({ gates }: { gates: unknown[] }) => ({ continue: gates.length > 9, reason: 'few' }),
    },
  ])('is taken as $name', async ({ value }) => {
    const strategy = adaptStrategy(value, { most: 2 });
    await strategy.initialize?.({ most: 2 });
    expect(await strategy.decide(contextAt(2))).toMatchObject({ continue: false });
  });

  it('is asked by its own shape, whichever it has', async () => {
    const asked: string[] = [];
    const answer = (name: string) => () => {
      asked.push(name);
      return { ...stop, shouldContinue: false };
    };
    const shapes = [
      { decide: answer('own') },
      { initialize: () => {}, shouldContinue: answer('000'), reset: () => {} },
      { onIterationComplete: answer('001') },
      { shouldContinue: answer('002'), onIterationComplete: () => {}, getState: () => ({}) },
    ];
    for (const shape of shapes) await adaptStrategy(shape).decide(contextAt(1));
    expect(asked).toEqual(['own', '000', '001', '002']);
  });

  it.each([
    {
      value: { foo: 1, bar: () => 2 },
      says: 'the object has no function decide, onIterationComplete or shouldContinue; found: foo, bar',
    },
    { value: null, says: 'found: nothing' },
    { value: 'hybrid', says: 'found: a string' },
    {
      value: class Empty {
        start() {}
      },
      says: 'an instance of Empty has no function decide, onIterationComplete or shouldContinue; found: start',
    },
  ])('is refused with what it has when it has no shape: $says', ({ value, says }) => {
    expect(() => adaptStrategy(value)).toThrow(says);
  });

  it('is refused when its factory makes something else', async () => {
    const strategy = adaptStrategy(function make() {
      return { size: 3 };
    });
    await expect(strategy.initialize?.({})).rejects.toThrow('what make made has no function decide');
  });

  it('tells why its factory refused the config', async () => {
    const make = ({ most }: { most?: number }) => {
      if (most === undefined) throw new RangeError('most is missing');
      if (most < 1) throw new RangeError('most must be at least 1');
      return { decide: () => stop };
    };
    const strategy = adaptStrategy(make, { most: -1 });
    await expect(strategy.decide(contextAt(1))).rejects.toThrow(
      'most is missing (called with its config it said: most must be at least 1)',
    );
  });

  it('gets its config once, in the constructor and in initialize', async () => {
    const got: unknown[] = [];
    class Told {
      constructor(config: unknown) {
        got.push(config);
      }
      initialize(config: unknown) {
        got.push(config);
      }
      decide() {
        return stop;
      }
    }
    await adaptStrategy(Told, { a: 1 }).initialize?.({ a: 1 });
    expect(got).toEqual([{ a: 1 }, { a: 1 }]);
  });
});

describe('the end of the loop', () => {
  it.each([
    { name: 'decide', make: (hook: () => void) => ({ decide: () => stop, onLoopEnd: hook }) },
    {
      name: 'one callback',
      make: (hook: () => void) => ({ onIterationComplete: () => stop, onLoopEnd: hook }),
    },
    { name: 'lifecycle', make: (hook: () => void) => ({ shouldContinue: () => stop, onRunComplete: hook }) },
    { name: 'factory', make: (hook: () => void) => () => ({ decide: () => stop, onLoopEnd: hook }) },
  ])('is told exactly once to a strategy of the shape $name', async ({ make }) => {
    let calls = 0;
    const strategy = adaptStrategy(make(() => void (calls += 1)));
    await Promise.all([strategy.onLoopEnd?.(ending), strategy.onLoopEnd?.(ending)]);
    await strategy.onLoopEnd?.(ending);
    expect(calls).toBe(1);
  });

  it('is told once even when the hook fails', async () => {
    let calls = 0;
    const onLoopEnd = () => {
      calls += 1;
      throw new Error('no');
    };
    const strategy = adaptStrategy({ decide: () => stop, onLoopEnd });
    await expect((async () => strategy.onLoopEnd?.(ending))()).rejects.toThrow('no');
    await expect((async () => strategy.onLoopEnd?.(ending))()).rejects.toThrow('no');
    expect(calls).toBe(1);
  });
});
