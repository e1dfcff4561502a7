import { describe, expect, test } from 'vitest';
import { fixture } from './fixtures/index.ts';
import { type Format, formatOf, readers } from './index.ts';
import { idsOf, loadsOf, read, statusesOf } from './testing.ts';

const jestBroken = 'test:jest/broken.test.js';
const jestMath = 'test:jest/math.test.js';
const demo = 'test:example.com/demo';

interface Row {
  name: string;
  format: Format;
  findings: string[];
  load: string[];
  statuses: Record<string, string[]>;
}

const rows: Row[] = [
  {
    name: 'vitest-json.txt',
    format: 'jest',
    findings: [
      'test:test/broken.test.ts',
      'test:test/math.test.ts > add > adds',
      'test:test/math.test.ts > throws plainly',
    ],
    load: ['test:test/broken.test.ts'],
    statuses: {
      passed: ['test:test/math.test.ts > add > adds zero'],
      skipped: ['test:test/math.test.ts > add > adds floats'],
      todo: ['test:test/math.test.ts > add > adds bigints'],
    },
  },
  {
    name: 'jest-json.txt',
    format: 'jest',
    findings: [`${jestMath} > add > numbers > adds`, `${jestMath} > throws plainly`, jestBroken],
    load: [jestBroken],
    statuses: {
      passed: [`${jestMath} > add > adds zero`],
      skipped: [`${jestMath} > add > adds floats`],
      todo: [`${jestMath} > add > adds bigints`],
    },
  },
  {
    name: 'ctrf-json.txt',
    format: 'ctrf',
    // The reporter says nothing of a file that did not load; the exit code does.
    findings: [`${jestMath} > add > numbers > adds`, `${jestMath} > throws plainly`],
    load: [],
    statuses: {
      passed: [`${jestMath} > add > adds zero`],
      skipped: [`${jestMath} > add > adds floats`],
      todo: [`${jestMath} > add > adds bigints`],
    },
  },
  {
    name: 'mocha-json.txt',
    format: 'mocha',
    findings: [
      'test:mocha/math.js > throws plainly',
      'test:mocha/math.js > add numbers > adds',
      'test:mocha/math.js > hooked > "before all" hook for "is never reached"',
    ],
    load: [],
    statuses: {
      passed: ['test:mocha/math.js > add > adds zero'],
      skipped: ['test:mocha/math.js > add > adds floats', 'test:mocha/math.js > add > adds bigints'],
      todo: [],
    },
  },
  {
    name: 'go.jsonl',
    format: 'go',
    findings: [`${demo}/calc > TestAdd/positive`, `${demo}/broken`],
    load: [`${demo}/broken`],
    statuses: {
      passed: [`${demo}/calc > TestAdd/zero`, `${demo}/calc > TestPlain`],
      skipped: [`${demo}/calc > TestSkipped`],
      todo: [],
    },
  },
  {
    name: 'cargo.jsonl',
    format: 'cargo',
    findings: ['test:tests::adds'],
    load: [],
    statuses: {
      passed: ['test:tests::adds_zero', 'test:works', 'test:src/lib.rs - add'],
      skipped: ['test:tests::adds_floats'],
      todo: [],
    },
  },
];

describe.each(rows)('$name', ({ name, format, findings, load, statuses }) => {
  const text = fixture(name);
  const report = readers[format](text);

  test('is recognised, also below what npm prints and behind what a test prints', () => {
    expect(formatOf(text)).toBe(format);
    expect(formatOf(`> demo@1.0.0 test\n> run\n\n${text}`)).toBe(format);
    if (format !== 'go') expect(idsOf(readers[format](`a dot without an end .${text}`))).toEqual(findings);
  });

  test('names what failed, and what could not load', () => {
    expect(report).toMatchObject({ kind: 'read', complete: true });
    expect(idsOf(report)).toEqual(findings);
    expect(loadsOf(report)).toEqual(load);
  });

  test('has every test in the inventory, and counts what it has', () => {
    expect(statusesOf(report)).toEqual({ ...statuses, failed: expect.arrayContaining(findings) });
    const { passed = [], skipped = [], todo = [] } = statuses;
    expect(read(report).tests).toEqual({
      passed: passed.length,
      failed: findings.length,
      skipped: skipped.length + todo.length,
    });
  });

  test('is never whole when it breaks off, wherever', () => {
    for (const share of [0.35, 0.6, 0.8, 0.97]) {
      const cut = text.slice(0, Math.floor(text.length * share));
      expect({ share, whole: isWhole(format, cut) }).toEqual({ share, whole: false });
      expect(formatOf(cut)).toBe(format);
    }
  });

  test('keeps its ids when lines shift and times change', () => {
    const shifted = text
      .replaceAll(/(\.(?:[jt]s|go|rs):)(\d+)/g, (_all, before, line) => `${before}${Number(line) + 40}`)
      .replaceAll(/("(?:duration|startTime|Elapsed|exec_time)": ?)[\d.]+/g, '$199');
    expect(shifted).not.toBe(text);
    expect(idsOf(readers[format](shifted))).toEqual(findings);
  });
});

const isWhole = (format: Format, text: string): boolean => {
  const report = readers[format](text);
  return report.kind === 'read' && report.complete;
};

test('one runner has the same ids in all of its formats', () => {
  const all = idsOf(readers.jest(fixture('vitest-json.txt')));
  const flat = idsOf(readers.tap(fixture('vitest-flat.tap')));
  expect(flat).toEqual(expect.arrayContaining(all));
  expect(idsOf(readers.cargo(fixture('cargo-suites.txt')))).toEqual(
    idsOf(readers.cargo(fixture('cargo.jsonl'))),
  );
});

test('messages tell the failure and the place', () => {
  expect(read(readers.jest(fixture('jest-json.txt'))).findings).toMatchObject([
    {
      file: 'jest/math.test.js',
      line: 3,
      message: expect.stringMatching(/Expected: 3\nReceived: -1\nat jest\/math.test.js:3$/),
    },
    {},
    { message: expect.stringMatching(/^Cannot find module '\.\.\/src\/nowhere\.js'/) },
  ]);
  expect(read(readers.mocha(fixture('mocha-json.txt'))).findings[1]).toMatchObject({ line: 4 });
  expect(read(readers.go(fixture('go.jsonl'))).findings[0]).toMatchObject({
    line: 6,
    message: 'calc_test.go:6: got -1, want 3',
  });
  expect(read(readers.cargo(fixture('cargo.jsonl'))).findings[0]).toMatchObject({
    file: 'src/lib.rs',
    line: 8,
    message: 'assertion `left == right` failed\nleft: -1\nright: 3',
  });
});

test('a test keeps its id when another of its name is mended', () => {
  const twice = (first: string) => readers.tap(`1..2\n${first} 1 - same\nnot ok 2 - same\n`);
  expect(idsOf(twice('not ok'))).toEqual(['test:same', 'test:same #2']);
  expect(idsOf(twice('ok'))).toEqual(['test:same #2']);
  expect(statusesOf(twice('ok'))).toMatchObject({ passed: ['test:same'], failed: ['test:same #2'] });
});

test('several documents are read as one, and a forged one hides nothing', () => {
  const good =
    '{"numTotalTestSuites":1,"numTotalTests":1,"numPassedTests":1,"numFailedTests":0,"success":true,"testResults":[{"name":"a.js","status":"passed","assertionResults":[{"title":"a","status":"passed"}]}]}';
  const both = `${good}${fixture('jest-json.txt')}`;
  expect(idsOf(readers.jest(both))).toHaveLength(3);
  expect(read(readers.jest(`${good}\n> b@1.0.0 test\n\n${good}`)).tests).toEqual({
    passed: 2,
    failed: 0,
    skipped: 0,
  });
});

test('a document that a test printed in the middle of words is not the report', () => {
  const summary =
    '\n ✓ a.test.ts (3 tests)\n Test Files  1 passed (1)\n Tests  3 passed (3)\n Duration  1s\n';
  expect(formatOf(`stdout | a.test.ts\n${fixture('jest-json.txt')}${summary}`)).toBe('plain');
  expect(formatOf(`${fixture('jest-json.txt')}\ndone\n`)).toBe('jest');
});

test('an inventory ends at 50,000, and the counts do not', () => {
  const one = '{"title":"a","status":"passed"}';
  const many = Array.from({ length: 60_000 }, () => one).join(',');
  const text = `{"numTotalTestSuites":1,"numTotalTests":60000,"numPassedTests":60000,"numFailedTests":0,"testResults":[{"name":"a.js","assertionResults":[${many}]}]}`;
  const report = read(readers.vitest(text));
  expect(report.cases).toHaveLength(50_000);
  expect(report.tests?.passed).toBe(60_000);
});
