import type { TestCase } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { compareInventories, readCases, writeCases } from './index.ts';

/** `a.test.ts > adds = passed` */
function cases(...lines: string[]): TestCase[] {
  return lines.map((line) => {
    const [name = '', status = 'passed'] = line.split(' = ');
    const file = name.split(' > ')[0] ?? '';
    const isFile = /\.\w+$/.test(file);
    return { id: `test:${name}`, status: status as TestCase['status'], ...(isFile ? { file } : {}) };
  });
}

const ids = (base: TestCase[], now: TestCase[]): string[] =>
  compareInventories(base, now).map((one) => one.id);

describe('the tests of the baseline', () => {
  it.each<[string, string[], string[], string[]]>([
    ['are all there', ['a.ts > x', 'a.ts > y'], ['a.ts > y', 'a.ts > x', 'b.ts > new'], []],
    ['one is missing', ['a.ts > x', 'a.ts > y'], ['a.ts > x'], ['integrity:missing:test:a.ts > y']],
    ['one is skipped', ['a.ts > x'], ['a.ts > x = skipped'], ['integrity:skipped:test:a.ts > x']],
    ['one is to be done', ['a.ts > x'], ['a.ts > x = todo'], ['integrity:skipped:test:a.ts > x']],
    ['one fails', ['a.ts > x'], ['a.ts > x = failed'], ['integrity:failing:test:a.ts > x']],
    ['one that failed was mended', ['a.ts > x = failed'], ['a.ts > x'], []],
    ['one that failed still does', ['a.ts > x = failed'], ['a.ts > x = failed'], []],
    [
      'one that failed is skipped',
      ['a.ts > x = failed'],
      ['a.ts > x = skipped'],
      ['integrity:skipped:test:a.ts > x'],
    ],
    [
      'one that failed is missing',
      ['a.ts > x = failed', 'a.ts > y'],
      ['a.ts > y'],
      ['integrity:missing:test:a.ts > x'],
    ],
    ['one that was skipped is gone', ['a.ts > x = skipped', 'a.ts > y'], ['a.ts > y'], []],
    ['one was moved to another file', ['a.ts > math > x'], ['b/c.ts > math > x'], []],
    [
      'one was moved and is skipped there',
      ['a.ts > x'],
      ['b.ts > x = skipped'],
      ['integrity:skipped:test:a.ts > x'],
    ],
    [
      'one of two alike was moved, the other is gone',
      ['a.ts > x', 'b.ts > x', 'b.ts > y'],
      ['c.ts > x', 'b.ts > y'],
      ['integrity:missing:test:b.ts > x'],
    ],
    [
      'parameters are called otherwise',
      ['t.py > test_x[<obj 1>]', 't.py > test_x[<obj 2>]'],
      ['t.py > test_x[<obj 3>]', 't.py > test_x[<obj 4>]'],
      [],
    ],
    [
      'a case of parameters is gone',
      ['t.py > test_x[1]', 't.py > test_x[2]'],
      ['t.py > test_x[1]'],
      ['integrity:missing:test:t.py > test_x[2]'],
    ],
    [
      'numbered cases are fewer',
      ['a.ts > x', 'a.ts > x #2', 'a.ts > x #3'],
      ['a.ts > x', 'a.ts > x #2'],
      ['integrity:missing:test:a.ts > x #3'],
    ],
    [
      'a plain name is no case of another',
      ['a.ts > adds 1', 'a.ts > y'],
      ['a.ts > adds 2', 'a.ts > y'],
      ['integrity:missing:test:a.ts > adds 1'],
    ],
    ['a file that could not load has its tests now', ['a.ts = failed'], ['a.ts > x', 'a.ts > y'], []],
    [
      'a file that could not load is gone',
      ['a.ts = failed', 'b.ts > x'],
      ['b.ts > x'],
      ['integrity:missing:test:a.ts'],
    ],
    ['a suite that could not begin has its tests now', ['a.ts > math = failed'], ['a.ts > math > x'], []],
    ['names without files', ['TestA/one', 'TestA/two'], ['TestA/one'], ['integrity:missing:test:TestA/two']],
    ['there were none', [], [], []],
    ['new ones are skipped', ['a.ts > x'], ['a.ts > x', 'a.ts > new = skipped'], []],
  ])('when %s', (_name, base, now, expected) => {
    expect(ids(cases(...base), cases(...now))).toEqual(expected);
  });

  it('are one finding when none is left', () => {
    const base = cases(...Array.from({ length: 5_000 }, (_, i) => `a.ts > t${i}`));
    expect(compareInventories(base, [])).toMatchObject([
      { id: 'integrity:missing:all', title: expect.stringContaining('5000') },
    ]);
  });

  it('are at most 200 findings, the last of which counts the rest', () => {
    const base = cases(...Array.from({ length: 5_000 }, (_, i) => `a.ts > t${i}`));
    const found = compareInventories(base, cases('b.ts > other'));
    expect(found).toHaveLength(200);
    expect(found.at(-1)?.title).toContain('4801 more');
  });

  it('name their file and say how it was before', () => {
    expect(compareInventories(cases('a.ts > x', 'a.ts > y'), cases('a.ts > y'))).toEqual([
      {
        id: 'integrity:missing:test:a.ts > x',
        title: 'a.ts > x did not run',
        file: 'a.ts',
        message: 'it passed before; a test that does not run has not passed',
      },
    ]);
  });

  it('can be kept and read again', () => {
    const base = cases('a.ts > x', 'b.ts > y = todo');
    expect(readCases(writeCases(base))).toEqual(base);
  });
});
