import { describe, expect, it } from 'vitest';
import type { BuildEnd } from './event.ts';
import { failed, green, play, specOf, type Played, type World } from './testing/play.ts';

const ended = ({ state }: Played) =>
  `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
const waits = ({ decisions }: Played) =>
  decisions.flatMap((one) => (one.kind === 'wait' ? [`${one.because.code} ${one.forMs / 1000}`] : []));

/** Is not available for the first starts, then solves it at its second iteration. */
function sometimesAway(times: number, end: Omit<Extract<BuildEnd, { kind: 'unavailable' }>, 'kind'>): World {
  let left = times;
  return {
    turn: (n) => {
      if (n === 1 || left <= 0) return { tree: `t${n}` };
      left -= 1;
      return { end: { kind: 'unavailable', ...end } };
    },
    judge: (_, tree) => (tree === 't2' ? green : failed(['a'])),
  };
}

describe('an agent that cannot work just now', () => {
  const limit = { why: 'usage-limit', detail: 'usage limit reached' } as const;
  it('uses no iteration: it is waited for and started again under the same number', () => {
    const played = play(specOf({ limits: { iterations: 2 } }), sometimesAway(3, limit));
    expect(ended(played)).toBe('converged goal.met after 2');
    expect(waits(played)).toEqual(['away 30', 'away 60', 'away 120']);
  });
  it('is waited for as long as it says itself', () => {
    const played = play(specOf(), sometimesAway(1, { ...limit, retryAfterMs: 7_200_000 }));
    expect(waits(played)).toEqual(['away 7200']);
    expect(ended(played)).toBe('converged goal.met after 2');
  });
  it('suspends the run after the longest wait, with what is used still exact', () => {
    const played = play(specOf({ limits: { maxWait: '1h' } }), sometimesAway(99, limit));
    expect(ended(played)).toBe('suspended suspended.agent-unavailable after 1');
    const going = play(specOf({ limits: { maxWait: '1h' } }), sometimesAway(0, limit), played.events, 'r2');
    expect(ended(going)).toBe('converged goal.met after 2');
  });
  it('waits an hour at most for a fault around the agent', () => {
    const fault = { why: 'environment', detail: 'ENOTFOUND' } as const;
    const played = play(specOf(), sometimesAway(99, fault));
    expect(ended(played)).toBe('suspended suspended.agent-unavailable after 1');
    expect(played.state.waitedMs).toBeLessThanOrEqual(3_600_000);
  });
  it('may still be stopped, and its tokens count', () => {
    const world = sometimesAway(99, limit);
    const stopped = play(specOf(), { ...world, stops: (_, state) => state.away?.times === 2 });
    expect(ended(stopped)).toBe('stopped user.stop after 1');
    const spent = play(specOf({ limits: { tokens: 100 } }), {
      ...world,
      turn: (n) => ({ ...world.turn(n), tokens: 60 }),
    });
    expect(ended(spent)).toBe('diverged limit.tokens after 1');
  });
});

it('an agent that was there once has touched the tree: its baseline stays the baseline', () => {
  const gates = { done: 'x', lint: { run: 'y', baseline: 'no-new' } };
  const spec = specOf({ gates, limits: { maxWait: '1m' } });
  const away: World = {
    turn: () => ({ end: { kind: 'unavailable', why: 'usage-limit', detail: 'x' } }),
    judge: (gate) => (gate === 'lint' ? green : failed(['d'])),
  };
  const first = play(spec, away);
  expect(ended(first)).toBe('suspended suspended.agent-unavailable after 0');
  // Meanwhile the agent's first start has left three complaints behind.
  const second = play(
    spec,
    {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate) => (gate === 'lint' ? failed(['a', 'b', 'c']) : green),
    },
    first.events,
    'r2',
  );
  expect(second.state.ended?.status).not.toBe('converged');
});
