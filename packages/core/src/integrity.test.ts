import { describe, expect, it } from 'vitest';
import type { EventOf } from './event.ts';
import { grantableFiles } from './integrity.ts';
import { failed, green, type Played, play, specOf, type Turn, type World } from './testing/play.ts';
import type { ProtectedChange, Ratchet } from './tampering.ts';

type Checked = Partial<EventOf<'integrity.checked'>>;

const aTest: ProtectedChange = {
  path: 'test/a.test.js',
  status: 'modified',
  what: 'test',
  oid: 'o1',
  diff: '-expect(2)\n+expect(3)',
};
const silenced: Ratchet = {
  id: 'suppression:src/a.ts',
  title: 'one suppression more in src/a.ts',
  file: 'src/a.ts',
  kind: 'suppression',
  before: 0,
  after: 1,
  message: '// @ts-ignore',
};
const typeError = { id: 'type:TS1:src/a.ts', title: 'TS1', file: 'src/a.ts' };
const redTypes = { kind: 'failed' as const, findings: [typeError], excerpt: '' };

/** A run that is red before and green from the first build on, in which the comparison shows this each time. */
function run(mode: string, shows: Checked | undefined, world: Partial<World> = {}, turn: Turn = {}): Played {
  return play(specOf({ integrity: mode, limits: { iterations: 6 } }), {
    turn: (iteration) => ({ tree: `t${iteration}`, ...turn }),
    judge: (_, tree) => (tree === 'base' ? redTypes : green),
    tampers: (_, iteration) => (iteration === 0 ? undefined : (shows ?? {})),
    ...world,
  });
}
const ending = ({ state }: Played) => state.ended!;

describe('guarded', () => {
  it('takes sealed green work for done and says which protected files were changed', () => {
    const { status, code, caveats } = ending(run('guarded', { changed: [aTest] }));
    expect([status, code]).toEqual(['converged', 'goal.met']);
    expect(caveats.join('\n')).toContain('test/a.test.js');
  });

  it('does not take changed protected files where the gates had to judge in place', () => {
    const { status, code } = ending(run('guarded', { changed: [aTest], sealed: false }));
    expect([status, code]).toEqual(['partial', 'integrity.needs-grant']);
  });

  it('blocks a suppression in the file of a known failure: hidden is not fixed', () => {
    const played = run('guarded', { ratchets: [silenced] });
    expect(ending(played)).toMatchObject({ status: 'partial', code: 'integrity.needs-grant' });
    expect(ending(played).iterations).toBe(2);
  });

  it('only tells of a suppression in a file that no failure was known in', () => {
    const { status, caveats } = ending(run('guarded', { ratchets: [{ ...silenced, file: 'src/b.ts' }] }));
    expect(status).toBe('converged');
    expect(caveats).toContain('one suppression more in src/a.ts');
  });

  it('keeps saying that a failure is hidden, when the agent itself made it and then hid it', () => {
    const played = run('guarded', undefined, {
      judge: (_, tree) => (tree === 't1' ? redTypes : tree === 'base' ? failed(['other']) : green),
      tampers: (_, iteration) => (iteration < 2 ? {} : { ratchets: [silenced] }),
    });
    expect(ending(played)).toMatchObject({ status: 'partial', code: 'integrity.needs-grant', iterations: 3 });
  });

  it('never blocks for a smell, a call that ends the process or fewer assertions', () => {
    for (const kind of ['smell', 'exit', 'assertion'] as const)
      expect(ending(run('guarded', { ratchets: [{ ...silenced, kind }] })).status).toBe('converged');
  });
});

describe('a gate that passes only with the agent’s version of its tests', () => {
  const world: Partial<World> = { judge: () => failed(['test:a']), unsealed: () => 'passed' };

  it('is told to the agent once, and then a person must grant it: partial, never a wait in the night', () => {
    const { status, code, reason, iterations } = ending(run('guarded', { changed: [aTest] }, world));
    expect([status, code, iterations]).toEqual(['partial', 'integrity.needs-grant', 2]);
    expect(reason).toContain('test/a.test.js');
  });

  it('makes no move of the ladder, since another way is not what is missing', () => {
    expect(run('guarded', { changed: [aTest] }, world).state.moves).toEqual([]);
  });

  it('ends so, too, when the limit is reached first', () => {
    const spec = specOf({ integrity: 'guarded', limits: { iterations: 1 } });
    const { state } = play(spec, {
      turn: () => ({ tree: 't1' }),
      judge: () => failed(['test:a']),
      tampers: () => ({ changed: [aTest] }),
      unsealed: () => 'passed',
    });
    expect(state.ended).toMatchObject({ status: 'partial', code: 'integrity.needs-grant' });
  });

  it('is red like any other where the agent’s version fails as well', () => {
    const played = run('guarded', { changed: [aTest] }, { ...world, unsealed: () => 'failed' });
    expect(ending(played).status).toBe('diverged');
  });

  it('is judged again without the agent once a person has granted the files', () => {
    const before = run('guarded', { changed: [aTest] }, world);
    let granted = false;
    const after = play(
      before.state.spec!,
      {
        turn: () => {
          throw new Error('no agent is needed');
        },
        judge: () => (granted ? green : failed(['test:a'])),
        tampers: () => ({}),
        happens: (state) => {
          if (granted || state.open?.kind !== 'start-iteration') return undefined;
          granted = true;
          return { kind: 'grant.given', files: [{ path: aTest.path, oid: 'o1' }], by: 'ann' };
        },
      },
      before.events,
      'r2',
    );
    expect(after.state.ended).toMatchObject({ status: 'converged', code: 'goal.met' });
    expect(after.state.grants).toEqual([{ path: aTest.path, oid: 'o1' }]);
  });
});

describe('strict', () => {
  it('judges a second time on the same tree, and without the change, before it converges', () => {
    const played = run('strict', {});
    const kinds = played.decisions.map((one) => (one.kind === 'judge' ? one.because.code : one.kind));
    expect(ending(played).status).toBe('converged');
    expect(kinds.slice(-5)).toEqual(['judge', 'judge.second', 'control', 'confirm', 'end-run']);
  });

  it('says that only visible gates stand behind it, unless one is held out', () => {
    expect(ending(run('strict', {})).caveats.join()).toContain('visible gates only');
    const heldOut = specOf({ integrity: 'strict', gates: { tests: { run: 'x', heldOut: true } } });
    const played = play(heldOut, { turn: () => ({ tree: 't' }), judge: () => green, tampers: () => ({}) });
    expect(ending(played).caveats.join()).not.toContain('visible gates only');
  });

  it('goes on when the second judgement fails', () => {
    let judgements = 0;
    const played = run(
      'strict',
      {},
      {
        judge: (_, tree) => (tree === 'base' || ++judgements === 2 ? redTypes : green),
      },
    );
    expect(ending(played)).toMatchObject({ status: 'converged', iterations: 2 });
  });

  it('does not converge when the gate is green without the change as well', () => {
    const played = run('strict', {}, { controls: () => green });
    expect(ending(played).status).not.toBe('converged');
    expect([...played.state.lastJudged!.failures].join()).toContain('integrity:control:tests');
  });

  it('lets a test be moved: it is the same test where it still runs', () => {
    const moved: ProtectedChange = { ...aTest, status: 'renamed' };
    expect(ending(run('strict', { changed: [moved] })).status).toBe('converged');
  });

  it('asks for a grant for any protected change and for anything that got worse, but no smell', () => {
    for (const shows of [{ changed: [aTest] }, { ratchets: [{ ...silenced, file: 'src/b.ts' }] }])
      expect(ending(run('strict', shows))).toMatchObject({ code: 'integrity.needs-grant' });
    expect(ending(run('strict', { ratchets: [{ ...silenced, kind: 'aware' }] })).status).toBe('partial');
    expect(ending(run('strict', { ratchets: [{ ...silenced, kind: 'smell' }] })).status).toBe('converged');
  });

  it('asks for one for a doubt only in the file of a known failure', () => {
    const doubt = { ...silenced, kind: 'doubt' as const };
    expect(ending(run('strict', { ratchets: [doubt] })).status).toBe('partial');
    expect(ending(run('strict', { ratchets: [{ ...doubt, file: 'src/b.ts' }] })).status).toBe('converged');
    expect(ending(run('guarded', { ratchets: [doubt] }))).toMatchObject({ status: 'converged' });
  });
});

describe('off', () => {
  it('compares nothing and blocks nothing', () => {
    expect(ending(run('off', { changed: [aTest], sealed: false })).status).toBe('converged');
  });
});

describe('flaky findings', () => {
  const flaky = (id: string) => ({
    kind: 'failed' as const,
    findings: [{ id, title: id, flaky: true as const }],
    excerpt: '',
  });

  it('do not block, and are listed, where they were green before', () => {
    const played = run('guarded', {}, { judge: (_, tree) => (tree === 'base' ? redTypes : flaky('other')) });
    expect(ending(played).status).toBe('converged');
    expect(ending(played).caveats).toContain('flaky: other');
  });

  it('are never green for what the run is about', () => {
    const played = run(
      'guarded',
      {},
      { judge: (_, tree) => (tree === 'base' ? redTypes : flaky(typeError.id)) },
    );
    expect(ending(played).status).toBe('diverged');
  });
});

describe('a gate that is known to be flaky', () => {
  const spec = (more: object = {}) =>
    specOf({
      gates: { tests: { run: 'x', flaky: { rerun: 2 } } },
      limits: { iterations: 8 },
      strategy: 'fixed',
      ...more,
    });

  it('must pass seven times in a row before its green is believed', () => {
    let asked = 0;
    const judge: World['judge'] = (_, tree) => {
      if (tree === 'base') return redTypes;
      asked += 1;
      return asked < 7 ? green : redTypes;
    };
    const played = play(spec(), { turn: (n) => ({ tree: `t${n}` }), judge });
    expect(played.decisions.filter((one) => one.because.code === 'judge.confirm')).toHaveLength(6);
    expect(ending(played).status).toBe('diverged');
  });

  it('is believed then, also where something else is flaky in it', () => {
    const shaky = {
      kind: 'failed' as const,
      findings: [{ id: 'f', title: 'f', flaky: true as const }],
      excerpt: '',
    };
    for (const answer of [green, shaky]) {
      const judge: World['judge'] = (_, tree) => (tree === 'base' ? redTypes : answer);
      const played = play(spec(), { turn: (n) => ({ tree: `t${n}` }), judge });
      expect(ending(played)).toMatchObject({ status: 'converged', iterations: 1 });
    }
  });

  it('is asked once where it was green before the run', () => {
    const judge: World['judge'] = () => green;
    const played = play(spec(), { turn: (n) => ({ tree: `t${n}` }), judge });
    expect(played.decisions.some((one) => one.because.code === 'judge.confirm')).toBe(false);
  });

  it('gives no false green at a rate of a fifth, in 300 runs of eight iterations', () => {
    let seed = 1;
    const chance = () => {
      seed = (seed + 0x6d2b79f5) >>> 0;
      let mixed = Math.imul(seed ^ (seed >>> 15), seed | 1);
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
    };
    const outcomes = Array.from({ length: 300 }, () => {
      // Nobody ever mends it; one time in five it passes all the same.
      const judge: World['judge'] = (_, tree) => (tree !== 'base' && chance() < 0.2 ? green : redTypes);
      return ending(play(spec(), { turn: (n) => ({ tree: `t${n}` }), judge })).status;
    });
    expect(outcomes.filter((one) => one === 'converged')).toEqual([]);
  });
});

describe('a file that its gate no longer looks at', () => {
  const unchecked = [{ was: 'src/a.ts', path: 'old/a.ts', oid: 'o1' }];
  const left: Partial<World> = { beside: (_, tree) => (tree === 'base' ? {} : { unchecked }) };
  const sentence = 'gate tests no longer looks at src/a.ts since it became old/a.ts';

  it('hides the failure that was known in it: nobody has fixed that', () => {
    const played = run('guarded', {}, left);
    expect(ending(played)).toMatchObject({ status: 'partial', code: 'integrity.needs-grant' });
    expect(played.state.lastJudged?.trust.blocking.map((one) => one.title)).toEqual([sentence]);
  });

  it('is only told of where no failure was known in it', () => {
    const other = { ...redTypes, findings: [{ ...typeError, file: 'src/b.ts' }] };
    const judge: World['judge'] = (_, tree) => (tree === 'base' ? other : green);
    const { status, caveats } = ending(run('guarded', {}, { ...left, judge }));
    expect(status).toBe('converged');
    expect(caveats).toContain(sentence);
  });

  it('is never taken in strict mode', () => {
    const judge: World['judge'] = (_, tree) => (tree === 'base' ? failed(['other']) : green);
    expect(ending(run('strict', {}, { ...left, judge })).code).toBe('integrity.needs-grant');
  });

  it('may be as it is once a person has granted it', () => {
    let given = false;
    const happens: World['happens'] = (state) => {
      if (given || state.iteration === 0) return undefined;
      given = true;
      return { kind: 'grant.given', files: [{ path: 'old/a.ts', oid: 'o1' }], by: 'ann' };
    };
    expect(ending(run('guarded', {}, { ...left, happens })).status).toBe('converged');
  });

  it('stands beside changed files and what got worse in what a grant can be given for', () => {
    const worse = { ...silenced, oid: 'o2' };
    const smell: Ratchet = { ...silenced, kind: 'smell', file: 'src/c.ts', oid: 'o3' };
    const shows = { changed: [aTest], ratchets: [worse, smell, silenced] };
    const { state } = run('guarded', shows, left);
    expect(grantableFiles(state.lastClosed!)).toEqual([
      { path: 'test/a.test.js', oid: 'o1' },
      { path: 'src/a.ts', oid: 'o2' },
      { path: 'old/a.ts', oid: 'o1' },
    ]);
  });
});
