import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BaseStrategy,
  builtInStrategies,
  type LoopEnd,
  type StrategyContext,
  type UserStrategy,
} from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../driver/clock.ts';
import { createController } from './controller.ts';
import { aborted, fastClock, play } from './testing.ts';

const spec = { gates: { tests: {} }, limits: { iterations: 4 } };

/** A strategy that goes on, and notes how its loop ended. */
function noting(more: Partial<UserStrategy> = {}) {
  const ends: LoopEnd[] = [];
  const strategy: UserStrategy = {
    name: 'noting',
    decide: () => ({ continue: true, reason: 'on' }),
    onLoopEnd: (ending) => void ends.push(ending),
    ...more,
  };
  return { ends, strategy };
}

describe('a strategy of the caller', () => {
  it('is asked after each failed iteration and ends the run with its reason', async () => {
    const { ends, strategy } = noting({
      decide: ({ iteration }) => ({ continue: iteration < 2, reason: `seen ${iteration}`, code: 'bored' }),
    });
    const { result } = await play(spec, {}, { strategy });
    expect(result).toMatchObject({
      status: 'diverged',
      iterations: 2,
      reason: 'seen 2',
      outcome: { code: 'strategy.custom.bored' },
    });
    expect(result.history[0]!.decision).toMatchObject({
      continue: true,
      code: 'continue.custom.bored',
      reason: 'seen 1',
    });
    expect(ends).toMatchObject([{ totalIterations: 2, finalResult: 'strategy_stop', status: 'diverged' }]);
  });
  it('gets output, snapshot hash, tokens and failures, and can change none of it', async () => {
    const seen: StrategyContext[] = [];
    const { strategy } = noting({
      decide: (context) => {
        seen.push(context);
        expect(() => Object.assign(context.current, { failures: 0 })).toThrow(TypeError);
        expect(() => (context.history as unknown[]).push(1)).toThrow(TypeError);
        return { continue: true, reason: 'on' };
      },
    });
    await play(
      spec,
      { onBuild: ({ iteration }) => ({ success: true, output: `said ${iteration}`, tokens: 10 }) },
      { strategy },
    );
    expect(seen.map(({ iteration, tree, output, tokens }) => [iteration, tree, output, tokens])).toEqual([
      [1, 'tree 1', 'said 1', 10],
      [2, 'tree 2', 'said 2', 20],
      [3, 'tree 3', 'said 3', 30],
    ]);
    expect(seen[2]!.history).toHaveLength(2);
    expect(seen[0]!.gates).toMatchObject([{ name: 'tests', passed: false, failures: ['it fails'] }]);
  });
  it('cannot converge a run whose gates fail', async () => {
    const { strategy } = noting({
      decide: () =>
        ({ continue: false, reason: 'converged', action: 'complete', status: 'converged' }) as never,
    });
    const { result } = await play(spec, {}, { strategy });
    expect(result.status).toBe('diverged');
  });
  it.each<[string, Partial<UserStrategy>, RegExp]>([
    [
      'throws',
      {
        decide: () => {
          throw new Error('oops');
        },
      },
      /hybrid decides for custom: strategy noting threw in iteration 1: oops/,
    ],
    [
      'answers garbage',
      { decide: () => 5 as never },
      /hybrid decides for custom: strategy noting .*answered 5 instead/,
    ],
    [
      'hangs',
      { decide: () => new Promise(() => undefined) },
      /hybrid decides for custom: strategy noting did not answer within 2000 ms/,
    ],
  ])('that %s is replaced by hybrid, which says so', async (_, more, why) => {
    const { strategy, ends } = noting(more);
    const { result } = await play(spec, {}, { strategy, strategyTimeoutMs: 2_000 });
    expect(result.history[0]!.decision.reason).toMatch(why);
    expect(result.status).toBe('diverged');
    expect(ends).toHaveLength(1);
  });
  it('that cannot be initialised is an error of the run', async () => {
    const { strategy, ends } = noting({ initialize: () => Promise.reject(new Error('bad config')) });
    const { result, calls } = await play(spec, {}, { strategy });
    expect(result).toMatchObject({
      status: 'error',
      iterations: 0,
      outcome: { code: 'error.strategy' },
      error: { phase: 'strategy' },
    });
    expect(result.reason).toMatch(/strategy noting threw while it was initialised: bad config/);
    expect([calls, ends.map((one) => one.finalResult)]).toEqual([[], ['error']]);
  });
  it('is initialised with its config, and reset before a further run', async () => {
    const heard: unknown[] = [];
    const { strategy } = noting({
      initialize: (config) => void heard.push(config),
      reset: () => void heard.push('reset'),
    });
    const controller = createController({ strategy });
    await controller.initialize({ ...spec, config: { depth: 2 } });
    const context = { onBuild: () => ({ success: true }), onGateCheck: () => ({ passed: true }) };
    await controller.run(context);
    await controller.run(context);
    expect(heard).toEqual([{ depth: 2 }, 'reset', { depth: 2 }]);
  });
  it('may have any of the older shapes', async () => {
    class Staged extends BaseStrategy {
      readonly name = 'staged';
      shouldContinue({ run }: { run: { iteration: number } }) {
        return this.makeDecision(run.iteration < 2, 'staged');
      }
    }
    const byState = {
      name: 's',
      type: 's',
      shouldContinue: (state: { iteration: number }) => ({
        continue: state.iteration < 2,
        reason: 'by state',
      }),
    };
    const oneCallback = {
      onIterationComplete: (event: { iteration: number }) => ({
        continue: event.iteration < 1,
        reason: 'one',
      }),
    };
    for (const strategy of [
      Staged,
      byState,
      oneCallback,
      ({ iteration }: { iteration: number }) => ({ continue: iteration < 2, reason: 'f' }),
    ]) {
      const { result } = await play(spec, {}, { strategy });
      expect([result.status, result.iterations]).toEqual(['diverged', 2]);
    }
  });
  it('may be a module of the project, asked in a process of its own', async () => {
    const root = mkdtempSync(join(tmpdir(), 'agentgate-module-'));
    try {
      const code =
        "export const decide = ({ iteration }) => ({ continue: iteration < 2, reason: 'the module' });";
      writeFileSync(join(root, 'mine.mjs'), code);
      const own = { kind: 'custom', module: 'mine.mjs' };
      const { result } = await play({ ...spec, strategy: own }, {}, { root, clock: systemClock });
      expect(result).toMatchObject({ status: 'diverged', iterations: 2, reason: 'the module' });
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
  it('may be registered', async () => {
    const registry = builtInStrategies();
    const decide = ({ iteration }: StrategyContext) =>
      ({ continue: iteration < 3, reason: 'three', code: 'x', action: 'fail', confidence: 1 }) as const;
    registry.register('three', () => ({ name: 'three', type: 'three', displayName: 'Three', decide }), {
      description: 'three',
    });
    const { result } = await play({ ...spec, strategy: 'three' }, {}, { registry });
    expect(result).toMatchObject({ status: 'diverged', iterations: 3, reason: 'three' });
  });
});

describe('the loop-end hook is called exactly once', () => {
  it.each<[string, Parameters<typeof play>[1], Partial<UserStrategy>, string]>([
    ['converges', { onGateCheck: () => ({ passed: true }) }, {}, 'success'],
    ['uses its iterations', {}, {}, 'max_iterations'],
    [
      'uses its time',
      { onBuild: async ({ signal }) => (await aborted(signal), { success: true }) },
      {},
      'timeout',
    ],
    ['is ended by the strategy', {}, { decide: () => ({ continue: false, reason: 'no' }) }, 'strategy_stop'],
    ['breaks', { onBuild: () => Promise.reject(new Error('boom')) }, {}, 'error'],
  ])('when the run %s', async (_, context, more, finalResult) => {
    const { strategy, ends } = noting(more);
    await play({ ...spec, limits: { iterations: 2, wallClock: '1m' } }, context, { strategy });
    expect(ends.map((one) => one.finalResult)).toEqual([finalResult]);
  });
  it('when the run is stopped, also while the strategy thinks', async () => {
    const { strategy, ends } = noting({ decide: () => new Promise(() => void controller.stop('enough')) });
    const controller = createController({ strategy });
    await controller.initialize(spec);
    const result = await controller.run({
      onBuild: () => ({ success: true }),
      onGateCheck: () => ({ passed: false }),
    });
    expect(result).toMatchObject({ status: 'stopped', iterations: 1 });
    expect(ends.map((one) => one.status)).toEqual(['stopped']);
  });
  it('when the log cannot be written', async () => {
    const { strategy, ends } = noting();
    const { result } = await play(spec, {}, { strategy, store: '/dev/null/nowhere' });
    expect(result).toMatchObject({ status: 'error', outcome: { code: 'error.store' } });
    expect(ends.map((one) => one.finalResult)).toEqual(['error']);
  });
  it('and changes nothing about the result when it throws or hangs', async () => {
    for (const onLoopEnd of [
      () => Promise.reject(new Error('oops')),
      () => new Promise<void>(() => undefined),
    ]) {
      const { strategy } = noting({ onLoopEnd });
      const { result } = await play(
        spec,
        { onGateCheck: () => ({ passed: true }) },
        { strategy, clock: fastClock(1_000) },
      );
      expect(result.status).toBe('converged');
      expect(result.warnings).toEqual([expect.stringMatching(/onLoopEnd of strategy noting/)]);
    }
  });
});

describe('the strategy manual', () => {
  it('asks the caller after each failed iteration, and does what the answer says', async () => {
    const controller = createController({
      onEvent: (event) => {
        if (event.kind !== 'decided' || event.decision.kind !== 'ask') return;
        const { iteration } = event.decision;
        setImmediate(() => controller.answer(iteration === 1 ? 'continue' : 'accept'));
      },
    });
    await controller.initialize({ ...spec, strategy: 'manual' });
    const waiting: string[] = [];
    const result = await controller.run({
      onBuild: () => ({ success: true }),
      onGateCheck: () => ({ passed: false }),
      onNotify: ({ about }) => void waiting.push(about),
    });
    expect(result).toMatchObject({
      status: 'diverged',
      iterations: 2,
      outcome: { status: 'partial', code: 'accept.partial' },
    });
    expect(waiting).toEqual(['waiting', 'waiting', 'end']);
  });
});
