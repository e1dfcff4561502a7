import { describe, expect, it } from 'vitest';
import type { LoopEnd } from '../../ports.ts';
import { adaptStrategy } from './adapt.ts';
import type { ContextOf002, DecisionOf002, RunResult } from './lifecycle.ts';
import { contextAt, gateView, greenGate } from './testing.ts';

function recorder() {
  const calls: string[] = [];
  const contexts: ContextOf002[] = [];
  return {
    calls,
    contexts,
    initialize: () => void calls.push('initialize'),
    onIterationStart: ({ run }: ContextOf002) => void calls.push(`start ${run.iteration}`),
    shouldContinue(context: ContextOf002): DecisionOf002 {
      calls.push('ask');
      contexts.push(context);
      context.state.customState['seen'] = context.run.iteration;
      return {
        shouldContinue: context.run.iteration < 3,
        reason: 'r',
        action: 'timeout',
        metadata: { m: 1 },
      };
    },
    onIterationComplete: (_context: ContextOf002, { action }: DecisionOf002) =>
      void calls.push(`complete ${action}`),
    onRunComplete: ({ outcome, action }: RunResult) => void calls.push(`${outcome} ${action}`),
  };
}

describe('a strategy of lifecycle methods', () => {
  it('has every method called in its order, and its answer taken', async () => {
    const strategy = recorder();
    const adapted = adaptStrategy(strategy);
    await adapted.initialize?.({});
    expect(await adapted.decide(contextAt(1))).toEqual({
      continue: true,
      reason: 'r',
      action: 'timeout',
      metadata: { m: 1 },
    });
    expect(strategy.calls).toEqual(['initialize', 'start 1', 'ask', 'complete timeout']);
  });

  it('gets the whole context, with iterations counted from 1', async () => {
    const strategy = recorder();
    const gates = [greenGate(), gateView({ name: 'ci', kind: 'ci', failures: ['red', 'blue'] })];
    await adaptStrategy(strategy, { n: 1 }, { workspace: '/w' }).decide(contextAt(1, { gates }));
    expect(strategy.contexts[0]).toEqual({
      run: { id: 'r1', iteration: 1, maxIterations: 20, maxTimeMs: 3_600_000, elapsedMs: 1_000 },
      workspace: { path: '/w' },
      config: { n: 1 },
      state: {
        iteration: 1,
        decisions: [],
        progress: {
          highestVerificationLevel: null,
          featuresCompleted: 1,
          totalFeatures: 2,
          progressPercent: 50,
        },
        loopDetection: { contentHashes: [expect.stringMatching(/^[0-9a-f]{16}$/)], loopCount: 0 },
        customState: { seen: 1 },
      },
      verificationReport: expect.objectContaining({ passed: false }),
      agentOutput: 'words of 1',
      ciStatus: { passed: false, feedback: 'red\nblue' },
    });
  });

  it('has no report and no output when there is none', async () => {
    const strategy = recorder();
    await adaptStrategy(strategy).decide(contextAt(1, { gates: [], output: null, build: 'failed' }));
    expect(Object.keys(strategy.contexts[0]!)).toEqual(['run', 'workspace', 'config', 'state']);
  });

  it('keeps decisions and what it wrote down, also over a restart', async () => {
    const before = adaptStrategy(recorder());
    await before.decide(contextAt(1));
    const strategy = recorder();
    const after = adaptStrategy(strategy);
    await after.restore?.(JSON.parse(JSON.stringify(await before.snapshot?.())));
    await after.decide(contextAt(2));
    expect(strategy.contexts[0]?.state).toMatchObject({
      decisions: [{ iteration: 1, shouldContinue: true, reason: 'r', action: 'timeout', metadata: { m: 1 } }],
      customState: { seen: 2 },
    });
  });

  it('has its own part of the state from getState', async () => {
    const strategy = { ...recorder(), getState: () => ({ customState: { mine: true } }) };
    await adaptStrategy(strategy).decide(contextAt(1));
    expect(strategy.contexts[0]?.state.customState).toMatchObject({ mine: true });
  });

  it('counts a loop when three iterations in a row leave the same tree and results, and keeps five hashes', async () => {
    const strategy = recorder();
    const adapted = adaptStrategy(strategy);
    for (let n = 1; n <= 7; n++) await adapted.decide(contextAt(n, { tree: n === 1 ? 'other' : 'same' }));
    expect(strategy.contexts.map(({ state }) => state.loopDetection.loopCount)).toEqual([
      0, 0, 0, 1, 2, 3, 4,
    ]);
    expect(strategy.contexts.at(-1)?.state.loopDetection.contentHashes).toHaveLength(5);
  });

  it('knows the highest level without a gap below it', async () => {
    const strategy = recorder();
    const levels = [
      { level: 'L0' as const, status: 'passed' as const, checks: [] },
      { level: 'L1' as const, status: 'skipped' as const, checks: [] },
      { level: 'L2' as const, status: 'passed' as const, checks: [] },
    ];
    await adaptStrategy(strategy).decide(contextAt(1, { gates: [gateView({ levels })] }));
    expect(strategy.contexts[0]?.state.progress.highestVerificationLevel).toBe('L0');
  });

  it('keeps its progress through an iteration in which nothing was verified', async () => {
    const strategy = recorder();
    const adapted = adaptStrategy(strategy);
    await adapted.decide(contextAt(1, { gates: [greenGate(), gateView({ name: 'b' })] }));
    await adapted.decide(contextAt(2, { gates: [] }));
    expect(strategy.contexts[1]?.state.progress.progressPercent).toBe(50);
  });

  it.each([
    { finalResult: 'success', status: 'converged', told: 'succeeded complete' },
    { finalResult: 'strategy_stop', status: 'partial', told: 'failed complete' },
    { finalResult: 'max_iterations', status: 'diverged', told: 'failed timeout' },
    { finalResult: 'timeout', status: 'diverged', told: 'failed timeout' },
    { finalResult: 'strategy_stop', status: 'diverged', told: 'failed fail' },
    { finalResult: 'error', status: 'error', told: 'failed fail' },
  ] as const)(
    'is told how a $status run with $finalResult came out',
    async ({ finalResult, status, told }) => {
      const strategy = recorder();
      const ending: LoopEnd = {
        runId: 'r1',
        totalIterations: 1,
        finalResult,
        elapsedMs: 1,
        status,
        code: 'c',
      };
      await adaptStrategy(strategy).onLoopEnd?.(ending);
      expect(strategy.calls).toEqual([told]);
    },
  );
});
