import { describe, expect, it } from 'vitest';
import { chooseByAge, chooseOldest, type KnownRun } from './choose.ts';

const day = 86_400_000;
const now = 100 * day;

/** A run that began so many days ago and ended at once; `open` has not ended. */
const run = (runId: string, daysAgo: number, more: Partial<KnownRun> = {}): KnownRun => ({
  runId,
  startedMs: now - daysAgo * day,
  endedMs: now - daysAgo * day,
  parent: null,
  ...more,
});

const five = [run('a', 50), run('b', 40), run('c', 30), run('d', 20), run('e', 10)];

describe('by age and number', () => {
  it.each([
    ['nothing without a rule', {}, []],
    ['those that are older', { olderThanMs: 35 * day }, ['a', 'b']],
    ['all but the newest so many', { keep: 2 }, ['a', 'b', 'c']],
    ['the older ones beyond the newest so many', { olderThanMs: 15 * day, keep: 3 }, ['a', 'b']],
    ['never the newest, however old', { olderThanMs: 0 }, ['a', 'b', 'c', 'd']],
    ['never the newest, though none is to be kept', { keep: 0 }, ['a', 'b', 'c', 'd']],
    ['nothing by number where a size is given, which then says how much', { keep: 1, maxBytes: 1 }, []],
  ])('%s', (_name, rules, going) => {
    expect(chooseByAge(five, rules, now).toSorted()).toEqual(going);
  });

  it('never one that has not ended', () => {
    const runs = [run('a', 50, { endedMs: null }), run('b', 40), run('c', 1)];
    expect(chooseByAge(runs, { olderThanMs: day }, now)).toEqual(['b']);
  });

  it('never one that a kept run goes on from, through any number of others', () => {
    const line = [run('a', 50), run('b', 40, { parent: 'a' }), run('c', 1, { parent: 'b' })];
    expect(chooseByAge(line, { olderThanMs: 5 * day }, now)).toEqual([]);
    expect(chooseByAge([...line, run('d', 0)], { olderThanMs: 0 }, now).toSorted()).toEqual(['a', 'b', 'c']);
  });

  it('counts from the end of a run, not from its beginning', () => {
    const runs = [run('long', 50, { endedMs: now - day }), run('b', 1)];
    expect(chooseByAge(runs, { olderThanMs: 30 * day }, now)).toEqual([]);
  });
});

describe('by size, the oldest first', () => {
  const next = (runs: KnownRun[], gone: string[] = [], keep?: number) =>
    chooseOldest(runs, { maxBytes: 0, ...(keep === undefined ? {} : { keep }) }, new Set(gone));

  it('one after the other, and never the newest', () => {
    expect(next(five)).toEqual(['a']);
    expect(next(five, ['a', 'b', 'c'])).toEqual(['d']);
    expect(next(five, ['a', 'b', 'c', 'd'])).toEqual([]);
  });
  it('not one of those that stay in any case', () => expect(next(five, ['a', 'b'], 3)).toEqual([]));
  it('a run with those that went on from it, or not at all', () => {
    const runs = [run('a', 50), run('b', 40), run('c', 30, { parent: 'a' }), run('d', 1)];
    expect(next(runs)).toEqual(['a', 'c']);
    const open = runs.map((one) => (one.runId === 'c' ? { ...one, endedMs: null } : one));
    expect(next(open)).toEqual(['b']);
  });
});
