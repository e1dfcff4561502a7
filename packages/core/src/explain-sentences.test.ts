import { describe, expect, it } from 'vitest';
import { explainRun } from './explain.ts';
import type { Event } from './event.ts';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';

const tests = (n: number) => Array.from({ length: n }, (_, at) => `t${at}`);
const moving: World = { turn: (n) => ({ tree: `t${n}` }), judge: () => failed(['a', 'b']) };
const sentences = ({ events }: Pick<Played, 'events'>, iteration: number) =>
  explainRun(events).findLast((one) => one.iteration === iteration)?.sentences;
const oneFile = 'It changed 1 file (a.js).';
const anyStop = 'It would have stopped at a limit, or when something said that the run gets nowhere.';

describe('an iteration in its sentences', () => {
  it('that a detector ended, with what the detector saw', () => {
    const played = play(specOf({ stuck: 'off' }), { ...moving, turn: () => ({}) });
    expect(sentences(played, 2)).toEqual([
      'Iteration 2 was the last: the run ended diverged, because the agent changed nothing in iterations 1 to 2 (no-progress.no-changes, confidence 0.95).',
      oneFile,
      'Gate tests failed with 2 findings; the score is 0.00, 0.00 above the best before.',
      'Evidence: window 2; iterations 1, 2.',
    ]);
  });

  it('that fixed one finding and brought others, and one that only got worse', () => {
    const left = [['a'], ['b', 'c', 'd', 'e'], ['b', 'c', 'd', 'e', 'f']];
    const passed = [5, 6, 4];
    const played = play(specOf({ limits: { iterations: 2 } }), {
      ...moving,
      judge: (_, __, n) => failed(left[n]!, { passed: passed[n]! }),
    });
    expect(sentences(played, 0)).toEqual([
      'Before the agent began, tests was red with 1 finding; no tokens were spent to learn that.',
    ]);
    expect(sentences(played, 1)).toEqual([
      'Iteration 1 went on, because hybrid had base iterations left: base 1 of 3, 1 fixed (continue.base).',
      oneFile,
      'Gate tests failed with 4 findings, 1 finding was fixed, 4 are new (tests: b; tests: c; tests: d; …); the score is 0.60, 0.23 below the best before.',
      'It would have stopped at a limit; after the base, or on a detector, it would have changed something first where the ladder allows it, and ended otherwise.',
    ]);
    expect(sentences(played, 2)).toEqual([
      'Iteration 2 was the last: the run ended diverged, because 2 of 2 iterations are used (limit.iterations).',
      oneFile,
      'Gate tests failed with 5 findings, 1 is new (tests: f); the score is 0.44, 0.39 below the best before.',
      'Evidence: used 2; limit 2; bound limits.iterations.',
    ]);
  });

  it('with progress, with the pace once there is one, to the goal', () => {
    const played = play(specOf({ strategy: { kind: 'hybrid', base: 1 } }), {
      ...moving,
      judge: (_, __, n) => (n > 4 ? green : failed(tests(9 - 2 * n), { passed: 1 + 2 * n })),
    });
    const outlook =
      'It would have stopped, or changed something first, if two iterations in a row had brought no progress.';
    expect(sentences(played, 1)).toEqual([
      'Iteration 1 went on, because there was progress: 2 fixed (continue.progress, confidence 0.8).',
      oneFile,
      'Gate tests failed with 7 findings, 2 findings were fixed; the score is 0.30, 0.20 above the best before.',
      outlook,
    ]);
    expect(sentences(played, 3)?.slice(3)).toEqual([
      'At this pace about 2 more iterations would meet the gates.',
      outlook,
    ]);
    expect(sentences(played, 4)?.slice(2, 4)).toEqual([
      'Gate tests failed with 1 finding, 2 findings were fixed; the score is 0.90, 0.20 above the best before.',
      'At this pace about 1 more iteration would meet the gates.',
    ]);
    expect(sentences(played, 5)).toEqual([
      'Iteration 5 was the last: the run converged, because every gate passed: tests (goal.met).',
      oneFile,
      'The gate passed on tree t5.',
    ]);
  });

  it.each<[string, Record<string, unknown>, Partial<World>, string, string]>([
    [
      'ralph',
      { strategy: 'ralph' },
      {},
      'the strategy had iterations left: iteration 1 of at most 10 (continue.ralph, confidence 0.6)',
      anyStop,
    ],
    [
      'fixed',
      { strategy: 'fixed' },
      {},
      'the strategy had iterations left: iteration 1 of 3 (continue.fixed)',
      anyStop,
    ],
    [
      'a bonus',
      { strategy: { kind: 'hybrid', base: 1, bonus: 2 } },
      { judge: (_, __, n) => failed(tests(9 - 2 * n), { passed: 2 * n }) },
      'hybrid granted a bonus iteration: bonus 1 of 2, progress 22.2 % (continue.bonus, confidence 0.8)',
      'It would have stopped without sufficient progress, or with the last bonus used.',
    ],
    [
      'a module',
      { strategy: { kind: 'custom', module: 's.mjs' } },
      { advise: () => ({ kind: 'advice', continue: true, reason: 'I say so', confidence: 0.5 }) },
      'I say so (continue.custom.continue, confidence 0.5)',
      anyStop,
    ],
    [
      'a gate without degrees',
      { strategy: { kind: 'hybrid', base: 1 } },
      { judge: () => failed(['only'], { passed: 0 }) },
      'the work keeps moving, and the gate shows no degrees (continue.stand-in, confidence 0.6)',
      'It would have stopped, or changed something first, if two iterations in a row had brought no progress.',
    ],
  ])('that went on by %s', (_, spec, world, why, outlook) => {
    const told = sentences(play(specOf(spec), { ...moving, ...world }), 1)!;
    expect(told[0]).toBe(`Iteration 1 went on, because ${why}.`);
    expect(told.at(-1)).toBe(outlook);
  });

  it('of which something else held as well', () => {
    const played = play(specOf({ strategy: { kind: 'ralph', max: 2 } }), { ...moving, turn: () => ({}) });
    expect(sentences(played, 2)).toContain(
      'It also held that 2 of 2 iterations are used (limit.iterations).',
    );
  });

  it('with several gates', () => {
    const gates = { a: 'x', b: 'y', c: 'z', ok: 'w' };
    const played = play(specOf({ gates, limits: { iterations: 1 } }), {
      ...moving,
      judge: (gate) => (gate === 'ok' ? green : failed(['f'])),
    });
    expect(sentences(played, 0)?.[0]).toContain('a, b and c were red with 3 findings');
    expect(sentences(played, 1)?.[2]).toContain('Gates a, b and c failed with 3 findings; the score is 0.25');
  });
});

describe('what an iteration changed', () => {
  const changed = (paths: string[], counts: readonly [number, number, number], costUsd?: number) => {
    const played = play(specOf({ limits: { iterations: 1 } }), {
      ...moving,
      turn: () => ({ tree: 't', ...(costUsd === undefined ? {} : { costUsd }) }),
    });
    const [added, modified, deleted] = counts;
    const events = played.events.map(
      (one): Event =>
        one.kind === 'snapshot.taken' ? { ...one, changed: { added, modified, deleted, paths } } : one,
    );
    return sentences({ events }, 1)?.[1];
  };
  it.each([
    [['a'], [1, 0, 0], undefined, 'It changed 1 file (a).'],
    [['a', 'b', 'c'], [1, 1, 1], undefined, 'It changed 3 files (a, b, c).'],
    [['a', 'b', 'c', 'd'], [1, 2, 1], 0.5, 'It changed 4 files (a, b, c, …) for $0.50.'],
    [[], [0, 2, 0], undefined, 'It changed 2 files.'],
    [[], [0, 0, 0], undefined, 'Nothing in the tree changed.'],
  ] as const)('%j, %j for %j: %s', (paths, counts, cost, sentence) => {
    expect(changed([...paths], counts, cost)).toBe(sentence);
  });
});
