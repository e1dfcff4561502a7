import { describe, expect, it } from 'vitest';
import type { UsageWindow } from './event.ts';
import { failed, green, play, specOf, type Played, type World } from './testing/play.ts';

const ended = ({ state }: Played) =>
  `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
const waits = ({ decisions }: Played) => decisions.flatMap((one) => (one.kind === 'wait' ? [one] : []));

/** Tells its windows after the first iteration, and solves it in the third. */
const told = (...windows: UsageWindow[]): World => ({
  turn: (n) => ({ tree: `t${n}`, ...(n === 1 ? { windows } : {}) }),
  judge: (_, tree) => (tree === 't3' ? green : failed([tree])),
});
const hour = 3_600_000;
const short = (used: number): UsageWindow => ({ name: '5h', used, resetsAtMs: 2 * hour });
const quota = (limits: object = {}) => specOf({ limits: { quota: '80%', ...limits } });

describe('a usage window that is as full as it may get', () => {
  it('is waited for before the next iteration, once, and costs none', () => {
    const played = play(quota({ iterations: 3 }), told(short(0.8)));
    expect(ended(played)).toBe('converged goal.met after 3');
    const [wait, ...more] = waits(played);
    expect(more).toEqual([]);
    expect(wait?.because).toMatchObject({
      code: 'quota',
      reason: expect.stringContaining('80 % of the 5h usage window are used'),
    });
    // The clock stands at a few seconds after midnight; the window opens at two.
    expect(wait!.forMs).toBeGreaterThan(2 * hour - 60_000);
    expect(wait!.forMs).toBeLessThan(2 * hour + 60_000);
  });
  it('waits for the one that opens last', () => {
    const played = play(quota(), told(short(0.9), { name: '7d', used: 0.85, resetsAtMs: 5 * hour }));
    expect(waits(played).map(({ because }) => because.evidence['window'])).toEqual(['7d']);
  });
  it('suspends a run that may not wait so long, and says when to go on', () => {
    const played = play(quota({ maxWait: '1h' }), told(short(0.9)));
    expect(ended(played)).toBe('suspended suspended.quota after 1');
    expect(played.state.ended?.reason).toContain('it opens at 1970-01-01T02:00:00.000Z');
    // Who comes too early calls nobody.
    const early = play(quota({ maxWait: '1h' }), told(short(0.9)), played.events, 'r2');
    expect(ended(early)).toBe('suspended suspended.quota after 1');
  });
  it.each([
    ['less full', quota(), short(0.79)],
    ['open again', quota(), { name: '5h', used: 1, resetsAtMs: 1 }],
    ['nobody set a limit for', specOf(), short(1)],
  ] as const)('is none of our business when it is %s', (_name, spec, window) => {
    const played = play(spec, told(window));
    expect([ended(played), waits(played)]).toEqual(['converged goal.met after 3', []]);
  });
  it('suspends a session that is held at once, however soon it opens', () => {
    const world = told({ name: '5h', used: 0.9, resetsAtMs: hour / 30 });
    let isHeld = false;
    const happens: World['happens'] = () => {
      if (isHeld) return undefined;
      isHeld = true;
      return { kind: 'session.held', host: 'codex', sessionId: 's' };
    };
    const played = play(quota(), { ...world, happens });
    expect([ended(played), waits(played)]).toEqual(['suspended suspended.quota after 1', []]);
    expect(play(quota(), world).decisions.map(({ kind }) => kind)).toContain('wait');
  });
  it('belongs to the agent that told it, and not to the next one of the ladder', () => {
    const spec = specOf({
      agent: { run: ['a'], escalate: [{ run: ['b'] }] },
      limits: { quota: '80%', maxWait: '1h' },
      stuck: { moves: ['escalate'] },
    });
    const stuck: World = {
      turn: (n) => (n === 2 ? { windows: [short(0.9)] } : {}),
      judge: () => failed(['a']),
    };
    expect(play(spec, stuck).state).toMatchObject({ rung: 1, windows: [] });
  });
});
