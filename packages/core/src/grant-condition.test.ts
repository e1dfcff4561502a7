import { describe, expect, it } from 'vitest';
import type { EventOf } from './event.ts';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';
import type { ProtectedChange, Ratchet } from './tampering.ts';

const change = (path: string): ProtectedChange => ({
  path,
  status: 'modified',
  what: 'test',
  oid: 'o',
  diff: '',
});
const silenced = (file: string): Ratchet => ({
  id: `suppression:${file}`,
  title: `one suppression more in ${file}`,
  file,
  kind: 'suppression',
  before: 0,
  after: 1,
  message: '',
});
const files = (n: number) => Array.from({ length: n }, (_, at) => `src/${at}.ts`);

/** Red in every file before; what the comparison shows from the first build on. */
const run = (shows: Partial<EventOf<'integrity.checked'>>, world: Partial<World> = {}): Played =>
  play(specOf({ integrity: 'guarded' }), {
    turn: (n) => ({ tree: `t${n}` }),
    judge: (_, __, n) =>
      n > 0
        ? green
        : {
            kind: 'failed',
            findings: files(60).map((file) => ({ id: file, title: file, file })),
            excerpt: '',
          },
    tampers: (_, n) => (n === 0 ? undefined : shows),
    ...world,
  });
const because = ({ decisions }: Played) => decisions.at(-1)!.because;

describe('what a person must grant', () => {
  it('is the changed files, by name', () => {
    const played = run({ changed: ['test/a.js', 'test/b.js'].map(change), sealed: false });
    expect(because(played)).toMatchObject({
      code: 'integrity.needs-grant',
      reason: 'the gates pass, and changes need a grant: test/a.js, test/b.js',
      confidence: 1,
      evidence: { files: ['test/a.js', 'test/b.js'], tree: 't2' },
    });
  });
  it('is what got worse, in its own words, where no such file was changed', () => {
    const played = run({ ratchets: files(2).map(silenced) });
    expect(because(played)).toMatchObject({
      reason:
        'the gates pass, and changes need a grant: one suppression more in src/0.ts; one suppression more in src/1.ts',
      evidence: { files: ['one suppression more in src/0.ts', 'one suppression more in src/1.ts'] },
    });
  });
  it('is both, where both are there', () => {
    const shows = { changed: [change('test/a.js')], ratchets: [silenced('src/0.ts')], sealed: false };
    expect(because(run(shows))).toMatchObject({
      reason: 'the gates pass, and changes need a grant: test/a.js; one suppression more in src/0.ts',
      evidence: { files: ['test/a.js', 'one suppression more in src/0.ts'] },
    });
  });
  it('is no test that was only moved', () => {
    const moved = { ...change('test/a.js'), status: 'renamed' as const };
    const { evidence } = because(run({ changed: [moved], ratchets: [silenced('src/0.ts')] }));
    expect(evidence['files']).toEqual(['one suppression more in src/0.ts']);
  });
  it('is told in five names, and kept in at most fifty', () => {
    const { reason, evidence } = because(run({ ratchets: files(60).map(silenced) }));
    expect(reason).toMatch(/^[^;]*(?:; one suppression more in src\/\d\.ts){4}$/);
    expect(evidence['files']).toHaveLength(50);
    const changed = because(run({ changed: files(60).map(change), sealed: false }));
    expect(changed.reason).toMatch(/src\/4\.ts and 55 more$/);
    expect(changed.evidence['files']).toHaveLength(50);
  });
});

it('the agent is told once before a person is asked, and once more when a person goes on', () => {
  const shows = { changed: [change('test/a.js')] };
  const world: Partial<World> = { judge: () => failed(['a']), unsealed: () => 'passed' };
  const first = run(shows, world);
  expect(first.state.ended).toMatchObject({ code: 'integrity.needs-grant', iterations: 2 });
  const second = play(
    first.state.spec!,
    {
      turn: (n) => ({ tree: `t${n}` }),
      judge: () => failed(['a']),
      tampers: () => shows,
      unsealed: () => 'passed',
    },
    first.events,
    'r2',
  );
  expect(second.state.ended).toMatchObject({ code: 'integrity.needs-grant', iterations: 4 });
});
