import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { TestCase, Verdict } from '@agentgate/core';
import { type Canary, canaryBeside, canaryWithin, redIn, withoutCanary } from './canary.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs `node --test` on these files and answers its exit code and output. */
function nodeTests(files: Record<string, string>): { code: number; output: string } {
  const root = mkdtempSync(join(tmpdir(), 'agentgate-canary-'));
  folders.push(root);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  try {
    const output = execFileSync(process.execPath, ['--test', '--test-reporter=tap'], { cwd: root, env });
    return { code: 0, output: output.toString() };
  } catch (error) {
    const { status, stdout } = error as { status: number; stdout: Buffer };
    return { code: status, output: stdout.toString() };
  }
}

describe('a canary', () => {
  const sibling =
    "import test from 'node:test';\nimport { add } from '../src/add.mjs';\ntest('adds', () => add(1, 2));\n";

  it('runs beside the tests of the project: two of its three must fail', () => {
    const canary = canaryBeside('node', 'test/add.test.mjs', sibling, 'n1')!;
    const { code, output } = nodeTests({
      'src/add.mjs': 'export const add = (a, b) => a + b;',
      'test/add.test.mjs': sibling,
      [canary.path]: canary.content,
    });
    expect(code).toBe(1);
    expect(output).toMatch(/^(?: {4})*ok \d+ - agentgate canary n1 passes/m);
    expect(output).toMatch(/^(?: {4})*not ok \d+ - agentgate canary n1 fails/m);
    expect(output).toMatch(/^(?: {4})*not ok \d+ - agentgate canary n1 throws/m);
  });

  it('loads the code under test, so that what this does to the runner is done to the canary', () => {
    const canary = canaryBeside('node', 'test/add.test.mjs', sibling, 'n1')!;
    const { output } = nodeTests({
      'src/add.mjs':
        "import assert from 'node:assert';\nassert.strictEqual = () => {};\nimport { syncBuiltinESMExports } from 'node:module';\nsyncBuiltinESMExports();\nexport const add = () => 0;",
      [canary.path]: canary.content,
    });
    expect(output).toMatch(/^(?: {4})*ok \d+ - agentgate canary n1 fails/m);
  });

  it.each([
    [
      'vitest',
      'src/a.spec.ts',
      "import { it } from 'vitest';\nimport '../x.ts';",
      'src/agentgate-canary-n.spec.ts',
      'import "../x.ts";',
    ],
    ['jest', 'a.test.js', "const a = require('./a');", 'agentgate-canary-n.test.js', 'require("./a");'],
    ['mocha', 'test/a.cjs', "const a = require('../a')", 'test/agentgate-canary-n.cjs', 'require("../a");'],
    [
      'pytest',
      'tests/test_a.py',
      'from app import a\nimport os',
      'tests/test_agentgate_canary_n.py',
      'from app import a',
    ],
  ] as const)('of %s looks like the test beside it', (runner, file, text, path, load) => {
    const canary = canaryBeside(runner, file, text, 'n')!;
    expect(canary.path).toBe(path);
    expect(canary.content).toContain(load);
  });

  it('stands among the tests that were red, called like one of them', () => {
    const red = [{ id: 'test:tests/test_a.py > test_adds[1]', title: '' }];
    expect(redIn('tests/test_a.py', red)).toBe('test_adds');
    expect(redIn('tests/test_b.py', red)).toBeUndefined();
    const { path, content, mark } = canaryWithin('tests/test_a.py', 'x = 1\n', 'n', 'test_adds');
    expect([path, mark]).toEqual(['tests/test_a.py', 'agentgate_canary_n']);
    expect(content).toMatch(/^x = 1\n[\s\S]*def test_adds_agentgate_canary_n_fails\(\):/);
  });

  it('is not carried where the runner would not take its name for a test', () => {
    expect(canaryBeside('pytest', 'checks/all.py', '', 'n')).toBeNull();
    expect(canaryBeside('vitest', 'features/a.feature', '', 'n')).toBeNull();
  });
});

describe('a judgement with a canary in it', () => {
  const canary: Canary = { path: 'c', content: '', mark: 'canary-x' };
  const one = (name: string, status: TestCase['status']): TestCase => ({ id: `test:${name}`, status });
  const good = [
    one('canary-x passes', 'passed'),
    one('canary-x fails', 'failed'),
    one('canary-x throws', 'failed'),
  ];
  const finding = (id: string) => ({ id, title: id });
  const red = (...ids: string[]): Verdict => ({
    kind: 'failed',
    findings: ids.map(finding),
    tests: { passed: 4, failed: 2, skipped: 0 },
    excerpt: '',
  });
  const own = ['test:canary-x fails', 'test:canary-x throws'];

  it('passes when nothing but what must fail has failed', () => {
    const exit = { id: 'exit:1', title: 'exited with 1', synthetic: true as const };
    const verdict = { ...red(...own), findings: [...own.map(finding), exit] } as Verdict;
    expect(withoutCanary(verdict, good, canary)).toEqual({
      kind: 'passed',
      tests: { passed: 3, failed: 0, skipped: 0 },
    });
  });

  it('keeps every other failure', () => {
    expect(withoutCanary(red(...own, 'test:a'), good, canary)).toMatchObject({
      findings: [finding('test:a')],
    });
  });

  it.each([
    ['the command says that all is well', { kind: 'passed' } as Verdict, good],
    ['one that must fail passed', red(own[0]!), [good[0]!, good[1]!, one('canary-x throws', 'passed')]],
    ['the one that must pass did not', red(...own), [good[1]!, good[2]!]],
    [
      'they were skipped',
      { kind: 'passed' } as Verdict,
      good.map((each) => ({ ...each, status: 'skipped' as const })),
    ],
  ])('is not believed when %s', (_, verdict, cases) => {
    expect(withoutCanary(verdict, cases, canary)).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'integrity:canary' }],
    });
  });

  it('says nothing where the runner never ran it', () => {
    expect(withoutCanary({ kind: 'passed' }, [one('a', 'passed')], canary)).toBe('uncarried');
  });

  it('is what it is when the gate could not run or ran out of time', () => {
    const late: Verdict = { kind: 'timed-out', afterMs: 1, excerpt: '' };
    expect(withoutCanary(late, undefined, canary)).toBe(late);
  });
});
