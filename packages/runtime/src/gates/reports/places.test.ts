import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fixture } from './fixtures/index.ts';
import { type Format, formatOf, openProject, readers } from './index.ts';
import { symbolOf } from './symbol.ts';
import { idsOf, loadsOf, read } from './testing.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-places-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The id without the hash of the text. */
const short = (ids: readonly string[]) => ids.map((id) => id.replace(/:[0-9a-f]{8}(?= |$)/, ''));

describe('captured reports', () => {
  test.each<[string, Format, string[], string[]]>([
    [
      'eslint-json.txt',
      'eslint',
      [
        'lint:no-unused-vars:lint/a.js',
        ...Array.from({ length: 3 }, () => 'lint:no-undef:lint/a.js'),
        'lint:no-undef:lint/a.js #2',
        'lint:no-undef:lint/a.js #2',
        'lint:no-undef:lint/a.js',
        'lint:error:lint/b.js',
      ],
      ['lint/b.js'],
    ],
    ['ruff-json.txt', 'ruff', ['lint:F401:a.py', 'lint:F821:a.py'], []],
    [
      'mypy.jsonl',
      'mypy',
      [
        'type:assignment:a.py',
        'type:arg-type:a.py:f',
        'type:name-defined:a.py:missing',
        'type:attr-defined:a.py:nothing',
      ],
      [],
    ],
  ])('%s', (name, format, ids, loads) => {
    const report = readers[format](fixture(name));
    expect(formatOf(fixture(name))).toBe(format);
    expect(report).toMatchObject({ kind: 'read', complete: true });
    expect(read(report)).not.toHaveProperty('tests');
    expect(short(idsOf(report))).toEqual(ids);
    expect(loadsOf(report).map((id) => id.split(':')[2])).toEqual(loads);
  });

  test('warnings are kept aside', () => {
    const { warnings } = read(readers.eslint(fixture('eslint-json.txt')));
    expect(short(warnings?.map(({ id }) => id) ?? [])).toEqual(['lint:no-constant-condition:lint/a.js']);
  });

  test('words and JSON of one tool give the same ids', () => {
    write(
      'lint/a.js',
      'const unused = 1;\nconsole.log(missing, gone);\nconsole.log(missing);\nif (true) { alert(1) }\n',
    );
    const project = openProject({ root });
    expect(idsOf(readers.eslint(fixture('eslint-json.txt'), project))).toEqual(
      idsOf(readers.plain(fixture('eslint-stylish.txt'), project)),
    );
    const json = idsOf(readers.mypy(fixture('mypy.jsonl')));
    expect(idsOf(readers.mypy(fixture('mypy.txt')))).toEqual(json);
    expect(idsOf(readers.plain(fixture('mypy.txt')))).toEqual(json);
    expect(idsOf(readers.plain(fixture('ruff.txt')))).toEqual(idsOf(readers.ruff(fixture('ruff-json.txt'))));
    expect(idsOf(readers.tsc(fixture('tsc-pretty.txt')))).toEqual(idsOf(readers.plain(fixture('tsc.txt'))));
  });

  test('a file that cannot be read by the tool hides what is in it', () => {
    const ruff =
      '[{"cell":null,"code":"invalid-syntax","filename":"a.py","location":{"row":1,"column":7},"message":"x"}]';
    const mypy =
      '{"file": "a.py", "line": 1, "column": 7, "message": "x", "hint": null, "code": "syntax", "severity": "error"}';
    expect(loadsOf(readers.ruff(ruff))).toHaveLength(1);
    expect(loadsOf(readers.mypy(mypy))).toHaveLength(1);
    expect(loadsOf(readers.tsc('a.ts(1,1): error TS1005: x'))).toHaveLength(1);
  });
});

describe('nothing found', () => {
  test.each<[Format, string, boolean]>([
    ['ruff', '[]', true],
    ['eslint', '[{"filePath":"/project/a.js","messages":[],"errorCount":0}]', true],
    ['mypy', 'Success: no issues found in 1 source file\n', true],
    ['mypy', '\n', true],
    ['tsc', '', true],
    ['eslint', '[]', false],
    ['eslint', '[{"filePath":"a.js","messages":[],"errorCount":3}]', false],
    ['eslint', '[{"filePath":"a.js","messages":[{"severity":"2","message":"x"}],"errorCount":0}]', false],
    ['eslint', '[{"filePath":"a.js","messages":[]', false],
    ['ruff', '[{"cell":null,"code":"F401"}]', false],
    ['ruff', '[{"cell":null,"code":"F401","filename":"a', false],
    ['mypy', 'Found 3 errors in 1 file (checked 1 source file)\n', false],
    ['tsc', 'Found 2 errors in 2 files.\n', false],
  ])('by %s in %j: may pass %s', (format, text, may) => {
    expect(readers[format](text)).toMatchObject({ kind: 'read', complete: may, findings: [] });
  });

  test.each<Format>(['eslint', 'ruff'])('%s needs its report', (format) => {
    expect(readers[format]('all good')).toMatchObject({ kind: 'absent' });
    expect(readers[format]('')).toMatchObject({ kind: 'absent' });
  });
});

describe('what makes an id', () => {
  const eslint = (...at: number[]) =>
    JSON.stringify([
      {
        filePath: `${root}/src/a.js`,
        errorCount: at.length,
        messages: at.map((line) => ({
          ruleId: 'no-undef',
          severity: 2,
          message: "'x' is not defined.",
          line,
        })),
      },
    ]);
  const ids = (text: string) => idsOf(readers.eslint(text, openProject({ root })));

  test('is the text at the place, so that a line shift is nothing new', () => {
    write('src/a.js', 'a(x);\nb(x);\n');
    const before = ids(eslint(1, 2));
    expect(new Set(before).size).toBe(2);
    write('src/a.js', '// one\n// more\n  a(x);\n\n\tb(x);\n');
    expect(ids(eslint(3, 5))).toEqual(before);
    expect(ids(eslint(5, 3))).toEqual(before.toReversed());
  });

  test('leaves one of two when the other is mended', () => {
    write('src/a.js', 'a(x);\nb(x);\n');
    const [first, second] = ids(eslint(1, 2));
    write('src/a.js', 'a();\nb(x);\n');
    expect(ids(eslint(2))).toEqual([second]);
    write('src/a.js', 'a(x);\na(x);\n');
    expect(ids(eslint(1, 2))).toEqual([first, `${first} #2`]);
  });

  test('is the message alone where the file cannot be looked at', () => {
    const missing = ids(eslint(1));
    const beside = `${root}-beside`;
    mkdirSync(beside);
    writeFileSync(join(beside, 'a.js'), 'secret\n');
    mkdirSync(join(root, 'src'));
    symlinkSync(join(beside, 'a.js'), join(root, 'src/a.js'));
    expect(ids(eslint(1))).toEqual(missing);
    rmSync(join(root, 'src/a.js'));
    rmSync(beside, { recursive: true });
    execFileSync('mkfifo', [join(root, 'src/a.js')]);
    expect(ids(eslint(1))).toEqual(missing);
    rmSync(join(root, 'src/a.js'));
    write('src/a.js', `${'x'.repeat(2 * 1024 * 1024)}\n`);
    expect(ids(eslint(1))).toEqual(missing);
  });

  test('also in the words of a tool that nobody asked for a report', () => {
    write('a.c', 'int a = x;\nint b = x;\n');
    const text = 'a.c:1:9: error: x undeclared\na.c:2:9: error: x undeclared\n';
    expect(new Set(idsOf(readers.plain(text, openProject({ root })))).size).toBe(2);
    expect(short(idsOf(readers.plain(text)))).toEqual(['lint:error:a.c', 'lint:error:a.c #2']);
  });

  test('of a type error is the symbol, however its type is spelt', () => {
    const one = "a.ts(1,1): error TS2339: Property 'foo' does not exist on type '{ a: number; }'.";
    const same = "a.ts(7,3): error TS2339: Property 'foo' does not exist on type 'Bar'.";
    expect(idsOf(readers.tsc(one))).toEqual(['type:TS2339:a.ts:foo']);
    expect(idsOf(readers.tsc(same))).toEqual(idsOf(readers.tsc(one)));
  });

  test('pytest names modules, and the file is known where it is there', () => {
    const xml =
      '<testsuite name="pytest"><testcase classname="tests.test_a.TestAdd" name="test_x"><failure message="no"/></testcase><testcase classname="tests.test_a" name="test_y"/><testcase classname="" name="tests.test_b"><error message="collection failure"/></testcase></testsuite>';
    write('tests/test_a.py', '');
    write('tests/test_b.py', '');
    const report = readers.junit(xml, openProject({ root }));
    expect(read(report).cases).toEqual([
      { id: 'test:tests/test_a.py > TestAdd > test_x', status: 'failed', file: 'tests/test_a.py' },
      { id: 'test:tests/test_a.py > test_y', status: 'passed', file: 'tests/test_a.py' },
      { id: 'test:tests/test_b.py', status: 'failed', file: 'tests/test_b.py' },
    ]);
    expect(loadsOf(report)).toEqual(['test:tests/test_b.py']);
    expect(idsOf(readers.junit(xml))).toEqual(['test:tests.test_a.TestAdd > test_x', 'test:tests.test_b']);
  });

  test('go names a file without its folder, and the folder is found', () => {
    write('calc/calc_test.go', '');
    const report = readers.go(fixture('go.jsonl'), openProject({ root }));
    expect(read(report).findings[0]?.file).toBe('calc/calc_test.go');
  });
});

test.each([
  ["Property 'foo' does not exist on type 'Bar'.", 'foo'],
  ["Cannot find name 'x'. Did you mean 'y'?", 'x'],
  [`Module '"./a"' has no exported member 'run'.`, 'run'],
  ["Cannot find module './gone' or its corresponding type declarations.", './gone'],
  ["'unused' is declared but its value is never read.", 'unused'],
  ["Parameter 'a' implicitly has an 'any' type.", 'a'],
  ["Object literal may only specify known properties, and 'foo' does not exist in type 'Bar'.", 'foo'],
  ["Type 'string' is not assignable to type 'number'.", undefined],
  ["Argument of type 'string' is not assignable to parameter of type 'number'.", undefined],
  ["Operator '+' cannot be applied to types 'A' and 'B'.", undefined],
  ['Expected 2 arguments, but got 1.', undefined],
  ['Name "x" is not defined', 'x'],
  ['"Foo" has no attribute "bar"', 'bar'],
  ['Need type annotation for "xs"', 'xs'],
  ['Incompatible return value type (got "str", expected "int")', undefined],
  ['cannot find value `x` in this scope', 'x'],
  ['', undefined],
])('the symbol of %j is %s', (message, symbol) => {
  expect(symbolOf(message)).toBe(symbol);
});
