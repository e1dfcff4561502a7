import { describe, expect, it } from 'vitest';
import type { StrategyAdvice, UserStrategy } from '../strategy.ts';
import { adaptStrategy } from './adapt.ts';
import { contextAt, gateView, greenGate, recordAt } from './testing.ts';

/** A strategy of `examples/strategies`, the way a user names it. */
async function example(file: string, config: unknown): Promise<UserStrategy> {
  const url = new URL(`../../../../../examples/strategies/${file}`, import.meta.url);
  const module = (await import(/* @vite-ignore */ url.href)) as Record<string, unknown>;
  const strategy = adaptStrategy(module['default'] ?? module, config);
  await strategy.initialize?.(config);
  return strategy;
}

/** The answers after the iterations with these numbers, counted from 0 as document 001 does. */
async function answers(strategy: UserStrategy, indices: readonly number[]): Promise<boolean[]> {
  const all: boolean[] = [];
  for (const index of indices) all.push((await strategy.decide(contextAt(index + 1))).continue);
  return all;
}

describe('the examples of document 001', () => {
  it('fixed(3) goes on at 0 and 1 and stops at 2', async () => {
    expect(await answers(await example('fixed.mjs', { iterations: 3 }), [0, 1, 2])).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('fixed stops early with a reason that says passed', async () => {
    const strategy = await example('fixed.mjs', { iterations: 3 });
    const advice = await strategy.decide(contextAt(1, { gates: [greenGate()], goalSatisfied: true }));
    expect(advice).toMatchObject({ continue: false, reason: expect.stringContaining('passed') });
  });

  it('hybrid(2,2) goes on at 0, 1 and 2, four iterations in all', async () => {
    const strategy = await example('hybrid.mjs', { base: 2, maxBonus: 2 });
    expect(await answers(strategy, [0, 1, 2, 3])).toEqual([true, true, true, false]);
  });

  it('ralph(2,10,0.95,3) with four failed iterations before it stops at 4 with a reason that says Convergence', async () => {
    const config = { min: 2, max: 10, threshold: 0.95, window: 3 };
    const advice = await (await example('ralph.mjs', config)).decide(contextAt(5));
    expect(advice).toMatchObject({ continue: false, reason: expect.stringContaining('Convergence') });
    expect(advice.metadata).toEqual({ converged: true });
  });

  it('ralph goes on without the plateau rule, and never before its least number', async () => {
    const off = await example('ralph.mjs', { min: 2, max: 10, window: 3, resultPlateau: false });
    expect(await answers(off, [0, 4, 8, 9])).toEqual([true, true, true, false]);
    const patient = await example('ralph.mjs', { min: 7, max: 10, window: 3 });
    expect(await answers(patient, [4, 6])).toEqual([true, false]);
  });

  it('ralph does not take verifications that were not run for a plateau', async () => {
    const strategy = await example('ralph.mjs', { window: 3 });
    const history = [1, 2, 3, 4].map((n) => recordAt(n, { judged: false, gates: {} }));
    expect((await strategy.decide(contextAt(5, { history }))).continue).toBe(true);
  });

  it('fixed tells the agent what failed, level by level', async () => {
    const strategy = await example('fixed.mjs', {});
    const levels = [
      { level: 'L0', status: 'passed', checks: [{ name: 'files', passed: true }] },
      { level: 'L1', status: 'failed', checks: [{ name: 'adds', passed: false, output: 'x'.repeat(300) }] },
      { level: 'L2', status: 'not-run', checks: [] },
    ] as const;
    const gates = [gateView({ levels: levels.map((one) => ({ ...one, checks: [...one.checks] })) })];
    expect((await strategy.decide(contextAt(1, { gates }))).feedback).toBe(
      `Verification failed:\n- L1/adds: ${'x'.repeat(200)}`,
    );
    const failedBuild = await strategy.decide(contextAt(1, { gates: [], build: 'failed' }));
    expect(failedBuild.feedback).toContain('Agent execution failed');
  });
});

describe('the other examples', () => {
  it('patient stops after so many iterations without a new low, also over a restart', async () => {
    const failures = (iteration: number, count: number) =>
      contextAt(iteration, { current: recordAt(iteration, { failures: count }) });
    const first = await example('patient.mjs', { patience: 2 });
    expect((await first.decide(failures(1, 5))).reason).toBe('a new low: 5 failures');
    expect((await first.decide(failures(2, 5))).continue).toBe(true);
    const second = await example('patient.mjs', { patience: 2 });
    await second.restore?.(JSON.parse(JSON.stringify(await first.snapshot?.())));
    expect(await second.decide(failures(3, 6))).toMatchObject({ continue: false });
  });

  it('deadline stops when the next iteration would not fit', async () => {
    const strategy = await example('deadline.ts', {});
    const limits = { iterations: 20, wallClock: 60_000, maxWait: 1 };
    const after = (elapsedMs: number): Promise<StrategyAdvice> | StrategyAdvice =>
      strategy.decide(contextAt(2, { elapsedMs, limits, current: recordAt(2, { tookMs: 20_000 }) }));
    expect(await after(30_000)).toMatchObject({ continue: true });
    expect(await after(45_000)).toMatchObject({ continue: false, action: 'timeout', code: 'deadline' });
  });

  it('threshold goes on until enough gates pass, and refuses a share that makes no sense', async () => {
    const strategy = await example('threshold.mjs', { share: 0.5 });
    expect(await strategy.decide(contextAt(1))).toMatchObject({ continue: true, metadata: { progress: 0 } });
    const gates = [greenGate('types'), gateView()];
    expect(await strategy.decide(contextAt(2, { gates }))).toMatchObject({ continue: false });
    await expect(example('threshold.mjs', { share: 2 })).rejects.toThrow('share must be above 0');
  });

  it('levels stops when no higher level is reached', async () => {
    const strategy = await example('levels.mjs', { dry: 2 });
    const levels = [{ level: 'L0' as const, status: 'passed' as const, checks: [] }];
    const at = (iteration: number) =>
      strategy.decide(contextAt(iteration, { gates: [gateView({ levels })] }));
    expect([(await at(1)).continue, (await at(2)).continue, (await at(3)).continue]).toEqual([
      true,
      true,
      false,
    ]);
  });
});
