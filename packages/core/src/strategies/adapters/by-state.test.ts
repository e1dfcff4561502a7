import { describe, expect, it } from 'vitest';
import { adaptStrategy } from './adapt.ts';
import type { StateOf000 } from './by-state.ts';
import { contextAt, gateView, greenGate } from './testing.ts';

function recorder() {
  const states: StateOf000[] = [];
  const calls: unknown[] = [];
  return {
    states,
    calls,
    name: 'recorder',
    type: 'fixed',
    initialize: (config: unknown) => void calls.push(config),
    async shouldContinue(state: StateOf000) {
      states.push(state);
      return { continue: state.iteration < 3, reason: `at ${state.iteration}`, confidence: 0.5 };
    },
    reset: () => void calls.push('reset'),
  };
}

describe('a strategy that answers about a state', () => {
  it('gets the whole state, with iterations counted from 1', async () => {
    const strategy = recorder();
    const gates = [gateView({ levels: [{ level: 'L0', status: 'failed', checks: [] }] }), greenGate('types')];
    await adaptStrategy(strategy).decide(contextAt(1, { gates }));
    expect(strategy.states[0]).toEqual({
      iteration: 1,
      elapsed: 1_000,
      gateResults: [
        {
          gate: 'tests',
          type: 'command',
          passed: false,
          failures: [{ message: 'adds' }],
          levelResults: [{ level: 'L0', status: 'failed', checks: [] }],
          details: { severity: 'hard', verdict: 'failed', level: 0.5 },
        },
        {
          gate: 'types',
          type: 'command',
          passed: true,
          details: { severity: 'hard', verdict: 'passed', level: 1 },
        },
      ],
      history: [],
      snapshot: { hash: 'tree-1' },
      agentOutput: 'words of 1',
    });
  });

  it('finds its own decisions in the history', async () => {
    const strategy = recorder();
    const adapted = adaptStrategy(strategy);
    for (const iteration of [1, 2, 3]) await adapted.decide(contextAt(iteration));
    expect(strategy.states[2]?.history).toEqual([
      {
        iteration: 1,
        timestamp: '2026-01-01T00:00:00.000Z',
        gateResults: [{ gate: 'tests', passed: false }],
        decision: { continue: true, reason: 'at 1', confidence: 0.5 },
        snapshotHash: 'tree-1',
      },
      expect.objectContaining({
        iteration: 2,
        decision: { continue: true, reason: 'at 2', confidence: 0.5 },
      }),
    ]);
  });

  it('finds them after a restart too, and its own state', async () => {
    const own: unknown[] = [];
    const stateful = () => ({
      ...recorder(),
      snapshot: () => 'mine',
      restore: (state: unknown) => void own.push(state),
    });
    const before = adaptStrategy(stateful());
    await before.decide(contextAt(1));
    const strategy = stateful();
    const after = adaptStrategy(strategy);
    await after.restore?.(JSON.parse(JSON.stringify(await before.snapshot?.())));
    await after.decide(contextAt(2));
    expect(strategy.states[0]?.history[0]?.decision.reason).toBe('at 1');
    expect(own).toEqual(['mine']);
  });

  it('is told nothing that there is not: no tree, no output, no decision of its own', async () => {
    const strategy = recorder();
    await adaptStrategy(strategy).decide(contextAt(2, { tree: '', output: null }));
    expect(Object.keys(strategy.states[0]!)).toEqual(['iteration', 'elapsed', 'gateResults', 'history']);
    expect(strategy.states[0]?.history[0]?.decision).toEqual({ continue: true, reason: 'continue.base' });
  });

  it('is initialised with its config, reset, and asked for its progress', async () => {
    const strategy = recorder();
    const adapted = adaptStrategy(
      { ...strategy, getProgress: ({ iteration }: StateOf000) => iteration / 4 },
      { n: 1 },
    );
    await adapted.initialize?.({ n: 1 });
    await adapted.reset?.();
    expect(strategy.calls).toEqual([{ n: 1 }, 'reset']);
    expect(await adapted.decide(contextAt(1))).toMatchObject({ metadata: { progress: 0.25 } });
  });

  it('remembers no more than a state can hold', async () => {
    const adapted = adaptStrategy({ shouldContinue: () => ({ continue: true, reason: 'on' }) });
    for (let iteration = 1; iteration <= 200; iteration++)
      await adapted.decide(contextAt(iteration, { history: [] }));
    expect(JSON.stringify(await adapted.snapshot?.()).length).toBeLessThan(10_000);
  });
});
