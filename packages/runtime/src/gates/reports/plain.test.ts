import { describe, expect, test } from 'vitest';
import { textKey } from '../normalise.ts';
import { fixture } from './fixtures/index.ts';
import { readPlain } from './plain.ts';

const findings = (text: string) => {
  const report = readPlain(text);
  return report.kind === 'read' ? report.findings : [];
};
const ids = (text: string): string[] => findings(text).map(({ id }) => id);
/** The id without the hash of the message. */
const short = (text: string): string[] => ids(text).map((id) => id.replace(/:[0-9a-f]{8}(?= |$)/, ''));
const loads = (text: string): string[] =>
  findings(text).flatMap((one) => (one.load ? [one.file ?? one.title] : []));

const mathTs = ['test:test/math.test.ts > add > adds', 'test:test/math.test.ts > throws plainly'];

describe('captured outputs', () => {
  test.each([
    [
      'tsc.txt',
      ['type:TS2322:src/a.ts', 'type:TS2322:src/a.ts', 'type:TS2322:src/b.ts', 'type:TS2345:src/b.ts'],
      [],
    ],
    ['tsc-syntax.txt', ['type:TS1134:src/b.ts', 'type:TS1134:src/b.ts #2'], ['src/b.ts', 'src/b.ts']],
    [
      'eslint.txt',
      [
        'lint:no-unused-vars:src/a.js',
        'lint:no-undef:src/a.js',
        'lint:no-undef:src/a.js #2',
        'lint:error:src/b.js',
      ],
      ['src/b.js'],
    ],
    [
      'vitest.txt',
      ['test:test/broken.test.ts', 'test:test/syntax.test.ts', ...mathTs],
      ['test/broken.test.ts', 'test/syntax.test.ts'],
    ],
    ['vitest-tree.txt', ['test:adds', 'test:throws plainly'], []],
    ['jest.txt', ['test:src/math.test.js > add > adds', 'test:src/broken.test.js'], ['src/broken.test.js']],
    ['mocha.txt', ['test:add > adds', 'test:throws plainly'], []],
    ['mocha-broken.txt', ['test:mocha/broken.js'], ['mocha/broken.js']],
    ['ruff.txt', ['lint:F401:a.py', 'lint:F821:a.py'], []],
    [
      'node-spec.txt',
      [
        'test:test/broken.test.js',
        'test:test/exits.test.js',
        'test:test/math.test.js > adds',
        'test:test/math.test.js > throws plainly',
        'test:test/syntax.test.js',
      ],
      ['test/broken.test.js', 'test/exits.test.js', 'test/syntax.test.js'],
    ],
    [
      'pytest.txt',
      [
        'test:tests/test_import.py',
        'test:tests/test_syntax.py',
        'test:tests/test_math.py > TestAdd > test_adds',
        'test:tests/test_math.py > TestAdd > test_zero[1]',
        'test:tests/test_math.py > test_raises',
        'test:tests/test_math.py > test_with_fixture',
      ],
      ['tests/test_import.py', 'tests/test_syntax.py'],
    ],
    [
      'go.txt',
      [
        'lint:error:broken/broken.go',
        'test:example.com/demo > TestAdd/positive',
        'test:example.com/demo > TestPlain',
        'test:example.com/demo/broken',
      ],
      ['example.com/demo/broken'],
    ],
    ['cargo-test.txt', ['test:tests::adds'], []],
    ['rustc.txt', ['type:E0308:src/lib.rs'], ['src/lib.rs']],
  ])('%s', (name, expected, load) => {
    expect(short(fixture(name))).toEqual(expected);
    expect(loads(fixture(name))).toEqual(load);
  });

  test('two formats of one tool give one set of ids', () => {
    expect(ids(fixture('tsc-pretty.txt'))).toEqual(ids(fixture('tsc.txt')));
    expect(ids(fixture('oxlint-unix.txt')).sort()).toEqual(ids(fixture('oxlint-stylish.txt')).sort());
  });

  test('messages put the telling part first', () => {
    expect(findings(fixture('cargo-test.txt'))[0]).toMatchObject({
      message: 'assertion `left == right` failed\nleft: -1\nright: 3',
      file: 'src/lib.rs',
      line: 6,
    });
    expect(findings(fixture('pytest-collect.txt'))[0]).toMatchObject({
      message: "ModuleNotFoundError: No module named 'nowhere'",
    });
    expect(findings(fixture('jest.txt'))[0]).toMatchObject({
      message: 'expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: -1',
      line: 6,
    });
  });
});

describe('single lines', () => {
  test.each([
    ['a.c:3:5: error: expected expression', ['lint:error:a.c']],
    ['a.c:3:5: warning: unused variable [-Wunused]\na.c:9:1: error: no', ['lint:error:a.c']],
    ['a.c:3:5: warning: unused variable [-Wunused]', ['lint:-Wunused:a.c']],
    ['a.py:3: error: Incompatible types  [assignment]', ['type:assignment:a.py']],
    ['a.py:1:8: F401 [*] `os` imported but unused', ['lint:F401:a.py']],
    ['error TS5023: Unknown compiler option', ['type:TS5023']],
    ['FAILED t/test_a.py::test_x', ['test:t/test_a.py > test_x']],
    ['FAIL src/a.test.js', ['test:src/a.test.js']],
    ['  ✗ adds (3 ms)', ['test:adds']],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nValueError: bad',
      ['error'],
    ],
    [
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\nKeyboardInterrupt',
      ['error'],
    ],
    ['error: retrying', ['error']],
    ['all is well', []],
    ['3 errors expected and found', []],
    ['', []],
  ])('%j', (line, expected) => {
    expect(short(line)).toEqual(expected);
  });

  test('a line of the last resort counts only when no tool is recognised', () => {
    expect(short(`Error: npm failed\n${fixture('tsc-syntax.txt')}`)).not.toContain('error');
  });

  test('a Python traceback names its innermost place in the project', () => {
    const text =
      'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\n  File "/usr/lib/x.py", line 8, in f\nModuleNotFoundError: no';
    expect(findings(text)[0]).toMatchObject({ file: 'a.py', line: 3, load: true });
  });

  test('a long message is cut', () => {
    expect(findings(`a.c:1:1: error: ${'x'.repeat(1_900)}`)[0]?.message).toHaveLength(500);
  });
});

// Each of these took minutes when a pattern or a search looked at a character twice.
test.each([' ', '\n', '1', 'a/', '✖ a.js\n', 'FAILED a.py::t - no\n', '--- FAIL: TestA/b\n'])(
  'a megabyte of %j is read in time',
  (piece) => {
    const text = piece.repeat(1_000_000 / piece.length);
    expect(findings(text).length).toBeLessThan(3);
    expect(textKey(text)?.length ?? 16).toBe(16);
  },
  10_000,
);

describe('ids stay', () => {
  const shift = (text: string) =>
    text
      .replaceAll(/:(\d+):(\d+)/g, (_all, line, column) => `:${Number(line) + 7}:${Number(column) + 2}`)
      .replaceAll(/\((\d+),(\d+)\)/g, (_all, line, column) => `(${Number(line) + 7},${Number(column) + 2})`)
      .replaceAll(/^( +)(\d+):(\d+)( +(?:error|warning))/gm, '$177:3$4')
      .replaceAll(/\b[\d.]+(m?s)\b/g, '99.5$1');

  test.each([
    'tsc.txt',
    'eslint.txt',
    'vitest.txt',
    'jest.txt',
    'mocha.txt',
    'node-spec.txt',
    'pytest.txt',
    'go.txt',
    'cargo-test.txt',
    'rustc.txt',
  ])('in %s when lines shift and durations change', (name) => {
    // Two complaints of one text on one line would then be one; eslint never prints them so.
    const text = name === 'eslint.txt' ? fixture(name).replace(/^ +5:1 .*\n/m, '') : fixture(name);
    expect(shift(text)).not.toBe(text);
    expect(ids(shift(text))).toEqual(ids(text));
  });

  test('when the lines of a compiler are shuffled', () => {
    const lines = ['a.ts(1,1): error TS1: x', 'a.ts(9,1): error TS1: x', 'b.ts(2,2): error TS2: y'];
    expect(ids(lines.toReversed().join('\n')).sort()).toEqual(ids(lines.join('\n')).sort());
  });

  test('when a message tells an address, a duration or a temporary path', () => {
    expect(ids('a.c:1:1: error: at 0x7f12 after 3ms in /tmp/a/x')).toEqual(
      ids('a.c:1:1: error: at 0x8e34 after 9ms in /tmp/b/x'),
    );
  });

  test('but differ for another message', () => {
    expect(ids("a.ts(1,1): error TS1: 'x'")).not.toEqual(ids("a.ts(1,1): error TS1: 'y'"));
  });
});
