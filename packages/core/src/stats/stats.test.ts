import { describe, expect, it } from 'vitest';
import type { Event } from '../event.ts';
import { failed, green, play, specOf, type World } from '../testing/play.ts';
import { type RunFacts, runFacts } from './run-facts.ts';
import { makeStats } from './stats.ts';

const world = (solvedAt: number): World => ({
  turn: (n) => ({ tree: `t${n}`, tokens: 100, costUsd: 0.5 }),
  judge: (_gate, _tree, n) => (n < solvedAt ? failed(['a', 'b']) : green),
});
const spec = (more: Record<string, unknown> = {}) =>
  specOf({ strategy: { kind: 'fixed', iterations: 2 }, stuck: 'off', ...more });
const facts = (events: readonly Event[]): RunFacts => runFacts(events)!;
const first = play(spec(), world(3));
const second = play(spec(), world(3), first.events, 'r2', { iterations: 2 });

describe('the facts of a run', () => {
  it('are its ending and what it used', () => {
    expect(facts(first.events)).toMatchObject({
      runId: 'r1',
      work: 'r1',
      project: '/w',
      agent: 'true',
      strategy: 'fixed',
      status: 'diverged',
      code: 'limit.iterations',
      iterations: 2,
      tokens: 200,
      costUsd: 1,
    });
  });
  it('leave out what the run that it goes on from used', () => {
    expect(facts(second.events)).toMatchObject({
      runId: 'r2',
      work: 'r1',
      iterations: 1,
      tokens: 100,
      costUsd: 0.5,
    });
  });
  it('are none of a run that never started', () => {
    expect(runFacts([])).toBeNull();
  });
  it('tell of a run that is open', () => {
    expect(facts(first.events.slice(0, -1))).toMatchObject({ status: null, code: null });
  });
  it('tell agents with other models apart', () => {
    const { events } = play(spec({ agent: { kind: 'claude', model: 'large' } }), world(1));
    expect(facts(events).agent).toBe('claude large');
  });
});

describe('stats', () => {
  const stats = makeStats([
    facts(first.events),
    facts(second.events),
    { ...facts(first.events), runId: 'r9', work: 'r9' },
  ]);

  it('count runs that go on from one another as one piece of work, and money once', () => {
    expect(stats.all).toMatchObject({
      runs: 3,
      works: 2,
      solved: 1,
      iterations: 5,
      tokens: 500,
      costUsd: 2.5,
      costPerSolveUsd: 2.5,
    });
  });
  it('tell why runs ended, the most frequent first', () => {
    expect(Object.entries(stats.byEnding).map(([code, { runs }]) => [code, runs])).toEqual([
      ['limit.iterations', 2],
      ['goal.met', 1],
    ]);
  });
  it('say nothing of money that nobody told', () => {
    const { all } = makeStats([{ ...facts(first.events), costUsd: null }]);
    expect([all.costUsd, all.costPerSolveUsd, all.tokens]).toEqual([null, null, 200]);
    expect(makeStats([]).all).toMatchObject({ runs: 0, activeMs: 0, costUsd: null });
  });
});
