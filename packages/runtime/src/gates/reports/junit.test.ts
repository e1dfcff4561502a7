import { describe, expect, test } from 'vitest';
import { fixture } from './fixtures/index.ts';
import { formatOf } from './index.ts';
import { readJunit } from './junit.ts';
import type { Report } from './report.ts';

const ids = (report: Report): string[] => (report.kind === 'read' ? report.findings.map(({ id }) => id) : []);
const loads = (report: Report): string[] =>
  report.kind === 'read' ? report.findings.filter((one) => one.load).map(({ id }) => id) : [];

describe('real reports', () => {
  test.each([
    [
      'node.xml',
      { passed: 2, failed: 5, skipped: 2 },
      [
        'test:test/broken.test.js',
        'test:test/exits.test.js',
        'test:add > adds',
        'test:throws plainly',
        'test:test/syntax.test.js',
      ],
      ['test:test/broken.test.js', 'test:test/exits.test.js', 'test:test/syntax.test.js'],
    ],
    [
      'vitest.xml',
      { passed: 1, failed: 4, skipped: 2 },
      [
        'test:test/broken.test.ts',
        'test:test/math.test.ts > add > adds',
        'test:test/math.test.ts > throws plainly',
        'test:test/syntax.test.ts',
      ],
      ['test:test/broken.test.ts', 'test:test/syntax.test.ts'],
    ],
    [
      'pytest.xml',
      { passed: 1, failed: 6, skipped: 1 },
      [
        'test:tests.test_import',
        'test:tests.test_syntax',
        'test:tests.test_math.TestAdd > test_adds',
        'test:tests.test_math.TestAdd > test_zero[1]',
        'test:tests.test_math > test_raises',
        'test:tests.test_math > test_with_fixture',
      ],
      ['test:tests.test_import', 'test:tests.test_syntax'],
    ],
    [
      'oxlint.xml',
      { passed: 0, failed: 5, skipped: 0 },
      [
        'test:bad.js > eslint(no-unused-vars)',
        'test:bad.js > eslint(no-debugger)',
        'test:bad.js > eslint(no-cond-assign)',
        'test:bad.js > eslint(no-constant-condition)',
        'test:bad.js > eslint(no-debugger) #2',
      ],
      [],
    ],
  ])('%s', (name, tests, findings, load) => {
    const report = readJunit(fixture(name));
    expect(report).toMatchObject({ kind: 'read', complete: true, tests });
    expect(ids(report)).toEqual(findings);
    expect(loads(report)).toEqual(load);
  });

  test('the message tells the failure and the place', () => {
    expect(readJunit(fixture('pytest.xml'))).toMatchObject({
      findings: [
        { message: "ModuleNotFoundError: No module named 'nowhere'\nat tests/test_import.py:1" },
        { message: 'SyntaxError: invalid syntax' },
        { file: 'tests/test_math.py', line: 10, message: expect.stringMatching(/^assert -1 == 3\n/) },
        {},
        {},
        {},
      ],
    });
  });
});

describe('what is not a pass', () => {
  test.each([
    ['no report', 'all good', { kind: 'absent' }],
    ['nothing', '', { kind: 'absent' }],
    ['an empty suite', fixture('pytest-empty.xml'), { tests: { passed: 0, failed: 0, skipped: 0 } }],
    ['an empty document', '<testsuites/>', { tests: { passed: 0, failed: 0, skipped: 0 } }],
    ['a cut document', fixture('vitest.xml').slice(0, 900), { complete: false }],
    [
      'a broken tag',
      '<testsuite><testcase name="a"></testsuite>',
      { complete: false, problem: expect.stringContaining('not well-formed') },
    ],
    ['another XML', '<?xml version="1.0"?><checkstyle/>', { kind: 'absent' }],
  ])('%s', (_name, text, expected) => {
    expect(readJunit(text)).toMatchObject(expected);
  });

  test('attributes are not believed', () => {
    const xml =
      '<testsuite tests="9" failures="0"><testcase name="a"><failure message="no"/></testcase></testsuite>';
    expect(readJunit(xml)).toMatchObject({ tests: { passed: 0, failed: 1, skipped: 0 } });
  });

  test('a suite that fails outside of its cases is a finding', () => {
    for (const inside of [
      '<error message="no"/><testcase name="a"/>',
      '<testcase name="a"/><error message="no"/>',
    ]) {
      const report = readJunit(`<testsuite name="db">${inside}</testsuite>`);
      expect(ids(report)).toEqual(['test:db']);
      expect(report).toMatchObject({ tests: { passed: 1, failed: 1, skipped: 0 } });
    }
  });

  test.each([
    ['<failure message="ImportError: no"/>', []],
    ['<error message="failed on setup with &quot;ImportError: no&quot;"/>', []],
    ['<error message="RuntimeError: no"/>', []],
    ['<error message="collection failure">NameError: no</error>', ['test:a']],
    ['<error type="ImportError"/>', ['test:a']],
  ])('%s keeps a file from loading: %j', (inside, expected) => {
    expect(loads(readJunit(`<testsuite><testcase name="a">${inside}</testcase></testsuite>`))).toEqual(
      expected,
    );
  });
});

test('ids stay when lines, times and order change', () => {
  const before = fixture('vitest.xml');
  const after = before
    .replaceAll(/test\.ts:\d+:\d+/g, 'test.ts:99:1')
    .replaceAll(/time="[\d.]+"/g, 'time="9"');
  expect(ids(readJunit(after))).toEqual(ids(readJunit(before)));
});

test('a name loses the parts that a machine put into it', () => {
  const suite = (path: string) =>
    `<testsuite><testcase name="opens ${path}"><failure message="x"/></testcase></testsuite>`;
  expect(ids(readJunit(suite('/tmp/a1/x.db')))).toEqual(ids(readJunit(suite('/tmp/b2/x.db'))));
});

test.each([
  ['<?xml version="1.0"?>\n<testsuites/>', 'junit'],
  ['> demo@1.0.0 test\n> vitest\n\n<testsuites name="x"></testsuites>', 'junit'],
  ['<?xml version="1.0"?><checkstyle/>', 'plain'],
  ['wrote <testsuites> to out.xml', 'plain'],
])('recognises %j as %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});
