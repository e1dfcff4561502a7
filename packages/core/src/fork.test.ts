import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { type Event, type EventBody, eventVersion } from './event.ts';
import { fold } from './evolve.ts';
import { replay } from './replay.ts';
import { failed, green, play, specOf, type World } from './testing/play.ts';

const spec = specOf({
  limits: { iterations: 5, tokens: 1_000_000 },
  strategy: { kind: 'fixed', iterations: 5 },
});
const world: World = {
  turn: (iteration) => ({ tree: `t${iteration}`, tokens: 100 * iteration }),
  judge: (_, tree) => (tree >= 't3' ? green : failed(['a'], { passed: Number(tree.slice(1)) || 0 })),
};
const whole = play(spec, world).events;
const end = whole.length;
const at = (kind: EventBody['kind'], iteration: number): number =>
  whole.findIndex((one) => one.kind === kind && 'iteration' in one && one.iteration === iteration) + 1;
const startOf = (iteration: number): number =>
  whole.findIndex(
    (one) =>
      one.kind === 'decided' &&
      one.decision.kind === 'start-iteration' &&
      one.decision.iteration === iteration,
  ) + 1;

/** The state in which a run stands that goes on from event `seq`. */
function forkedAt(seq: number, events = whole) {
  const first: Event = {
    ...(whole[0] as Extract<Event, { kind: 'run.started' }>),
    v: eventVersion,
    seq: 1,
    runId: 'r2',
    parent: { runId: 'r1', seq },
  };
  return fold([...events.slice(0, seq), first]);
}

describe('a run that goes on from the middle of another', () => {
  it('gives an iteration back whose agent had not begun', () => {
    const state = forkedAt(startOf(2));
    expect([state.iteration, state.current, state.tokens]).toEqual([1, null, 100]);
    expect(decide(state)).toMatchObject({ kind: 'start-iteration', iteration: 2 });
  });
  it('drops an iteration whose agent was at work: it is used up, at the price of the dearest', () => {
    const state = forkedAt(at('agent.started', 3));
    expect([state.iteration, state.current, state.tokens, state.unheard]).toEqual([3, null, 500, 1]);
    expect(decide(state)).toMatchObject({ kind: 'start-iteration', iteration: 4 });
  });
  it.each(['agent.ended', 'snapshot.taken', 'gate.judged'] as const)(
    'captures and judges anew what was built when %s was the last word',
    (kind) => {
      const state = forkedAt(at(kind, 2));
      expect(state).toMatchObject({ iteration: 2, tokens: 300 });
      expect(state.current).toMatchObject({ build: { kind: 'finished' }, tree: null });
      expect(decide(state)).toMatchObject({
        kind: 'start-iteration',
        iteration: 2,
        because: { code: 'reopen' },
      });
    },
  );
  it('measures the baseline anew when nothing was built', () => {
    const state = forkedAt(at('gate.judged', 0));
    expect([state.iteration, state.baseTree]).toEqual([0, null]);
    expect(decide(state).kind).toBe('measure-baseline');
  });
  it('takes a move that was made for a decision: the next iteration begins with it', () => {
    const stuck = specOf();
    const idle: World = { turn: () => ({}), judge: () => failed(['a']) };
    const { events } = play(stuck, idle);
    const seq = events.findIndex((one) => one.kind === 'move.made') + 1;
    const forked = play(stuck, idle, events.slice(0, seq), 'r2');
    expect(forked.decisions[0]).toMatchObject({ kind: 'start-iteration', iteration: 3 });
    expect(forked.state.ended?.moves?.map((one) => one.move)).toEqual(['differently', 'fresh']);
  });
  it('begins without the session of the agent, which knows of what came later', () => {
    const seq = at('agent.ended', 1);
    const events = whole.map((one) => (one.kind === 'agent.ended' ? { ...one, sessionId: 's1' } : one));
    expect(fold(events.slice(0, seq)).sessionId).toBe('s1');
    expect(forkedAt(seq, events).sessionId).toBeNull();
  });
  it.each(Array.from({ length: end - 1 }, (_, n) => n + 1))(
    'ends, replays and keeps its counts from event %i on',
    (seq) => {
      const forked = play(spec, world, whole.slice(0, seq), 'r2');
      expect(forked.state.ended).toMatchObject({ status: 'converged', runId: 'r2' });
      expect(forked.state.iteration).toBeLessThanOrEqual(5);
      expect(replay(forked.events)).toMatchObject({ differences: [], endings: 1 });
    },
  );
});
