import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import type { Event, EventOf } from './event.ts';
import { fold } from './evolve.ts';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';
import type { ProtectedChange, Ratchet, Rung } from './tampering.ts';
import type { Verdict } from './verdict.ts';

/** Red before, green from the first build on. */
const ordinary: World = {
  turn: (n) => ({ tree: `t${n}` }),
  judge: (_, __, n) => (n === 0 ? failed(['a']) : green),
};
const by = (verdicts: Record<string, Verdict>): World['judge'] => {
  return (gate, _, n) => (n === 0 ? failed(['a']) : (verdicts[gate] ?? green));
};

/** The caveats of the same history with other facts in it. */
function caveatsWith(played: Played, change: (event: Event) => Event): readonly string[] {
  const decision = decide(fold(played.events.slice(0, -2).map(change)));
  return decision.kind === 'end-run' ? decision.caveats : [decision.kind];
}

describe('what was changed around the gates', () => {
  type Checked = Partial<EventOf<'integrity.checked'>>;
  const guarded = (shows: Checked, world: Partial<World> = {}, fields: Record<string, unknown> = {}) =>
    play(specOf({ integrity: 'guarded', ...fields }), {
      ...ordinary,
      tampers: (_, n) => (n === 0 ? undefined : shows),
      ...world,
    });
  const caveats = (...of: Parameters<typeof guarded>) => guarded(...of).state.ended?.caveats;
  const change = (path: string): ProtectedChange => ({
    path,
    status: 'modified',
    what: 'test',
    oid: 'o',
    diff: '',
  });
  const ratchet = (kind: Ratchet['kind'], title: string): Ratchet => ({
    id: title,
    title,
    file: 'src/b.ts',
    kind,
    before: 0,
    after: 1,
    message: '',
  });

  it('is nothing where nothing was', () => expect(caveats({})).toEqual([]));
  it('names protected files, up to five', () => {
    const said = 'judged in the form from before the run, though changed:';
    expect(caveats({ changed: ['a', 'b'].map(change) })).toEqual([`${said} a, b`]);
    expect(caveats({ changed: [...'abcdef'].map(change) })).toEqual([`${said} a, b, c, d, e and 1 more`]);
  });
  it('says of a moved file that it was moved', () => {
    const moved = { ...change('a'), status: 'renamed' as const };
    expect(caveats({ changed: [moved] })).toEqual(['moved: a']);
  });
  it('names what got worse, kind by kind, up to three of each', () => {
    const smells = ['s1', 's2', 's3', 's4', 's5'].map((title) => ratchet('smell', title));
    expect(caveats({ ratchets: [...smells, ratchet('exit', 'e1')] })).toEqual([
      's1; s2; s3; and 2 more',
      'e1',
    ]);
    expect(caveats({ ratchets: smells.slice(0, 3) })).toEqual(['s1; s2; s3']);
  });
  it.each([
    [80, 79.9, ['coverage of gate tests fell from 80.0 % to 79.9 %']],
    [91.25, 40, ['coverage of gate tests fell from 91.3 % to 40.0 %']],
    [80, 79.95, []],
    [80, 85, []],
    [undefined, 10, []],
    [80, undefined, []],
  ])('tells that coverage went from %s to %s', (before, now, told) => {
    const beside: World['beside'] = (_, tree) => {
      const coverage = tree === 'base' ? before : now;
      return coverage === undefined ? {} : { coverage };
    };
    expect(caveats({}, { beside })).toEqual(told);
  });
  it('names dependencies, up to five', () => {
    expect(caveats({ dependencies: ['left-pad', 'right-pad'] })).toEqual([
      'dependencies changed: left-pad, right-pad',
    ]);
    expect(caveats({ dependencies: [...'abcdef'] })).toEqual(['dependencies changed: a, b, c, d, e']);
  });
  it('names flaky findings, up to five, and no others', () => {
    const findings = [...'bcdefg'].map((id) => ({ id, title: id, flaky: true as const }));
    const gates = { tests: { run: 'x', baseline: 'no-new' }, lint: 'y' };
    const old = { id: 'a', title: 'a' };
    const said = caveats(
      {},
      { judge: by({ tests: { kind: 'failed', findings: [old, ...findings], excerpt: '' } }) },
      { gates },
    );
    expect(said).toContain('flaky: b; c; d; e; f');
  });

  const places: Record<Exclude<Rung, 'sealed'>, string> = {
    home: 'with the whole home folder in sight',
    ignored: 'with the ignored files of the workspace',
    network: 'with the network',
    'in-place': 'in the workspace itself, not in a room of its own',
  };
  it.each(Object.entries(places))('says that a gate was judged less sealed: %s', (rung, words) => {
    const said = caveatsWith(guarded({}, {}, { gates: { tests: 'x', lint: 'y' } }), (event) =>
      event.kind === 'gate.judged' && event.gate === 'lint' ? { ...event, rung: rung as Rung } : event,
    );
    expect(said).toEqual([`gate lint was judged ${words}`]);
  });
  it('says nothing where the place is not known', () => {
    const said = caveatsWith(guarded({}), (event) => {
      if (event.kind !== 'gate.judged') return event;
      const { rung: _, ...rest } = event;
      return rest;
    });
    expect(said).toEqual([]);
  });
  it('says of strict runs that no gate is held out, unless one of them is', () => {
    const strict = (gates: Record<string, unknown>) => caveats({}, {}, { gates, integrity: 'strict' });
    const said = 'visible gates only: no gate is held out, so work that knows the gates could fit them alone';
    expect(strict({ tests: 'x' })).toEqual([said]);
    expect(strict({ tests: 'x', hidden: { run: 'y', heldOut: true } })).toEqual([]);
    expect(caveats({})).not.toContain(said);
  });
  it('is left out where nobody asked for it', () => {
    expect(caveats({ dependencies: ['left-pad'] }, {}, { integrity: 'off' })).toEqual([]);
  });
  it('is left out of a run that gives up', () => {
    const shows = { dependencies: ['left-pad'] };
    expect(caveats(shows, { judge: () => failed(['a']) }, { limits: { iterations: 1 } })).toEqual([]);
  });
});
