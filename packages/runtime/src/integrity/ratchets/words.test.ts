import { describe, expect, it } from 'vitest';
import { check } from '../testing.ts';

type Row = readonly [path: string, before: string, after: string];

describe('words are not deeds', () => {
  it.each<Row>([
    ['src/a.ts', 'f();', "log('use // eslint-disable or @ts-ignore here');"],
    ['src/a.ts', 'f();', '// Unlike `// @ts-ignore`, this is safe.\nf();'],
    ['src/a.ts', 'f();', "log('x as any');"],
    ['src/a.ts', 'f();', '// Casting x as any would be wrong.\nf();'],
    ['src/a.ts', 'f();', 'Promise.any(list); z.any(); const o = { any: 1 }; o.any;'],
    ['src/a.ts', 'f();', 'x!.y;'],
    ['src/a.ts', 'f();', '// prettier-ignore\nf();'],
    ['src/a.ts', 'f();', "log('process.exit(0)');"],
    ['src/a.ts', 'f();', 'process.exit(1);'],
    ['src/cli.ts', 'f();', 'process.exit(0);'],
    ['bin/tool.js', 'f();', 'process.exit(0);'],
    ['src/a.py', 'f()', 'def main(): ...\nif __name__ == "__main__":\n    sys.exit(0)'],
    ['src/a.py', 'f()', 'sys.exit(main())'],
    ['src/a.py', 'f()', '"""Do not use os._exit(0), pytest.skip() or cast(int, x)."""\nf()'],
    ['src/a.py', 'f()', 'from sqlalchemy import cast\nx = cast(col, Integer)'],
    ['src/a.py', 'f()', 'from typing import Any\nf()'],
    ['src/a.rs', 'fn f() {}', '/// Uses #[allow(dead_code)] and process::exit(0).\nfn f() {}'],
    ['main.go', 'package main', 'package main\nfunc main() { os.Exit(0) }'],
    ['src/a.ts', 'f();', "if (process.env.NODE_ENV === 'production') f();"],
    ['src/a.ts', 'f();', "import assert from 'node:assert';"],
    ['src/a.ts', 'f();', "if (process.env.NODE_ENV !== 'test') console.log(`listens at ${port}`);\nf();"],
    ['src/a.ts', 'f();', "list.filter((it) => typeof it === 'string');"],
    ['src/a.ts', 'f();', "const isLatest = process.argv.includes('--latest');"],
    ['src/a.js', 'f();', 'class Rule {\n  eval(sum) {\n    return this.rule.eval(sum);\n  }\n}'],
    ['src/a.ts', 'f();', 'class Rule {\n  eval(sum: number): Promise {\n    return sum;\n  }\n}'],
    ['src/a.py', 'f()', 'class Rule:\n    def eval(self, sum):\n        return self.rule.eval(sum)'],
    ['src/shop-cli.js', 'f();', 'process.exit(0);'],
    ['docs/a.md', 'x', '```ts\n// @ts-ignore\nx as any\n```'],
    ['src/a.ts', '// @ts-ignore\nf();', '// @ts-expect-error known\nf();'],
    ['src/a.ts', '/* eslint-disable */\nf();', '/* eslint-disable no-console */\nf();'],
    ['src/a.ts', '/* eslint-disable no-x */\nf();', '// eslint-disable-next-line no-x\nf();'],
    ['src/a.js', 'f();', '/* eslint no-console: "error", eqeqeq: [2] -- we mean it: all of it */\nf();'],
    ['src/a.js', 'f();', 'const copy = new this.constructor(1);\nclass A { constructor() { f(); } }'],
    ['src/a.py', 'f()  # noqa', 'f()  # noqa: E501'],
    [
      'src/a.py',
      'f()',
      'class A:\n    def __eq__(self, other):\n        return abs(self.x - other.x) < 1e-9\n\n    def g(self):\n        pass',
    ],
    ['src/a.py', 'f()', '"""Run with pytest, from tests/."""\nexclude = ["tests"]'],
    [
      'src/a.ts',
      'f();',
      'function isText(value: unknown): value is string {\n  return typeof value === "string";\n}',
    ],
    [
      'src/a.ts',
      'f();',
      'function f(a: string): string;\nfunction f(a: number): number;\nfunction f(a: any2): any2 {}',
    ],
    ['src/a.ts', 'f();', 'const all = Object.keys(x) as Name[];\nconst names = ["a"] as const;'],
    [
      'src/a.d.ts',
      '',
      'export declare function f(): string;\ndeclare global { interface Window { a: string } }',
    ],
    ['src/a.py', 'f()', 'kept = pickle.load(open(cache, "rb"))'],
    ['src/a.py', 'f()  # type: ignore', 'f()  # type: ignore[arg-type]'],
    ['dist/a.d.ts', 'x', 'export const a: any;'],
    ['test/fixtures/a.ts', '', '// @ts-ignore\nx as any'],
  ])('in %s: %j → %j', async (path, before, after) => {
    const { ratchets } = await check({ [path]: before }, { [path]: after });
    expect(ratchets.filter((one) => one.kind !== 'doubt')).toEqual([]);
  });
});
