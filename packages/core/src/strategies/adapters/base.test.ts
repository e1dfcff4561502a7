import { describe, expect, it } from 'vitest';
import { adaptStrategy } from './adapt.ts';
import { BaseStrategy } from './base.ts';
import type { ContextOf002, DecisionOf002 } from './lifecycle.ts';
import { contextAt, gateView, greenGate } from './testing.ts';

class Climbing extends BaseStrategy {
  readonly name = 'climbing';
  readonly lines: string[] = [];

  shouldContinue({ verificationReport }: ContextOf002): DecisionOf002 {
    const before = this.state.progress.progressPercent;
    this.updateProgress(verificationReport);
    const now = this.state.progress.progressPercent;
    if (now > before) return this.makeDecision(true, `from ${before} to ${now}`, 'continue', { now });
    return this.makeDecision(false, 'no higher');
  }

  protected override log(line: string): void {
    this.lines.push(line);
  }
}

describe('the base of lifecycle strategies', () => {
  it('counts, records decisions and progress, and answers with a copy of its state', async () => {
    const strategy = new Climbing();
    const adapted = adaptStrategy(strategy);
    await adapted.initialize?.({});
    const gates = [greenGate(), gateView({ name: 'b' })];
    expect(await adapted.decide(contextAt(1, { gates }))).toEqual({
      continue: true,
      reason: 'from 0 to 50',
      action: 'continue',
      metadata: { now: 50 },
    });
    expect(await adapted.decide(contextAt(2, { gates }))).toEqual({
      continue: false,
      reason: 'no higher',
      action: 'fail',
    });
    const state = strategy.getState();
    expect(state).toMatchObject({ iteration: 2, progress: { progressPercent: 50 } });
    expect(state.decisions.map((one) => one.shouldContinue)).toEqual([true, false]);
    state.iteration = 99;
    expect(strategy.getState().iteration).toBe(2);
  });

  it('tells when a run begins and how it came out', async () => {
    const strategy = new Climbing();
    const adapted = adaptStrategy(strategy);
    await adapted.initialize?.({});
    await adapted.onLoopEnd?.({
      runId: 'r1',
      totalIterations: 2,
      finalResult: 'success',
      elapsedMs: 1,
      status: 'converged',
      code: 'goal.met',
    });
    expect(strategy.lines).toEqual(['climbing begins', 'climbing succeeded after 2 iterations: goal.met']);
  });

  it('goes on after a restart where it was', async () => {
    const before = adaptStrategy(Climbing);
    const gates = [greenGate(), gateView({ name: 'b' })];
    await before.decide(contextAt(1, { gates }));
    const after = adaptStrategy(Climbing);
    await after.restore?.(JSON.parse(JSON.stringify(await before.snapshot?.())));
    expect(await after.decide(contextAt(2, { gates }))).toMatchObject({ continue: false });
  });
});
