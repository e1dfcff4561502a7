import { describe, expect, it } from 'vitest';
import type { LoopEnd } from '../../ports.ts';
import { adaptStrategy } from './adapt.ts';
import type { IterationEvent, LoopEndEvent } from './one-callback.ts';
import { contextAt, gateView, greenGate, recordAt } from './testing.ts';

const told: IterationEvent[] = [];
const listener = {
  name: 'listener',
  onIterationComplete(event: IterationEvent) {
    told.push(event);
    return { continue: true, reason: 'on', feedback: 'try', metadata: { a: 1 } };
  },
};

async function eventFor(context: ReturnType<typeof contextAt>): Promise<IterationEvent> {
  await adaptStrategy(listener).decide(context);
  return told.at(-1)!;
}

describe('a strategy of one callback', () => {
  it('gets the whole event, with iterations counted from 0', async () => {
    const history = [
      recordAt(1, { build: 'failed', judged: false, gates: {}, tookMs: 5, tokens: null }),
      recordAt(2, { gates: { tests: true, types: true } }),
    ];
    expect(await eventFor(contextAt(3, { history, current: recordAt(3, { tookMs: 9 }) }))).toEqual({
      iteration: 2,
      totalIterations: 3,
      elapsedMs: 3_000,
      agentResult: { success: true, output: 'words of 3', durationMs: 9, tokensUsed: 50 },
      agentSuccess: true,
      verificationReport: {
        passed: false,
        levels: { tests: { passed: false, checks: [{ name: 'adds', passed: false, output: 'adds' }] } },
        overall: { passed: false },
      },
      verificationPassed: false,
      previousIterations: [
        { iteration: 0, agentSuccess: false, verificationPassed: null, durationMs: 5, tokensUsed: null },
        { iteration: 1, agentSuccess: true, verificationPassed: true, durationMs: 700, tokensUsed: 50 },
      ],
      maxIterations: 20,
      maxTimeMs: 3_600_000,
      runId: 'r1',
      workOrderId: 'r1',
    });
  });

  it('is told null, not false, when nothing was verified', async () => {
    const event = await eventFor(contextAt(1, { build: 'failed', gates: [], output: null }));
    expect(event).toMatchObject({ agentSuccess: false, verificationReport: null, verificationPassed: null });
    expect(event.agentResult.output).toBe('');
  });

  it('is told that the verification passed', async () => {
    expect(await eventFor(contextAt(1, { gates: [greenGate()] }))).toMatchObject({
      verificationPassed: true,
      verificationReport: { passed: true, levels: { tests: { passed: true } } },
    });
  });

  it('gets the earlier iterations as a copy without the current one', async () => {
    const context = contextAt(3);
    const event = await eventFor(context);
    event.previousIterations.length = 0;
    expect(context.history).toHaveLength(2);
    expect((await eventFor(context)).previousIterations.map((one) => one.iteration)).toEqual([0, 1]);
  });

  it('gives feedback and metadata along with its answer', async () => {
    const strategy = adaptStrategy(listener);
    expect(strategy.name).toBe('listener');
    expect(await strategy.decide(contextAt(1))).toEqual({
      continue: true,
      reason: 'on',
      feedback: 'try',
      metadata: { a: 1 },
    });
  });

  it('names a gate that could not judge in the report', async () => {
    const gates = [gateView({ verdict: 'unable', failures: [] })];
    const { verificationReport } = await eventFor(contextAt(1, { gates }));
    expect(verificationReport?.levels['tests']?.checks).toEqual([
      { name: 'tests', passed: false, output: 'the gate is unable' },
    ]);
  });

  it('joins the levels of several gates', async () => {
    const levels = (status: 'passed' | 'failed') => [
      { level: 'L1' as const, status, checks: [{ name: status, passed: status === 'passed' }] },
    ];
    const gates = [
      gateView({ levels: levels('failed') }),
      gateView({ name: 'more', levels: levels('passed') }),
    ];
    const { verificationReport } = await eventFor(contextAt(1, { gates }));
    expect(verificationReport?.levels['L1']).toEqual({
      passed: false,
      checks: [
        { name: 'failed', passed: false, output: '' },
        { name: 'passed', passed: true, output: '' },
      ],
    });
  });

  it.each(['success', 'max_iterations', 'timeout', 'strategy_stop', 'error'] as const)(
    'is told the end of the loop: %s',
    async (finalResult) => {
      const ends: LoopEndEvent[] = [];
      const ending: LoopEnd = {
        runId: 'r1',
        totalIterations: 4,
        finalResult,
        elapsedMs: 8,
        status: 's',
        code: 'c',
      };
      await adaptStrategy({ ...listener, onLoopEnd: (event: LoopEndEvent) => ends.push(event) }).onLoopEnd?.(
        ending,
      );
      expect(ends).toEqual([{ runId: 'r1', totalIterations: 4, finalResult, elapsedMs: 8 }]);
    },
  );
});
