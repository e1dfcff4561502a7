import { describe, expect, it } from 'vitest';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

const ended = ({ state }: Played) => `${state.ended?.status} ${state.ended?.code}`;
const judge = { kind: 'judge', run: './judge', rubric: 'x', confirm: 'person' };

/** A run whose own tests are green after one turn, beside one gate that answers from outside. */
const playing = (gate: object, verdict: (attempt: number) => Verdict, limits: object = {}): Played => {
  let asked = 0;
  const world: World = {
    turn: (n) => ({ tree: `t${n}` }),
    judge: (name, _tree, n) => {
      if (name === 'tests') return n === 0 ? failed(['a']) : green;
      return n === 0 ? { kind: 'pending', retryAfterMs: 15_000 } : verdict(++asked);
    },
  };
  return play(specOf({ gates: { tests: 'x', outside: gate }, limits }), world);
};

describe('whom a run waits for', () => {
  const pending: Verdict = { kind: 'pending', retryAfterMs: 60_000 };
  it.each<[string, object, string]>([
    ['CI', { kind: 'ci' }, 'suspended awaiting-gate'],
    ['a person, after a judge', judge, 'suspended awaiting-approval'],
  ])('%s', (_name, gate, code) => {
    expect(ended(playing(gate, () => pending, { maxWait: '2m' }))).toBe(code);
  });
  it('CI is waited for without another build, and tells nobody', () => {
    const played = playing({ kind: 'ci' }, (asked) => (asked < 4 ? pending : green));
    expect(ended(played)).toBe('converged goal.met');
    expect(played.state.ended?.iterations).toBe(1);
    expect(played.decisions.filter(({ kind }) => kind === 'wait')).toHaveLength(3);
    expect(played.decisions.filter(({ kind }) => kind === 'notify')).toEqual([]);
  });
});

describe('what a pass that rests on a word leaves as a caveat', () => {
  const caveats = (gate: object, verdict: Verdict) => playing(gate, () => verdict).state.ended?.caveats;
  it('a commit that the spec names, whatever tree the run ended on', () => {
    const ref = 'a'.repeat(40);
    expect(caveats({ kind: 'ci', ref }, green)).toEqual([
      `gate outside judged commit ${ref}, as its ref says, whatever tree this run ended on`,
    ]);
    expect(caveats({ kind: 'ci', ref: 'main' }, green)).toEqual([]);
    expect(caveats({ kind: 'ci' }, green)).toEqual([]);
  });
  it('silence that was agreed to mean yes', () => {
    expect(caveats({ kind: 'approval' }, { kind: 'passed', unanswered: true })).toEqual([
      'gate outside passed because nobody answered in time, and its default is approve',
    ]);
    expect(caveats({ kind: 'approval' }, { kind: 'passed', note: 'approved by ann' })).toEqual([]);
  });
});
