import { describe, expect, test } from 'vitest';
import { fixture } from './fixtures/index.ts';
import { type Format, formatOf, readers } from './index.ts';
import { readPattern } from './pattern.ts';

const captured: Partial<Record<Format, string>> = {
  jest: 'vitest-json.txt',
  mocha: 'mocha-json.txt',
  ctrf: 'ctrf-json.txt',
  go: 'go.jsonl',
  cargo: 'cargo.jsonl',
  eslint: 'eslint-json.txt',
  ruff: 'ruff-json.txt',
  mypy: 'mypy.jsonl',
};
const rows = Object.entries(captured) as [Format, string][];

/** Whether a gate with exit code 0 would be green by it. */
function isGreen(format: Format, text: string): boolean {
  const report = readers[format](text);
  if (report.kind === 'absent' || !report.complete || report.findings.length > 0) return false;
  return report.tests === undefined || report.tests.passed > 0;
}

const green =
  '{"numTotalTestSuites":1,"numTotalTests":1,"numPassedTests":1,"numFailedTests":0,"success":true,"testResults":[{"name":"a.js","status":"passed","assertionResults":[{"title":"a","status":"passed"}]}]}';

test('the document that the others are made from is green', () => {
  expect(isGreen('jest', green)).toBe(true);
});

describe.each(rows)('%s', (format, name) => {
  const text = fixture(name);

  test('is no pass with bytes that are not text', () => {
    const bytes = Buffer.from(text);
    for (let at = 5; at < bytes.length; at += 7) bytes[at] = 0xff;
    expect(isGreen(format, bytes.toString('utf8'))).toBe(false);
  });

  test('is no pass with names that are no text', () => {
    const odd = text
      .replaceAll(/"(title|fullTitle|name|Test|filename|filePath|file)"(: ?)"[^"]*"/g, '"$1"$2{"length":3}')
      .replaceAll(/"(ruleId|code)"(: ?)"[^"]*"/g, '"$1"$2[1]');
    expect(odd).not.toBe(text);
    expect(isGreen(format, odd)).toBe(false);
  });
});

describe('what would be green to a careless reader', () => {
  const passing = '"assertionResults":[{"title":"a","status":"passed"}]';
  const places = '[{"filePath":"a.js","errorCount":0,"messages":[';
  test.each<[string, Format, string]>([
    [
      'tests that stand twice',
      'jest',
      green.replace(passing, `"assertionResults":[{"title":"a","status":"failed"}],${passing}`),
    ],
    [
      'a status that stands twice',
      'jest',
      green.replace('"status":"passed"}', '"status":"failed","status":"passed"}'),
    ],
    [
      'an action that stands twice',
      'go',
      '{"Action":"fail","Action":"pass","Package":"p","Test":"T"}\n{"Action":"pass","Package":"p"}',
    ],
    ['complaints that stand twice', 'eslint', `${places}{"severity":2,"message":"x"}],"messages":[]}]`],
    [
      'a status of the prototype',
      'jest',
      green.replace('"status":"passed"}', '"__proto__":{"status":"passed"}}'),
    ],
    ['tests of the prototype', 'jest', green.replace('"testResults":', '"__proto__":')],
    [
      'a name that is no text',
      'jest',
      green.replace(passing, passing.replace(']', ',{"title":{},"status":"failed"}]')),
    ],
    [
      'a file that is no text',
      'jest',
      green.replace('"testResults":[', '"testResults":[{"name":1,"assertionResults":[]},'),
    ],
    ['a complaint that is no text', 'eslint', `${places}{"severity":2,"message":{}}]}]`],
    ['a severity that is no number', 'eslint', `${places}{"severity":"2","message":"x"}]}]`],
    [
      'a code that is no text',
      'ruff',
      '[{"code":7,"filename":"a","location":{"row":1,"column":1},"message":"x"}]',
    ],
    [
      'a complaint without a place',
      'mypy',
      '{"file": "a.py", "line": 1, "column": "x", "message": "x", "severity": "error"}',
    ],
    [
      'a package that is no text',
      'go',
      '{"Action":"fail","Package":7}\n{"Action":"pass","Package":"p","Test":"T"}\n{"Action":"pass","Package":"p"}',
    ],
  ])('%s', (_name, format, text) => {
    expect(isGreen(format, text)).toBe(false);
  });
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])('a test may be called %s', (name) => {
  const report = readers.jest(green.replace('"title":"a"', `"title":"${name}"`));
  expect(report).toMatchObject({ complete: true, cases: [{ id: `test:a.js > ${name}`, status: 'passed' }] });
  for (const action of [name, `"${name}"`])
    expect(isGreen('go', `{"Action":"pass","Package":"p","Test":${JSON.stringify(action)}}`)).toBe(false);
  expect(isGreen('cargo', `{"type":"test","name":"a","event":"${name}"}`)).toBe(false);
});

const megabytes = (piece: string, count: number) =>
  piece.repeat(Math.ceil((count * 1_000_000) / piece.length));

describe('many megabytes', () => {
  test.each<[string, Format, () => string]>([
    ['deep arrays', 'jest', () => `{"numTotalTestSuites":${'['.repeat(50_000_000)}`],
    ['deep objects', 'ctrf', () => `{"results":{"tool":${megabytes('{"a":', 8)}`],
    ['documents that begin and do not end', 'mocha', () => megabytes('{"stats":{"suites":\n', 50)],
    ['one string without an end', 'eslint', () => `[{"filePath":"${'a'.repeat(8_000_000)}`],
    ['escapes', 'ruff', () => `[{"code":"${'\\\\'.repeat(4_000_000)}`],
    [
      'empty objects',
      'eslint',
      () => `[{"filePath":"a","messages":[${megabytes('{},', 50)}{}],"errorCount":0}]`,
    ],
    ['lines of nothing', 'go', () => megabytes('{"Action":"\n', 8)],
    ['brackets', 'jest', () => megabytes('{ [ ', 8)],
    ['white space', 'mocha', () => `{${' '.repeat(8_000_000)}`],
    ['words', 'cargo', () => megabytes('test a ... \n', 8)],
  ])(
    'of %s are neither a pass nor a hang',
    (_name, format, make) => {
      const text = make();
      const from = performance.now();
      expect(isGreen(format, text)).toBe(false);
      formatOf(text);
      expect(performance.now() - from).toBeLessThan(20_000);
    },
    60_000,
  );

  test('of tests that passed are read', () => {
    const one = `{"title":"${'a'.repeat(900)}","status":"passed"}`;
    const many = Array.from({ length: 50_000 }, () => one).join(',');
    const text = green
      .replace('"numTotalTests":1,"numPassedTests":1', '"numTotalTests":50000,"numPassedTests":50000')
      .replace('{"title":"a","status":"passed"}', many);
    expect(readers.jest(text)).toMatchObject({ complete: true, tests: { passed: 50_000 } });
  }, 60_000);
});

describe('a pattern', () => {
  test('that takes for ever is given up', () => {
    const from = performance.now();
    expect(readPattern('^(?<message>(a+)+)$', `${'a'.repeat(60)}b`)).toBeUndefined();
    expect(performance.now() - from).toBeLessThan(5_000);
  });

  test('on more lines than are looked at is not whole', () => {
    expect(readPattern('^(?<message>x)$', 'a\n'.repeat(100_001))).toMatchObject({ complete: false });
  });

  test('looks at the beginning of a very long line', () => {
    expect(readPattern('^(?<rule>\\w): (?<message>.*)$', `E: ${'x'.repeat(5_000_000)}`)).toMatchObject({
      findings: [{ id: expect.stringMatching(/^lint:E:/) }],
    });
  });
});
