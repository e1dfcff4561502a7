import { describe, expect, it } from 'vitest';
import { makeEnding } from './ending.ts';
import { type Event, eventVersion } from './event.ts';
import { fold } from './evolve.ts';
import { replay } from './replay.ts';
import { sameJson } from './same-json.ts';
import { suspendedByRedirect } from './suspended.ts';
import { failed, play, specOf } from './testing/play.ts';

const spec = specOf({ limits: { iterations: 2 }, strategy: 'fixed' });
const whole = play(spec, {
  turn: (iteration) => ({ tree: `t${iteration}` }),
  judge: (_, tree) => failed([tree]),
}).events;
const edit = (change: (event: Event) => Event): Event[] => structuredClone(whole).map(change);

describe('a history lived through once more', () => {
  it('leads to the same decisions and the same ending', () => {
    const told = replay(whole);
    expect(told).toMatchObject({ differences: [], endings: 1 });
    expect(told.decisions).toBe(whole.filter((one) => one.kind === 'decided').length);
  });
  it('names the decision that does not follow, with the version that recorded it', () => {
    const events = edit((one) =>
      one.kind === 'decided' && one.decision.kind === 'start-iteration' && one.decision.iteration === 2
        ? { ...one, decision: { ...one.decision, because: { ...one.decision.because, reason: 'a whim' } } }
        : one,
    );
    expect(replay(events).differences).toMatchObject([
      { runId: 'r1', what: 'decision', recorded: 'start-iteration (continue.fixed)', version: 'test' },
    ]);
  });
  it('names an ending that says more than was decided', () => {
    const events = edit((one) => (one.kind === 'run.ended' ? { ...one, status: 'converged' } : one));
    expect(replay(events).differences).toMatchObject([
      { what: 'ending', recorded: 'converged (limit.iterations)', recomputed: 'diverged (limit.iterations)' },
    ]);
  });
  it('names an ending that nobody decided, and a decision that nothing leads to', () => {
    const end = whole.at(-1)!;
    expect(replay([whole[0]!, end]).differences[0]?.recomputed).toMatch(/nothing was decided that ends/);
    const decided = whole.findLast((one) => one.kind === 'decided')!;
    expect(replay([decided]).differences[0]?.recomputed).toMatch(/^nothing \(/);
  });
  it('takes the version of whoever goes on with a run', () => {
    const resumed: Event = { kind: 'run.resumed', pid: 1, lostMs: 0, version: 'later', v: 1, seq: 2, at: '' };
    const events = [
      whole[0]!,
      resumed,
      ...edit((one) => (one.kind === 'run.ended' ? { ...one, code: 'x' } : one)).slice(1),
    ];
    expect(replay(events).differences.map((one) => one.version)).toEqual(['later']);
  });
  it('believes a person who gave new words while nobody drove the run', () => {
    const part = whole.slice(0, 4);
    const rest = (seq: number) => ({ v: eventVersion, seq, at: '' });
    const redirected: Event = { kind: 'redirect.requested', by: 'command', text: 'x', ...rest(5) };
    const decided: Event = { kind: 'decided', decision: suspendedByRedirect as never, ...rest(6) };
    const end: Event = { ...makeEnding(fold(part), suspendedByRedirect as never), ...rest(7) };
    expect(replay([...part, redirected, decided, end])).toMatchObject({ differences: [], endings: 1 });
    expect(replay([...part, decided, end]).differences).toHaveLength(1);
  });
  it('compares what was written down after it was cleaned', () => {
    const events = edit((one) => (one.kind === 'run.ended' ? { ...one, reason: 'hidden' } : one));
    const clean = <T>(value: T): T =>
      ((value as { kind: string }).kind === 'run.ended' ? { ...value, reason: 'hidden' } : value) as T;
    expect([replay(events).differences.length, replay(events, { clean }).differences.length]).toEqual([1, 0]);
  });
});

it('compares values as JSON writes them, in whatever order', () => {
  expect(sameJson({ a: 1, b: undefined, c: [{ d: 1, e: 2 }] }, { c: [{ e: 2, d: 1 }], a: 1 })).toBe(true);
  expect([sameJson([1, 2], [2, 1]), sameJson({ a: 1 }, { a: '1' }), sameJson(undefined, 'x')]).toEqual([
    false,
    false,
    false,
  ]);
});
