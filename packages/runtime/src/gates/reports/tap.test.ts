import { describe, expect, test } from 'vitest';
import { fixture } from './fixtures/index.ts';
import { formatOf } from './index.ts';
import type { Report } from './report.ts';
import { readTap } from './tap.ts';

const ids = (report: Report): string[] => (report.kind === 'read' ? report.findings.map(({ id }) => id) : []);
const loads = (report: Report): string[] =>
  report.kind === 'read' ? report.findings.filter((one) => one.load).map(({ id }) => id) : [];

describe('real reports', () => {
  test.each([
    [
      'node.tap',
      { passed: 2, failed: 5, skipped: 2 },
      [
        'test:test/broken.test.js',
        'test:test/exits.test.js',
        'test:test/math.test.js > add > adds',
        'test:test/math.test.js > throws plainly',
        'test:test/syntax.test.js',
      ],
      ['test:test/broken.test.js', 'test:test/exits.test.js', 'test:test/syntax.test.js'],
    ],
    [
      'node-hooks.tap',
      { passed: 2, failed: 4, skipped: 0 },
      [
        'test:hook.test.mjs > h > a',
        'test:hook.test.mjs > h',
        'test:hook.test.mjs > parent',
        'test:hook.test.mjs > outer > middle > inner',
      ],
      [],
    ],
    [
      'vitest.tap',
      { passed: 1, failed: 4, skipped: 2 },
      [
        'test:test/broken.test.ts',
        'test:test/math.test.ts > add > adds',
        'test:test/math.test.ts > throws plainly',
        'test:test/syntax.test.ts',
      ],
      ['test:test/broken.test.ts', 'test:test/syntax.test.ts'],
    ],
  ])('%s', (name, tests, findings, load) => {
    const report = readTap(fixture(name));
    expect(report).toMatchObject({ kind: 'read', complete: true, tests });
    expect(ids(report)).toEqual(findings);
    expect(loads(report)).toEqual(load);
  });

  test('a flat report has the ids of the nested one', () => {
    expect(ids(readTap(fixture('vitest-flat.tap')))).toEqual(ids(readTap(fixture('vitest.tap'))));
  });

  test('the message tells expected, actual and the place', () => {
    const report = readTap(fixture('node.tap'));
    expect(report).toMatchObject({
      findings: expect.arrayContaining([
        {
          id: 'test:test/math.test.js > add > adds',
          title: 'add > adds',
          file: 'test/math.test.js',
          line: 7,
          message:
            'AssertionError: Expected values to be strictly equal:\n-1 !== 3\nexpected: 3, actual: -1\nat test/math.test.js:7',
        },
      ]),
    });
  });

  test('a message that breaks the YAML around it is still told', () => {
    const report = readTap(fixture('vitest.tap'));
    const last = report.kind === 'read' ? report.findings.at(-1)?.message : undefined;
    expect(last).toMatch(/^Transform failed with 1 error:/);
  });

  test('workspaces print one stream after the other', () => {
    const stream = 'TAP version 13\n1..1\nok 1 - a\n';
    expect(readTap(`> a\n${stream}\n> b\n${stream}`)).toMatchObject({
      complete: true,
      tests: { passed: 2, failed: 0, skipped: 0 },
    });
  });

  test('a file that did not load tells the error printed above it', () => {
    const report = readTap(fixture('node.tap'));
    const messages = report.kind === 'read' ? report.findings.map(({ message }) => message) : [];
    expect(messages[0]).toMatch(/^Error \[ERR_MODULE_NOT_FOUND\]: Cannot find module 'src\/nowhere.js'/);
    expect(messages.at(-1)).toMatch(/^SyntaxError: Unexpected token ';'/);
  });
});

describe('what is not a pass', () => {
  const incomplete = (problem: string) => ({ kind: 'read', complete: false, problem });
  test.each([
    ['no plan', 'TAP version 13\nok 1 - a\n', incomplete('the TAP report breaks off: it has no plan')],
    ['too few', 'TAP version 13\n1..3\nok 1 - a\n', incomplete('the TAP report plans 3 tests and has 1')],
    ['too many', '1..1\nok 1 - a\nok 2 - b\n', incomplete('the TAP report plans 1 tests and has 2')],
    ['bail out', '1..2\nok 1 - a\nBail out! db gone\n', incomplete('the tests bailed out: db gone')],
    [
      'a stream cut off inside a subtest',
      fixture('node.tap').split('    # Subtest: adds floats')[0],
      { kind: 'read', complete: false },
    ],
    [
      'one of two streams cut off',
      'TAP version 13\n1..1\nok 1 - a\nTAP version 13\n1..2\nok 1 - b\n',
      { kind: 'read', complete: false, tests: { passed: 2, failed: 0, skipped: 0 } },
    ],
    ['no TAP at all', 'all good\n', { kind: 'absent' }],
    ['nothing ran', fixture('node-empty.tap'), { tests: { passed: 0, failed: 0, skipped: 0 } }],
    ['all skipped', fixture('node-skipped.tap'), { tests: { passed: 0, failed: 0, skipped: 2 } }],
    ['skip all', 'TAP version 13\n1..0 # SKIP no db\n', { tests: { passed: 0, failed: 0, skipped: 0 } }],
  ])('%s', (_name, text, expected) => {
    expect(readTap(text ?? '')).toMatchObject(expected);
  });

  test('a todo that fails is no failure, and one that passes has not passed', () => {
    const report = readTap('1..3\nnot ok 1 - a # TODO later\nok 2 - b # TODO\nok 3 - c # SKIP\n');
    expect(report).toMatchObject({
      findings: [],
      tests: { passed: 0, failed: 0, skipped: 3 },
      complete: true,
    });
  });
});

describe('ids', () => {
  test('stay when lines shift, durations change and points shuffle', () => {
    const before = fixture('node.tap');
    const shifted = before
      .replaceAll(/math\.test\.js:(\d+)/g, (_all, line) => `math.test.js:${Number(line) + 40}`)
      .replaceAll(/duration_ms: [\d.]+/g, 'duration_ms: 999.1');
    expect(ids(readTap(shifted))).toEqual(ids(readTap(before)));
    const points = ['not ok - c', 'ok - a', 'not ok - b'];
    const shuffled = [points[2], points[0], points[1]];
    const sorted = (lines: readonly (string | undefined)[]) =>
      ids(readTap(['1..3', ...lines, ''].join('\n'))).sort();
    expect(sorted(shuffled)).toEqual(sorted(points));
  });

  test('two tests of one name are two findings', () => {
    expect(ids(readTap('1..2\nnot ok 1 - same\nnot ok 2 - same\n'))).toEqual(['test:same', 'test:same #2']);
  });
});

test.each([
  ['TAP version 14\n1..0\n', 'tap'],
  ['> demo@1.0.0 test\n> node --test\n\nTAP version 13\n1..0\n', 'tap'],
  ['1..1\nok 1 - a\n', 'tap'],
  ['1..1 is a plan only\n', 'plain'],
  ['ok, all done\n', 'plain'],
  ['the log says TAP version 13 somewhere\n', 'plain'],
])('recognises %j as %s', (text, format) => {
  expect(formatOf(text)).toBe(format);
});
