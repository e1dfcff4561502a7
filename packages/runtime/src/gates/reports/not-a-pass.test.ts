import { describe, expect, test } from 'vitest';
import type { TestCase } from '@agentgate/core';
import { fixture } from './fixtures/index.ts';
import { type Format, readers } from './index.ts';
import { idsOf, read, statusesOf } from './testing.ts';

/** Tests as each format would tell them; `over` replaces what it counts. */
const written: Partial<Record<Format, (tests: readonly Test[], over?: object) => string>> = {
  jest: (tests, over) =>
    JSON.stringify({
      numTotalTestSuites: 1,
      numTotalTests: tests.length,
      numPassedTests: count(tests, 'passed'),
      numFailedTests: count(tests, 'failed'),
      success: count(tests, 'failed') === 0,
      testResults: [
        {
          name: 'a.test.js',
          status: count(tests, 'failed') > 0 ? 'failed' : 'passed',
          assertionResults: tests.map(([title, status]) => ({ ancestorTitles: [], title, status })),
        },
      ],
      ...over,
    }),
  mocha: (tests, over) => {
    const of = (...wanted: string[]) =>
      tests
        .filter(([, status]) => wanted.includes(status))
        .map(([title]) => ({ title, fullTitle: title, file: 'a.test.js', err: {} }));
    const lists = { passes: of('passed'), pending: of('skipped', 'todo'), failures: of('failed') };
    const stats = {
      suites: 1,
      tests: tests.length,
      passes: lists.passes.length,
      pending: lists.pending.length,
      failures: lists.failures.length,
    };
    return JSON.stringify({
      stats: { ...stats, ...over },
      tests: of('passed', 'skipped', 'todo', 'failed'),
      ...lists,
    });
  },
  ctrf: (tests, over) =>
    JSON.stringify({
      reportFormat: 'CTRF',
      results: {
        tool: { name: 'x' },
        summary: {
          tests: tests.length,
          passed: count(tests, 'passed'),
          failed: count(tests, 'failed'),
          ...over,
        },
        tests: tests.map(([name, status]) => ({
          name,
          status: status === 'todo' ? 'other' : status,
          rawStatus: status,
          filePath: 'a.test.js',
        })),
      },
    }),
  go: (tests) =>
    [
      ...tests.flatMap(([Test, status]) => [
        { Action: 'run', Package: 'p', Test },
        {
          Action: { passed: 'pass', failed: 'fail', skipped: 'skip', todo: 'skip' }[status],
          Package: 'p',
          Test,
        },
      ]),
      { Action: count(tests, 'failed') > 0 ? 'fail' : 'pass', Package: 'p' },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
  cargo: (tests, over) =>
    [
      { type: 'suite', event: 'started', test_count: tests.length },
      ...tests.map(([name, status]) => ({
        type: 'test',
        name,
        event: { passed: 'ok', failed: 'failed', skipped: 'ignored', todo: 'ignored' }[status],
      })),
      {
        type: 'suite',
        event: 'ok',
        passed: count(tests, 'passed'),
        failed: count(tests, 'failed'),
        ignored: tests.length - count(tests, 'passed') - count(tests, 'failed'),
        ...over,
      },
    ]
      .map((event) => JSON.stringify(event))
      .join('\n'),
};

type Test = readonly [string, TestCase['status']];
const count = (tests: readonly Test[], wanted: string) =>
  tests.filter(([, status]) => status === wanted).length;
const formats = Object.entries(written) as [Format, NonNullable<(typeof written)['jest']>][];

describe.each(formats)('%s', (format, write) => {
  const readText = (text: string) => readers[format](text);

  test('passes with one test that passed', () => {
    expect(readText(write([['a', 'passed']]))).toMatchObject({
      complete: true,
      findings: [],
      tests: { passed: 1, failed: 0, skipped: 0 },
    });
  });

  test('has no test that ran when there is none, and when all were left out', () => {
    expect(read(readText(write([]))).tests).toEqual({ passed: 0, failed: 0, skipped: 0 });
    const left = readText(
      write([
        ['a', 'skipped'],
        ['b', 'todo'],
      ]),
    );
    expect(left).toMatchObject({ findings: [], tests: { passed: 0, failed: 0, skipped: 2 } });
    expect(statusesOf(left)['passed']).toEqual([]);
  });

  test('has the same ids in another order', () => {
    const tests: Test[] = [
      ['a', 'failed'],
      ['b', 'passed'],
      ['c', 'failed'],
    ];
    expect(idsOf(readText(write(tests.toReversed()))).sort()).toEqual(idsOf(readText(write(tests))).sort());
  });

  test('is absent in other words, in other JSON and in nothing', () => {
    for (const text of ['all good\n', '{"a": 1}', '[]', '{}', ''])
      expect(readText(text), text).toMatchObject({ kind: 'absent' });
  });
});

describe('a report whose counts contradict its tests is not whole', () => {
  test.each<[Format, object]>([
    ['jest', { numTotalTests: 7 }],
    ['jest', { numPassedTests: 0 }],
    ['jest', { numFailedTests: 2 }],
    ['jest', { success: false }],
    ['jest', { wasInterrupted: true }],
    ['mocha', { tests: 2 }],
    ['mocha', { failures: 1 }],
    ['mocha', { passes: 2 }],
    ['ctrf', { tests: 2 }],
    ['ctrf', { failed: 1 }],
    ['cargo', { failed: 1 }],
    ['cargo', { passed: 2 }],
  ])('%s with %j', (format, over) => {
    expect(readers[format](written[format]!([['a', 'passed']], over))).toMatchObject({ complete: false });
  });

  test.each([
    ['a package that passed with a failure', ['{"Action":"fail","Package":"p","Test":"T"}', pass('p')]],
    ['a test without an end', ['{"Action":"run","Package":"p","Test":"T"}', pass('p')]],
    ['a package without an end', [pass('p'), '{"Action":"start","Package":"q"}']],
  ])('go with %s', (_name, lines) => {
    expect(readers.go(lines.join('\n'))).toMatchObject({ complete: false });
  });

  test.each([
    ['running 2 tests\ntest a ... ok\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n'],
    ['running 1 test\ntest a ... ok\n'],
    ['running 1 test\nrunning 1 test\ntest a ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored;\n'],
  ])('the words of cargo %j', (text) => {
    expect(readers.cargo(text)).toMatchObject({ complete: false });
    expect(read(readers.plain(text)).cases).toBeUndefined();
  });

  test('JUnit that counts failures and names none', () => {
    const xml = (failures: number, inside: string) =>
      `<testsuite failures="${failures}">${inside}<testcase name="a"/></testsuite>`;
    expect(readers.junit(xml(1, ''))).toMatchObject({ complete: false });
    expect(readers.junit(xml(0, ''))).toMatchObject({ complete: true });
    const unwritten = '<testcase name="b"><skipped type="todo"/><failure message="no"/></testcase>';
    expect(readers.junit(xml(1, unwritten))).toMatchObject({ complete: true, findings: [] });
  });
});

function pass(name: string): string {
  return `{"Action":"pass","Package":"${name}"}`;
}

describe('what has not passed is not called passed', () => {
  test.each<[string, Format, string, TestCase['status']]>([
    ['test.failing of Jest', 'jest', jest({ status: 'passed', failing: true }), 'todo'],
    ['a pending test of Jest', 'jest', jest({ status: 'pending' }), 'skipped'],
    ['a disabled test of Jest', 'jest', jest({ status: 'disabled' }), 'skipped'],
    ['xfail in CTRF', 'ctrf', ctrf({ status: 'other', rawStatus: 'xfailed' }), 'todo'],
    ['xpass in CTRF', 'ctrf', ctrf({ status: 'passed', rawStatus: 'xpassed' }), 'todo'],
    ['something else in CTRF', 'ctrf', ctrf({ status: 'other' }), 'skipped'],
    ['something else that says why', 'ctrf', ctrf({ status: 'other', message: 'crashed' }), 'failed'],
    ['xfail of pytest', 'junit', junit('<skipped type="pytest.xfail" message="later"/>'), 'todo'],
    ['a test of Node to be written', 'junit', junit('<skipped type="todo"/><failure/>'), 'todo'],
    ['a skipped test in TAP', 'tap', '1..1\nok 1 - a # SKIP no\n', 'skipped'],
    ['a todo in TAP that passes', 'tap', '1..1\nok 1 - a # TODO no\n', 'todo'],
  ])('%s', (_name, format, text, status) => {
    const report = read(readers[format](text));
    expect(report.cases).toMatchObject([{ status }]);
    expect(report.tests?.passed).toBe(0);
  });

  function jest(assertion: object): string {
    const testResults = [{ name: 'a.js', assertionResults: [{ title: 'a', ...assertion }] }];
    const passed = 'failing' in assertion ? 1 : 0;
    return JSON.stringify({
      numTotalTestSuites: 1,
      numTotalTests: 1,
      numPassedTests: passed,
      numFailedTests: 0,
      testResults,
    });
  }

  function ctrf(one: { status: string; [key: string]: string }): string {
    const summary = { tests: 1, passed: one.status === 'passed' ? 1 : 0, failed: 0 };
    return JSON.stringify({ results: { tool: {}, summary, tests: [{ name: 'a', ...one }] } });
  }

  function junit(inside: string): string {
    return `<testsuite><testcase name="a">${inside}</testcase></testsuite>`;
  }
});

test('a file whose tests all passed and that failed after them is a failure', () => {
  const text = written.jest!([['a', 'passed']]).replace(
    '"status":"passed","assertionResults"',
    '"status":"failed","message":"afterAll","assertionResults"',
  );
  expect(read(readers.jest(text)).findings).toEqual([
    { id: 'test:a.test.js', title: 'a.test.js', file: 'a.test.js', message: 'afterAll' },
  ]);
});

test('the words of cargo give an inventory also where nobody asked for it', () => {
  expect(statusesOf(readers.plain(fixture('cargo-suites.txt')))).toEqual(
    statusesOf(readers.cargo(fixture('cargo-suites.txt'))),
  );
});
