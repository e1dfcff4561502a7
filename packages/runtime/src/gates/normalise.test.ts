import { describe, expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';
import { stableName, textKey, withoutRoot } from './normalise.ts';
import { fixture } from './reports/fixtures/index.ts';

describe('textKey', () => {
  test.each([
    ['durations', 'took 1.5s, 20 ms', 'took 99s, 3 ms'],
    ['timestamps', '2026-11-15T16:44:27.212Z started', '2027-01-02T03:04:05.000Z started'],
    ['clock times', 'Start at  16:44:27', 'Start at  17:00:01'],
    ['ids', 'commit 59807616e1fa25', 'commit a0b1c2d3e4'],
    ['uuids', 'run 123e4567-e89b-12d3-a456-426614174000', 'run 00000000-e89b-12d3-a456-426614174999'],
    ['addresses', '<X object at 0x7f7ae2239c10>', '<X object at 0x7f00aa>'],
    ['temporary paths', 'open /tmp/ag-1/x.db', 'open /tmp/ag-2/x.db'],
    ['places', 'at f (a.js:3:5) line 7', 'at f (a.js:30:1) line 9'],
    ['shares', 'coverage 80.1%', 'coverage 81%'],
    ['ports and pids', 'localhost:3000 pid 77', 'localhost:4123 pid 9'],
    ['code frames', '  7| expect(a)', ' 17| expect(a)'],
    ['the numbers of a list', '  1) add\n  2) sub', '  1) sub\n  2) add'],
    ['white space and blank lines', 'a  \n\n\nb', 'a\nb\n'],
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['the order of lines', 'not ok 1 - a\nnot ok 2 - b', 'not ok 1 - b\nnot ok 2 - a'],
  ])('does not depend on %s', (_name, a, b) => {
    expect(textKey(a)).toMatch(/^[0-9a-f]{16}$/);
    expect(textKey(a)).toBe(textKey(b));
  });

  test.each([
    ['assertions', 'expected 5 got 3', 'expected 5 got 4'],
    ['large numbers', 'expected 1000000', 'expected 1000001'],
    ['words', 'defaced', 'defacer'],
    ['names', 'not ok 1 - a', 'not ok 1 - b'],
  ])('depends on %s', (_name, a, b) => {
    expect(textKey(a)).not.toBe(textKey(b));
  });

  test('is equal for the work tree and a room elsewhere', () => {
    expect(textKey('/a/b/src/x.ts broke', '/a/b')).toBe(textKey('/c/src/x.ts broke', '/c'));
  });

  test.each(['', '\n \n', '\u001b[0m\n', '─────\n'])('is undefined for %j', (text) => {
    expect(textKey(text)).toBeUndefined();
  });
});

test('withoutRoot cuts whole paths only', () => {
  expect(withoutRoot('/proj/a.ts file:///proj/b.ts (/proj/c.ts:1) /home/proj/d.ts', '/proj')).toBe(
    'a.ts b.ts (c.ts:1) /home/proj/d.ts',
  );
});

test.each([
  ['adds (1.98ms)', 'adds'],
  ['adds 8ms', 'adds'],
  ['waits 5 ms before a retry', 'waits 5 ms before a retry'],
  ['opens /tmp/x1/y', 'opens <tmp>/y'],
])('stableName of %j', (name, expected) => {
  expect(stableName(name)).toBe(expected);
});

describe('excerpt', () => {
  test('shows the lines around the first failure', () => {
    const noise = 'fine\n'.repeat(5_000);
    const text = `${noise}Expected values: 3\nbut got -1\n${noise}`;
    const shown = excerpt(text, [{ id: 'a', title: 'adds', message: 'Expected values: 3' }]);
    expect(shown).toContain('but got -1');
    expect(shown.length).toBeLessThanOrEqual(2_000);
  });

  test('shows the end when no failure is found in it', () => {
    const shown = excerpt(`${'x\n'.repeat(5_000)}the end\n`, [{ id: 'a', title: 'nowhere to be seen' }]);
    expect(shown.endsWith('the end')).toBe(true);
    expect(shown.length).toBeLessThanOrEqual(2_000);
  });

  test('has no escape bytes, and joins windows that touch', () => {
    const shown = excerpt('\u001b[31mfirst one\u001b[0m\nsecond one\n', [
      { id: 'a', title: 'first one' },
      { id: 'b', title: 'second one' },
    ]);
    expect(shown).toBe('first one\nsecond one');
  });

  test('stays small when every window is long', () => {
    const text = Array.from({ length: 100 }, (_, n) => `test ${n} ${'x'.repeat(290)}`).join('\n');
    const findings = [0, 20, 40, 60, 80].map((n) => ({ id: `${n}`, title: `test ${n} ` }));
    expect(excerpt(text, findings)).toHaveLength(2_000);
  });

  test('stays small for a real report', () => {
    expect(excerpt(fixture('vitest.txt'), [{ id: 'a', title: 'add > adds' }]).length).toBeLessThanOrEqual(
      2_000,
    );
  });
});
