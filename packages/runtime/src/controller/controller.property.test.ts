import type { LoopEnd } from '@agentgate/core';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createController } from './controller.ts';
import { aborted, fastClock } from './testing.ts';

/** What one call does: answer, answer that it failed, answer nonsense, throw, or hang until it is aborted, or for ever. */
type Deed = 'good' | 'bad' | 'nonsense' | 'throws' | 'throws later' | 'again' | 'hangs' | 'ignores' | 'stops';
const calm: readonly Deed[] = ['good', 'bad'];
const wild: readonly Deed[] = ['nonsense', 'throws', 'throws later', 'again', 'hangs', 'ignores', 'stops'];
const deeds = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...calm) },
    { weight: 2, arbitrary: fc.constantFrom(...wild) },
  ),
  { minLength: 1, maxLength: 12 },
);

const plan = fc.record({
  build: deeds,
  snapshot: deeds,
  gate: deeds,
  feedback: deeds,
  decide: deeds,
  end: deeds,
  max: fc.integer({ min: 1, max: 6 }),
  tokens: fc.option(fc.integer({ min: 1, max: 600 }), { nil: undefined }),
  own: fc.boolean(),
  baseline: fc.boolean(),
  confirm: fc.boolean(),
});

it('keeps its promises whatever the callbacks do', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (drawn) => {
      const { max, tokens, own, baseline, confirm } = drawn;
      const controller = createController({
        // An hour passes in a third of a second.
        clock: fastClock(10_000),
        baseline,
        confirm,
        ...(own ? { strategy: strategyOf() } : {}),
      });
      const ends: LoopEnd[] = [];
      let builds = 0;
      let inBuild = 0;
      let reports = 0;
      let overspent = false;
      const make =
        <T>(
          name: 'build' | 'snapshot' | 'gate' | 'feedback' | 'decide' | 'end',
          good: () => T,
          bad: () => T,
        ) =>
        (signal?: AbortSignal): Promise<T> => {
          const list = drawn[name];
          return act(list[reports++ % list.length]!, good, bad, signal);
        };
      async function act<T>(deed: Deed, good: () => T, bad: () => T, signal?: AbortSignal): Promise<T> {
        switch (deed) {
          case 'good':
            return good();
          case 'bad':
            return bad();
          case 'nonsense':
            return 7 as T;
          case 'throws':
            throw new Error('boom');
          case 'throws later':
            await new Promise(setImmediate);
            throw 'a word';
          case 'again':
            throw Object.assign(new Error('busy'), { retryAfterMs: 5 });
          case 'hangs':
            if (signal) await aborted(signal);
            return good();
          case 'ignores':
            return new Promise<T>(() => undefined);
          case 'stops':
            void controller.stop('drawn');
            return good();
        }
      }
      function strategyOf() {
        return {
          decide: () =>
            make(
              'decide',
              () => ({ continue: true, reason: 'on' }),
              () => ({ continue: false, reason: 'no' }),
            )(),
          onLoopEnd: (ending: LoopEnd) => {
            ends.push(ending);
            return make(
              'end',
              () => undefined,
              () => undefined,
            )();
          },
        };
      }
      await controller.initialize({
        strategy: { kind: 'fixed', iterations: 100 },
        gates: [{ name: 'a' }, { name: 'b', severity: 'soft', timeout: '10m' }],
        limits: {
          iterations: max,
          wallClock: '1h',
          maxWait: '10m',
          ...(tokens === undefined ? {} : { tokens }),
        },
      });
      const spent = { tokens: 0 };
      const result = await controller.run({
        onBuild: async ({ iteration, signal }) => {
          builds = Math.max(builds, iteration);
          inBuild += 1;
          expect(inBuild).toBe(1);
          overspent ||= tokens !== undefined && spent.tokens >= tokens;
          const told = () => {
            spent.tokens += 100;
            return { success: true, tokens: 100 };
          };
          try {
            return await make('build', told, () => ({ ...told(), success: false }))(signal);
          } finally {
            inBuild -= 1;
          }
        },
        onSnapshot: ({ iteration, signal }) =>
          make<string | null>(
            'snapshot',
            () => `t${iteration}`,
            () => null,
          )(signal),
        onGateCheck: (_, { signal }) =>
          make(
            'gate',
            () => ({ passed: true }),
            () => ({ passed: false }),
          )(signal),
        onFeedback: (_, { signal }) =>
          make(
            'feedback',
            () => 'mend it',
            () => '',
          )(signal),
      });
      // No further build begins once a limit is reached, and the count is exact.
      expect(builds).toBeLessThanOrEqual(max);
      expect(result.iterations).toBeLessThanOrEqual(max);
      expect(result.iterations).toBeGreaterThanOrEqual(builds);
      expect(overspent).toBe(false);
      if (result.outcome.code === 'limit.iterations') expect(builds).toBe(max);
      expect(ends).toHaveLength(own ? 1 : 0);
      expect(['converged', 'diverged', 'stopped', 'error']).toContain(result.status);
      expect([controller.isRunning, controller.getProgress().iteration]).toEqual([false, result.iterations]);
      // Only gates converge a run: the hard one passed, on the last word it gave.
      if (result.status === 'converged')
        expect(result.gateResults['a']).toMatchObject({ passed: true, status: 'passed' });
      expect(result.status === 'error').toBe(result.error !== undefined);
      expect(result.history.length).toBeLessThanOrEqual(result.iterations);
    }),
    { numRuns: 150 },
  );
});
