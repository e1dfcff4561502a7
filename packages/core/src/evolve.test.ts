import { describe, expect, it } from 'vitest';
import { caveatsOf } from './caveats.ts';
import { decide } from './decide.ts';
import type { EventBody } from './event.ts';
import { evolve, fold } from './evolve.ts';
import { newCurrent } from './current.ts';
import type { RunState } from './state.ts';
import { failed, green, play, specOf } from './testing/play.ts';

/** The state after these facts, which follow an ordinary first iteration that told what it used. */
function after(...bodies: object[]): RunState {
  return bodies.reduce<RunState>((state, body) => next(state, body), begun());
}

const next = (state: RunState, body: object): RunState =>
  evolve(state, { v: 1, seq: state.seq + 1, at: '2026-01-01T00:00:00Z', ...(body as EventBody) });

function begun(limits: object = { iterations: 9, cost: '5usd', tokens: 10_000 }): RunState {
  const { events } = play(specOf({ limits }), {
    turn: () => ({ tree: 't1', tokens: 500, costUsd: 0.2 }),
    judge: () => failed(['a']),
    stops: (iteration) => iteration === 1,
  });
  const at = events.findIndex((one) => one.kind === 'agent.ended');
  return fold(events.slice(0, at + 2));
}

const ended = (more: object = {}) => ({
  kind: 'agent.ended',
  iteration: 2,
  end: { kind: 'finished' },
  tookMs: 1,
  output: null,
  outputBytes: 0,
  similar: [],
  ...more,
});
const cut = (more: object = {}) => ended({ end: { kind: 'interrupted' }, ...more });

describe('what agents used', () => {
  it('the dearest is remembered, of tokens and money each by itself', () => {
    const state = after(ended({ tokens: 900, costUsd: 0.1 }));
    expect(state.dearest).toEqual({ tokens: 900, costUsd: 0.2 });
  });
  it('an assumption is counted, and never becomes the dearest', () => {
    const state = after(cut({ tokens: 9_000, costUsd: 3, estimated: true }));
    expect([state.tokens, state.costUsd]).toEqual([9_500, 3.2]);
    expect([state.dearest, state.unheard]).toEqual([{ tokens: 500, costUsd: 0.2 }, 1]);
  });
  it('who was cut off before anybody told is counted with the first that tells', () => {
    const { events } = play(specOf({ limits: { iterations: 9 } }), {
      turn: () => ({ tree: 't1' }),
      judge: () => failed(['a']),
      stops: (iteration) => iteration === 1,
    });
    const silent = fold(
      events.slice(
        0,
        events.findIndex((one) => one.kind === 'agent.started'),
      ),
    );
    const one = next(silent, cut());
    expect([one.tokens, one.unpriced]).toEqual([null, { tokens: 1, costUsd: 1 }]);
    const two = next(one, ended({ tokens: 300, costUsd: 0.5 }));
    expect([two.tokens, two.costUsd, two.unpriced]).toEqual([600, 1, { tokens: 0, costUsd: 0 }]);
    expect(next(two, ended({ tokens: 10, costUsd: 0.1 })).tokens).toBe(610);
  });
  it('who was stopped at work and told nothing was cut off, too; who never began was not', () => {
    const end = { kind: 'aborted', by: 'stop' };
    expect(after(ended({ end, tookMs: 900 })).unheard).toBe(1);
    expect(after(ended({ end, tookMs: 0 })).unheard).toBe(0);
    expect(after(ended({ end, tookMs: 900, tokens: 1, costUsd: 1 })).unheard).toBe(0);
  });
  it('nobody who told is no nought', () => {
    const { events } = play(specOf({ limits: { iterations: 1 } }), {
      turn: () => ({ tree: 't1' }),
      judge: () => failed(['a']),
    });
    expect(fold(events).dearest).toEqual({ tokens: null, costUsd: null });
  });

  const caveat = (state: RunState) =>
    caveatsOf(state, null, 'diverged').filter((one) => one.includes('cut off before telling'));
  it('the outcome says what was assumed where a limit depends upon it', () => {
    expect(caveat(after())).toEqual([]);
    expect(caveat(after(cut({ tokens: 500, costUsd: 0.2, estimated: true })))).toEqual([
      'one agent was cut off before telling what it used; as much as the dearest one that told was counted for it',
    ]);
    expect(caveat(after(cut(), cut()))[0]).toMatch(
      /^2 agents were cut off before telling what they used; as much/,
    );
    const silent = { ...after(cut()), dearest: { tokens: null, costUsd: null } };
    expect(caveat(silent)).toEqual([
      'one agent was cut off before telling what it used; nothing was counted for it',
    ]);
    expect(caveat(next(begun({ iterations: 9 }), cut()))).toEqual([]);
  });
});

describe('a request of another process', () => {
  it.each([
    { kind: 'stop.requested', by: 'command', letter: 'x' },
    { kind: 'redirect.requested', by: 'command', text: 'a', letter: 'x' },
    { kind: 'approval.given', gate: 'g', tree: 't', by: 'me', approved: true, letter: 'x' },
    { kind: 'grant.given', files: [], by: 'me', letter: 'x' },
  ])('$kind is known by its letter', (body) => expect([...after(body).letters]).toEqual(['x']));
  it('without a letter leaves none', () => {
    expect(after({ kind: 'stop.requested', by: 'SIGINT' }).letters.size).toBe(0);
  });
});

describe('a disk that is full', () => {
  const full = { code: 'state.full', message: 'no space left', retry: 'never' };
  const raised = (code = 'state.full') => ({
    kind: 'fault.raised',
    phase: 'build',
    iteration: 2,
    fault: { ...full, code },
  });
  const because = { code: 'x', reason: '', confidence: 1, evidence: {}, action: 'continue', also: [] };
  const second = { kind: 'decided', decision: { kind: 'start-iteration', iteration: 2, because } };

  it('before the agent has worked gives the number of the iteration back', () => {
    const state = after(second, raised());
    expect([state.iteration, state.current]).toEqual([1, null]);
    expect(decide(state)).toMatchObject({ kind: 'end-run', status: 'suspended' });
  });
  it('after it has worked keeps the iteration', () => {
    const state = after(second, ended(), raised());
    expect([state.iteration, state.current?.build]).toEqual([2, { kind: 'finished' }]);
  });
  it('any other fault keeps it, too', () => {
    expect(after(second, raised('agent.program-missing')).iteration).toBe(2);
  });
  it('while the baseline is measured takes nothing away', () => {
    const { events } = play(specOf(), { turn: () => ({}), judge: () => green, stops: () => true });
    const baseline = { kind: 'decided', decision: { kind: 'measure-baseline', because } };
    const state = next(next(fold(events.slice(0, 1)), baseline), raised());
    expect([state.iteration, state.current?.iteration]).toEqual([0, 0]);
  });
  it('while the gates judge keeps it', () => expect(after(raised()).iteration).toBe(1));
});

describe('the baseline', () => {
  const judged = (verdict: object) => ({
    kind: 'gate.judged',
    iteration: 0,
    attempt: 1,
    gate: 'tests',
    tree: 'base',
    tookMs: 1,
    output: null,
    verdict,
  });
  const confirmed = (moved: string[], fresh: string[] = []) => ({
    kind: 'tree.confirmed',
    iteration: 0,
    attempt: 1,
    tree: 'base',
    after: moved.length > 0 ? 'moved' : 'base',
    work: 'w',
    substance: 's',
    moved,
    fresh,
  });
  const because = { code: 'baseline', reason: '', confidence: 1, evidence: {}, action: 'continue', also: [] };
  const measuring = (): RunState => {
    const { events } = play(specOf(), { turn: () => ({}), judge: () => green, stops: () => true });
    const state = fold(events.slice(0, 1));
    return [
      { kind: 'decided', decision: { kind: 'measure-baseline', because } },
      judged(failed(['a'])),
    ].reduce<RunState>((one, body) => next(one, body), state);
  };

  it('that a stop cut short is under way again once somebody measures on, so that its time counts', () => {
    const cut = next(
      next(measuring(), judged({ kind: 'skipped', why: 'the run was stopped' })),
      confirmed([]),
    );
    const resumed = next(cut, { kind: 'run.resumed', pid: 1, lostMs: 0 });
    const again = next(resumed, { kind: 'decided', decision: { kind: 'measure-baseline', because } });
    expect(again.open).toMatchObject({ kind: 'measure-baseline' });
  });
  it('is measured again when a file of the user moved meanwhile', () => {
    const state = next(measuring(), confirmed(['src/a.ts']));
    expect(state.current).toMatchObject({ attempt: 2, confirmed: null, tree: 'moved' });
    expect([state.baseTree, state.current?.verdicts.size, state.baseline.size]).toEqual(['moved', 0, 0]);
    expect(decide(state)).toMatchObject({ kind: 'measure-baseline' });
  });
  const measuredOn = (...moved: string[]): RunState =>
    moved.reduce<RunState>(
      (state, path) => next(next(state, judged(failed(['a']))), confirmed([path])),
      measuring(),
    );
  it('stands when the same file moves again: the gates write it themselves', () => {
    const again = measuredOn('src/a1.ts', 'src/a1.ts');
    expect([again.open, again.baseline.size]).toEqual([null, 1]);
    expect(again.current?.confirmed).not.toBeNull();
  });
  it('is measured again for each other file that moved, also of a similar name, and five times at most', () => {
    const four = measuredOn('src/a1.ts', 'src/a2.ts', 'src/a3.ts', 'src/a4.ts');
    expect([four.open?.kind, four.baseline.size]).toEqual(['measure-baseline', 0]);
    const five = next(next(four, judged(failed(['a']))), confirmed(['src/a5.ts']));
    expect([five.open, five.baseline.size]).toEqual([null, 1]);
  });
  it('stands when only new files appeared, or nothing moved', () => {
    for (const fact of [confirmed(['report.xml'], ['report.xml']), confirmed([])]) {
      const state = next(measuring(), fact);
      expect([state.open, state.baseline.size]).toEqual([null, 1]);
    }
    expect(newCurrent(0).attempt).toBe(1);
  });
});
