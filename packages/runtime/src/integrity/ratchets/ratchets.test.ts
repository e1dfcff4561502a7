import { describe, expect, it } from 'vitest';
import { checkIntegrity, hiddenFailures } from '../index.ts';
import { check, noRules, told } from '../testing.ts';

type Row = readonly [path: string, before: string, after: string];

/** Rows that make exactly one file worse in one way. */
const worse: Record<string, readonly Row[]> = {
  suppression: [
    ['src/a.ts', 'f();', '// eslint-disable-next-line no-console\nf();'],
    ['src/a.ts', 'f();', '/* eslint-disable */\nf();'],
    ['src/a.ts', 'f();', 'f(); // eslint-disable-line'],
    ['src/a.ts', 'f();', '/* eslint no-console: "off" */\nf();'],
    ['src/a.js', 'f();', '/* eslint no-console: "warn", eqeqeq: "error" */\nf();'],
    ['src/a.js', 'f();', '/* eslint no-console: [1] */\nf();'],
    ['src/a.js', 'f();', '/* eslint no-console: ["error", { "allow": ["log"] }] */\nf();'],
    ['src/a.js', 'f();', '/* eslint "no-console": "\\u006fff" */\nf();'],
    ['src/a.ts', '// eslint-disable-next-line a\nf();', '// eslint-disable-next-line a, b\nf();'],
    ['src/a.ts', '// eslint-disable-next-line a\nf();', '// eslint-disable-next-line\nf();'],
    ['src/a.ts', '// eslint-disable-next-line a\nf();', '/* eslint-disable a */\nf();'],
    ['src/a.ts', 'f();', '// oxlint-disable-next-line no-x\nf();'],
    ['src/a.ts', 'f();', '// biome-ignore lint/x/y: why\nf();'],
    ['src/a.ts', 'f();', '// deno-lint-ignore no-explicit-any\nf();'],
    ['src/a.ts', 'f();', '// @ts-ignore\nf();'],
    ['src/a.ts', 'f();', '// @ts-expect-error it is wrong\nf();'],
    ['src/a.ts', 'f();', '/* @ts-ignore */ f();'],
    ['src/a.ts', 'f();', '/**\n * @ts-ignore\n */\nf();'],
    ['src/a.ts', 'a ? b : c', 'a ? b ://@ts-ignore\nc'],
    ['src/a.tsx', "<p>don't</p>", "<p>don't</p> {/* @ts-ignore */}"],
    ['src/a.ts', 'f();', '// @ts-nocheck\nf();'],
    ['src/a.ts', '// @ts-ignore\nf();', '// @ts-nocheck\nf();'],
    ['src/a.vue', '<script>\nf()\n</script>', '<script>\n// @ts-ignore\nf()\n</script>'],
    ['src/a.ts', 'f();', '/* istanbul ignore next */\nf();'],
    ['src/a.ts', 'f();', '/* v8 ignore start */\nf();'],
    ['src/a.js', '// @ts-check\nf();', 'f();'],
    ['src/a.py', 'f()', 'f()  # noqa'],
    ['src/a.py', 'f()  # noqa: E501', 'f()  # noqa'],
    ['src/a.py', 'f()', 'f()  # noqa: E501,F401'],
    ['src/a.py', 'f()', '# ruff: noqa\nf()'],
    ['src/a.py', 'f()', 'f()  # type: ignore'],
    ['src/a.py', 'f()', 'f()  # type: ignore[arg-type]'],
    ['src/a.py', 'f()', 'f()  # pyright: ignore'],
    ['src/a.py', 'f()', '# mypy: ignore-errors\nf()'],
    ['src/a.py', 'f()', 'f()  # pylint: disable=unused-import'],
    ['src/a.py', 'f()', 'f()  # pragma: no cover'],
    ['src/a.rs', 'fn f() {}', '#[allow(dead_code)]\nfn f() {}'],
    ['src/a.rs', '#[allow(dead_code)]\nfn f() {}', '#![allow(dead_code)]\nfn f() {}'],
    ['src/a.rs', '#![deny(warnings)]\nfn f() {}', 'fn f() {}'],
    ['a.go', 'f()', 'f() //nolint:errcheck'],
    ['a.go', 'f()', '//lint:ignore SA1000 why\nf()'],
    ['src/A.java', 'class A {}', '@SuppressWarnings("all")\nclass A {}'],
    ['src/a.kt', 'class A', '@Suppress("X")\nclass A'],
    ['a.rb', 'f', '# rubocop:disable Style/X\nf'],
    ['a.php', '<?php f();', '<?php // phpcs:ignore\nf();'],
    ['a.php', '<?php f();', '<?php /** @phpstan-ignore-next-line */\nf();'],
    ['A.cs', 'f();', '#pragma warning disable CS1591\nf();'],
    ['a.cpp', 'f();', 'f(); // NOLINT'],
    ['a.sh', 'f', '# shellcheck disable=SC2086\nf'],
    ['a.swift', 'f()', '// swiftlint:disable force_cast\nf()'],
    ['a.css', 'a{}', '/* stylelint-disable */\na{}'],
  ],
  'type-escape': [
    ['src/a.ts', 'f(x);', 'f(x as any);'],
    ['src/a.ts', 'let x: string;', 'let x: any;'],
    ['src/a.ts', 'f<string>(x);', 'f<any>(x);'],
    ['src/a.ts', 'let x: Record<string, string>;', 'let x: Record<string, any>;'],
    ['src/a.ts', 'let x: string[];', 'let x: any[];'],
    ['src/a.ts', 'type X = string;', 'type X = any;'],
    ['src/a.ts', 'const f = () => 1;', 'const f = (): any => 1;'],
    ['src/a.ts', 'f(x as A);', 'f(x as unknown as A);'],
    ['src/a.ts', 'f(x);', 'f(x as never);'],
    ['src/a.d.ts', '', "declare module 'x';"],
    ['src/a.ts', 'f(x);', 'f(x() as {} as A);'],
    ['src/a.ts', 'f(x);', 'f(<A>(<unknown>g(x)));'],
    ['src/a.ts', 'f(x);', '(f() as Function)(x);'],
    ['src/a.ts', 'f();', 'function be(value: unknown): asserts value is string {}'],
    ['src/a.ts', 'f();', 'function isA(value: unknown): value is A { return true; }'],
    ['src/a.ts', 'f();', 'function isText(value: unknown): value is string { return value != null; }'],
    ['src/a.ts', 'f();', 'const to = <T>(value: unknown): T => read(value);'],
    ['src/a.ts', 'f();', 'function f(a: A): string;\nfunction f(a: A): string | number {\n  return 1;\n}'],
    ['src/a.ts', 'f();', 'export declare function f(): string;'],
    ['src/a.ts', 'f();', 'declare global { interface Number { text: string } }'],
    ['src/a.ts', 'f(`${x}`);', 'f(`${x as any}`);'],
    ['src/a.js', 'f(x);', 'f(/** @type {any} */ (x));'],
    ['src/a.py', 'def f(x: int): ...', 'from typing import Any\ndef f(x: Any): ...'],
    ['src/a.py', 'x = y', 'from typing import cast\nx = cast(int, y)'],
    ['src/a.py', 'x = y', 'import typing\nx = typing.cast(int, y)'],
  ],
  skip: [
    ['test/a.test.ts', "it('a', f)", "it.skip('a', f)"],
    ['test/a.test.ts', "it('a', f)", "xit('a', f)"],
    ['test/a.test.ts', "describe('a', f)", "describe.skip('a', f)"],
    ['test/a.test.ts', "it('a', f)", "it.only('a', f)"],
    ['test/a.test.ts', "it('a', f)", "fit('a', f)"],
    ['test/a.test.ts', "it('a', f)", "it.fails('a', f)"],
    ['test/a.test.ts', "test('a', f)", "test.failing('a', f)"],
    ['test/a.test.ts', "test('a', f)", "test.concurrent.skip('a', f)"],
    ['test/a.test.ts', "it('a', f)", "it['skip']('a', f)"],
    ['test/a.test.ts', "test('a', f)", "test('a', { skip: true }, f)"],
    ['test/a.test.ts', "it('a', f)", "it.todo('a')"],
    ['tests/test_a.py', 'def test_a(): f()', '@pytest.mark.skip\ndef test_a(): f()'],
    ['tests/test_a.py', 'def test_a(): f()', '@pytest.mark.xfail\ndef test_a(): f()'],
    ['tests/test_a.py', 'def test_a(): f()', "@pytest.mark.skipif(True, reason='x')\ndef test_a(): f()"],
    ['tests/test_a.py', 'def test_a(): f()', 'def test_a(): pytest.skip()'],
    ['tests/test_a.py', 'def test_a(): f()', '@unittest.skip("x")\ndef test_a(): f()'],
    ['tests/test_a.py', 'def test_a(): f()', '__test__ = False\ndef test_a(): f()'],
    ['a_test.go', 'func TestA(t *testing.T) { f() }', 'func TestA(t *testing.T) { t.Skip(); f() }'],
    ['tests/a.rs', '#[test]\nfn a() { f() }', '#[test]\n#[ignore]\nfn a() { f() }'],
    ['src/test/ATest.java', '@Test void a() { f(); }', '@Disabled @Test void a() { f(); }'],
    ['spec/a_spec.rb', 'it "a" do\n  f\nend', 'it "a" do\n  pending\n  f\nend'],
    ['tests/ATest.php', 'function testA() { f(); }', 'function testA() { $this->markTestSkipped(); f(); }'],
    ['App.Tests/A.cs', '[Fact] void A() { F(); }', '[Fact(Skip = "x")] void A() { F(); }'],
  ],
  assertion: [
    [
      'test/a.test.ts',
      "it('a', () => { expect(a).toBe(1); expect(b).toBe(2); })",
      "it('a', () => { expect(a).toBe(1); })",
    ],
    [
      'test/a.test.ts',
      "it('a', () => { expect(a).toBe(1); })",
      "it('a', () => { expect(a).toBeDefined(); })",
    ],
    [
      'test/a.test.ts',
      "it('a', () => { expect(a).toBe(1); })",
      "it('a', () => { expect(true).toBe(true); })",
    ],
    [
      'test/a.test.ts',
      "it('a', () => { expect(a).toBe(1); })",
      "it('a', () => { expect(a === 1 || true).toBe(true); })",
    ],
    ['test/a.test.ts', "it('a', () => { assert.equal(a, 1); })", "it('a', () => {})"],
    ['test/a.test.ts', "it('a', () => { a.should.equal(1); })", "it('a', () => {})"],
    ['test/a.test.ts', "it('a', f); it('b', f);", "it('a', f);"],
    ['tests/test_a.py', 'def test_a():\n    assert f() == 1', 'def test_a():\n    assert True'],
    ['tests/test_a.py', 'def test_a():\n    assert f() == 1', 'def test_a():\n    assert f() == 1 or True'],
    ['tests/test_a.py', 'def test_a(self):\n    self.assertEqual(f(), 1)', 'def test_a(self):\n    f()'],
    ['tests/test_a.py', 'def test_a():\n    with pytest.raises(E):\n        f()', 'def test_a():\n    f()'],
    ['a_test.go', 'func TestA(t *testing.T) { if x { t.Error("x") } }', 'func TestA(t *testing.T) { }'],
    ['a_test.go', 'func TestA(t *testing.T) { assert.Equal(t, 1, f()) }', 'func TestA(t *testing.T) { f() }'],
    ['tests/a.rs', '#[test]\nfn a() { assert_eq!(f(), 1); }', '#[test]\nfn a() { f(); }'],
    [
      'src/a.rs',
      '#[cfg(test)]\nmod tests {\n#[test]\nfn a() { assert!(f()); }\n}',
      '#[cfg(test)]\nmod tests {\n#[test]\nfn a() { f(); }\n}',
    ],
    ['src/test/ATest.java', '@Test void a() { assertEquals(1, f()); }', '@Test void a() { f(); }'],
    ['spec/a_spec.rb', 'it "a" do\n  expect(f).to eq 1\nend', 'it "a" do\n  f\nend'],
    ['tests/ATest.php', 'function testA() { $this->assertSame(1, f()); }', 'function testA() { f(); }'],
  ],
  exit: [
    ['src/a.ts', 'f();', 'process.exit(0);'],
    ['src/a.ts', 'f();', 'process.exit();'],
    ['src/a.ts', 'f();', "process['exit'](0);"],
    ['src/a.ts', 'f();', 'process.\\u0065xit(0);'],
    ['src/a.ts', 'f();', 'const { exit } = process; exit(0);'],
    ['src/a.ts', 'f();', "import { exit } from 'node:process';"],
    ['src/a.ts', 'f();', 'process.exitCode = 0;'],
    ['src/a.ts', 'f();', 'process.kill(process.pid);'],
    ['src/a.py', 'f()', 'import os\nos._exit(0)'],
    ['src/a.py', 'f()', 'import sys\nsys.exit(0)'],
    ['src/a.py', 'f()', 'raise SystemExit'],
    ['a.go', 'package a', 'package a\nfunc f() { os.Exit(0) }'],
    ['a.go', 'package a', 'package a\nfunc f() { runtime.Goexit() }'],
    ['src/a.rs', 'fn f() {}', 'fn f() { std::process::exit(0) }'],
    ['src/A.java', 'f();', 'System.exit(0);'],
    ['lib/a.rb', 'f', 'exit!'],
  ],
  aware: [
    ['src/a.ts', 'f();', "import { vi } from 'vitest';"],
    ['src/a.ts', 'f();', "const x = require('@jest/globals');"],
    ['src/a.py', 'f()', 'import _pytest.runner'],
    ['src/a.py', 'f()', 'from unittest import mock'],
    ['src/a.py', 'class A: ...', 'class A:\n    def __eq__(self, other):\n        return True'],
    ['src/a.ts', 'f();', 'if (process.env.JEST_WORKER_ID) f();'],
    ['src/a.ts', 'f();', 'if (process.env.VITEST) f();'],
    ['src/a.ts', 'f();', "if (process.env.NODE_ENV === 'test') f();"],
    ['src/a.ts', 'f();', "if (process.env.NODE_ENV !== 'test') console.log(broken = true);"],
    ['src/a.ts', 'f();', "if (process.env.NODE_ENV !== 'test') console.log(breakIt());"],
    ['src/a.ts', 'f();', "if (process.env.NODE_ENV !== 'test') console.log(1);\nelse f();"],
    ['src/a.ts', 'f();', "const x = process.env.NODE_ENV !== 'test' && console.log(1);"],
    ['src/a.ts', 'f();', "if (typeof it === 'function') f();"],
    ['src/a.ts', 'f();', "if (typeof jest === 'object') f();"],
    ['src/a.ts', 'f();', "if (process.argv[1].includes('test')) f();"],
    ['src/a.ts', 'f();', 'const x = a ? eval(b) : {};'],
    ['src/a.ts', 'f();', 'const x = a ? eval(b) : class {};'],
    ['src/a.ts', 'f();', 'switch (true) { case eval(a): try { f() } finally {} }'],
    ['src/a.py', 'f()', 'x = [exec(code)]'],
    ['src/a.py', 'f()', "import os\nif os.environ.get('PYTEST_CURRENT_TEST'): f()"],
    ['src/a.py', 'f()', "import sys\nif 'pytest' in sys.modules: f()"],
    ['src/a.ts', 'f();', "const t = readFileSync('test/add.test.ts', 'utf8');"],
    ['src/a.py', 'f()', "t = open('tests/test_add.py').read()"],
    ['src/a.ts', 'f();', 'globalThis.expect = g;'],
    ['src/a.ts', 'f();', 'Date.now = () => 0;'],
    ['src/a.ts', 'f();', 'class A { static [Symbol.hasInstance]() { return true; } }'],
    ['src/a.py', 'f()', 'import builtins\nbuiltins.open = g'],
  ],
  smell: [
    ['src/a.ts', 'f();', "process.on('exit', g);"],
    ['src/a.ts', 'f();', 'spawn(a, { detached: true });'],
    ['src/a.py', 'f()', 'import atexit\natexit.register(g)'],
  ],
};

describe('what got worse is counted', () => {
  it.each(Object.entries(worse).flatMap(([kind, rows]) => rows.map((row) => [kind, ...row] as const)))(
    '%s in %s: %j → %j',
    async (kind, path, before, after) => {
      const { ratchets } = await check({ [path]: before }, { [path]: after });
      expect(ratchets.map((one) => [one.kind, one.file])).toEqual([[kind, path]]);
    },
  );

  it('with an id that stays, numbers, and words', async () => {
    const { ratchets } = await check(
      { 'src/a.ts': '// @ts-ignore\nf();' },
      { 'src/a.ts': '// @ts-ignore\nf();\n// @ts-ignore\ng();' },
    );
    expect(ratchets).toEqual([
      {
        id: 'suppression:typescript:src/a.ts',
        title: 'more type errors that are ignored in src/a.ts',
        file: 'src/a.ts',
        kind: 'suppression',
        before: 1,
        after: 2,
        message: 'src/a.ts had 1 type errors that are ignored and has 2 now',
        oid: expect.stringMatching(/^[0-9a-f]{40}$/),
      },
    ]);
  });

  it.each<[string, string, string]>([
    ['a_test.go', 'func TestMain(m *testing.M) { os.Exit(0) }', 'exit'],
    ['tests/test_new.py', 'import os\nos._exit(0)', 'exit'],
    ['test/new.test.js', 'process.exit(0);', 'exit'],
    ['test/new.test.js', "process.on('exit', () => {});", 'smell'],
    ['test/new.test.js', "it.only('x', f);", 'skip'],
    ['tests/test_new.py', 'import _pytest.runner', 'smell'],
  ])('also in a new test, when it takes the others along: %s %j', async (path, text, kind) => {
    expect((await check({}, { [path]: text })).ratchets.map((one) => one.kind)).toEqual([kind]);
  });

  it('when a source goes where nobody looks', async () => {
    const text = 'export const a = 1;\nexport const b = 2;\n';
    expect(await told({ 'src/a.ts': text }, { 'src/a.js': 'export const a = 1;' })).toEqual([
      'type-escape src/a.js 0 → 1',
    ]);
    expect(await told({ 'src/a.ts': text }, { 'dist/a.ts': text })).toEqual(['smell dist/a.ts 0 → 1']);
  });

  it('in new files of sources, too', async () => {
    expect(await told({}, { 'src/a.ts': 'export const a: any = 1;' })).toEqual([
      'type-escape src/a.ts 0 → 1',
    ]);
  });

  it('in the file that really gained, when code was moved at the same time', async () => {
    const moved = '// @ts-ignore\na();\n// @ts-ignore\nb();\n';
    const told1 = await told(
      { 'src/a.ts': moved, 'src/b.ts': 'x();', 'src/c.ts': 'y();' },
      { 'src/a.ts': '', 'src/b.ts': `x();\n${moved}`, 'src/c.ts': '// @ts-ignore\ny();' },
    );
    expect(told1).toEqual(['suppression src/c.ts 0 → 1']);
  });

  it('and a flood of files hides nothing in silence', async () => {
    const large = `// @ts-ignore\n${'f();\n'.repeat(300_000)}`;
    expect(await told({}, { 'src/a.ts': large })).toEqual(['suppression src/a.ts 0 → 1']);
  });

  it('reads texts of two bytes a character as a compiler does', async () => {
    const wide = `\ufeff${'// @ts-ignore\nf();'}`;
    const checked = await checkWide(wide);
    expect(checked).toEqual(['suppression']);
  });
});

async function checkWide(text: string): Promise<string[]> {
  const body = Buffer.from(text, 'utf16le');
  const reader = {
    list: async (tree: string) =>
      tree === 'now' ? [{ path: 'a.ts', mode: '100644', oid: 'x', size: body.length }] : [],
    read: async () => body,
  };
  const { ratchets } = await checkIntegrity('base', 'now', reader, noRules);
  return ratchets.map((one) => one.kind);
}

describe('a known failure', () => {
  const finding = (id: string, file?: string) => ({ id, title: id, ...(file === undefined ? {} : { file }) });

  it('is hidden where its file looks away more than it did, and not elsewhere', async () => {
    const { ratchets } = await check(
      { 'src/a.ts': 'f();', 'src/b.ts': 'g();', 'test/a.test.ts': "it('a', f)" },
      { 'src/a.ts': '// @ts-ignore\nf();', 'src/b.ts': 'g(1);', 'test/a.test.ts': "it.skip('a', f)" },
    );
    const known = [
      finding('type:TS2322', 'src/a.ts'),
      finding('type:TS1', 'src/b.ts'),
      finding('x'),
      finding('t', 'test/a.test.ts'),
    ];
    expect(hiddenFailures(known, ratchets).map((one) => one.id)).toEqual(['type:TS2322']);
  });
});
