import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type GateRequest, parseSpec, type RunSpec, type SealedAt } from '@agentgate/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { judge } from '../gates/index.ts';
import { runOf } from '../gates/testing.ts';
import { makeRoomBed, noRooms, type RoomBed } from '../room/testing.ts';
import { openSeal } from './index.ts';

const wrong = 'export const add = (a, b) => a - b;\n';
const right = 'export const add = (a, b) => a + b;\n';
const code = '../src/add.js';
const tests = `import test from 'node:test';
import assert from 'node:assert';
import { add } from '${code}';
test('adds', () => assert.equal(add(1, 2), 3));
test('adds nothing', () => assert.equal(add(0, 0), 0));
`;

const project = {
  'package.json': JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }),
  'src/add.js': wrong,
  'test/add.test.js': tests,
};

/** A project of a few files with a fault in it, rehearsed, as a run has it before its agent begins. */
async function begin(fields: Record<string, unknown> = {}, files: Record<string, string> = project) {
  const bed = await makeRoomBed();
  bed.git('init', '-q');
  for (const [path, text] of Object.entries(files)) bed.write(path, text);
  const spec = specOf({ gates: { tests: 'npm test' }, integrity: 'guarded', ...fields });
  const { root, gitDir, workspace } = bed;
  const seal = await openSeal({ room: join(bed.home), gitDir, root, spec, workspace, judge, hide: [] });
  onTestFinished(() => seal.close());
  const baseTree = await bed.snapshot();
  const request: GateRequest = {
    gate: spec.gates[0]!,
    root,
    run: runOf(),
    timeoutMs: 30_000,
    marker: `seal-test-${process.pid}-${Math.random()}`,
    signal: new AbortController().signal,
  };
  const rehearsed = await seal.rehearse(request, baseTree);
  await seal.rest();
  const judgeNow = async (how: Partial<SealedAt> = {}) => {
    const tree = await bed.snapshot();
    const compared = await seal.compare({ tree, baseTree }, { grants: [], rungs: ['sealed'] });
    const runner = rehearsed.runner ? { runner: rehearsed.runner } : {};
    const judged = await seal.judge(request, {
      tree,
      baseTree,
      form: 'sealed',
      rung: 'sealed',
      ...runner,
      ...how,
    });
    await seal.rest();
    return { compared, ...judged };
  };
  return { bed, seal, rehearsed, judgeNow };
}

function specOf(fields: Record<string, unknown>): RunSpec {
  const parsed = parseSpec({ task: 'x', agent: ['true'], ...fields });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.spec, task: 'x' };
}

const changedPaths = ({ compared }: { compared: { changed: { path: string }[] } }) =>
  compared.changed.map((one) => one.path);

describe.skipIf(noRooms !== undefined)('a sealed gate', () => {
  it('is rehearsed in its room, with a report of ours and a list of its tests', async () => {
    const { rehearsed } = await begin();
    expect(rehearsed).toMatchObject({ rung: 'sealed', runner: 'node', verdict: { kind: 'failed' } });
    expect(rehearsed.cases?.map((one) => one.status)).toEqual(['failed', 'passed']);
  });

  it('passes for an honest fix', async () => {
    const { bed, judgeNow } = await begin();
    bed.write('src/add.js', right);
    const judged = await judgeNow();
    expect(judged.verdict).toMatchObject({ kind: 'passed', tests: { passed: 2 } });
    expect(changedPaths(judged)).toEqual([]);
  });

  it.each<[string, (bed: RoomBed) => void, string]>([
    [
      'a weakened test',
      (bed) => bed.write('test/add.test.js', "import test from 'node:test';\ntest('adds', () => {});\n"),
      'test/add.test.js',
    ],
    [
      'a test script that does nothing',
      (bed) => bed.write('package.json', JSON.stringify({ type: 'module', scripts: { test: 'true' } })),
      'package.json',
    ],
    [
      'a setting that is loaded by itself',
      (bed) => bed.write('.npmrc', 'node-options=--require ./x.cjs\n'),
      '.npmrc',
    ],
  ])('is judged in its own form in spite of %s', async (_, cheat, path) => {
    const { bed, judgeNow } = await begin();
    cheat(bed);
    const judged = await judgeNow();
    expect(judged.verdict.kind).toBe('failed');
    expect(changedPaths(judged)).toEqual([path]);
  });

  it('can be judged with the agent’s versions, and without its change', async () => {
    const { bed, judgeNow } = await begin();
    bed.write('src/add.js', 'export const sum = (a, b) => a + b;\n');
    bed.write('test/add.test.js', tests.replaceAll('add(', 'sum(').replace('{ add }', '{ sum }'));
    expect((await judgeNow()).verdict.kind).toBe('failed');
    expect((await judgeNow({ form: 'as-is' })).verdict.kind).toBe('passed');
    const tree = (await judgeNow()).compared;
    expect(tree.sealed).toBe(true);
  });

  it('keeps new tests of the agent beside those of before', async () => {
    const { bed, judgeNow } = await begin();
    bed.write('src/add.js', right);
    bed.write('test/more.test.js', tests.replace("'adds'", "'adds more'"));
    const judged = await judgeNow();
    expect(judged.verdict).toMatchObject({ kind: 'passed', tests: { passed: 4 } });
    expect(changedPaths(judged)).toEqual([]);
  });

  it('finds out with canaries that the code under test has turned the runner', async () => {
    const { bed, judgeNow } = await begin();
    const turned =
      "import assert from 'node:assert';\nassert.equal = assert.strictEqual = () => {};\nimport { syncBuiltinESMExports } from 'node:module';\nsyncBuiltinESMExports();\n";
    bed.write('src/add.js', turned + wrong);
    expect((await judgeNow()).verdict.kind).toBe('passed');
    expect((await judgeNow({ canaries: true })).verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'integrity:canary' }],
    });
  });

  it('finds out that a test passes whatever it expects', async () => {
    const { bed, judgeNow } = await begin();
    bed.write('src/add.js', `import judge from 'node:assert';\njudge.equal = () => {};\n${wrong}`);
    expect((await judgeNow()).verdict.kind).toBe('passed');
    expect((await judgeNow({ canaries: true })).verdict).toMatchObject({
      kind: 'failed',
      findings: ['adds', 'adds nothing'].map((name) => ({ id: `integrity:bent:test/add.test.js > ${name}` })),
    });
  });

  it('finds that out at once where dependencies changed', async () => {
    const { bed, judgeNow } = await begin();
    const manifest = { type: 'module', scripts: { test: 'node --test' }, dependencies: { exact: '1.0.0' } };
    bed.write('package.json', JSON.stringify(manifest));
    bed.write('src/add.js', `import judge from 'node:assert';\njudge.equal = () => {};\n${wrong}`);
    expect((await judgeNow()).verdict.kind).toBe('failed');
    bed.write('src/add.js', right);
    expect((await judgeNow()).verdict.kind).toBe('passed');
  });

  it('passes only where the old tests pass without the new ones', async () => {
    const { bed, judgeNow } = await begin({ gates: { tests: 'node --test --test-concurrency=1' } });
    const mend = `import { writeFileSync } from 'node:fs';\nwriteFileSync('src/add.js', ${JSON.stringify(right)});\n`;
    bed.write('test/a.test.js', mend);
    const judged = await judgeNow();
    expect(judged.verdict).toMatchObject({ kind: 'failed', findings: [{ title: 'adds' }] });
    expect((await judgeNow({ form: 'as-is' })).verdict.kind).toBe('passed');
  });

  it('believes a runner that tells the truth about canaries', async () => {
    const { bed, judgeNow } = await begin();
    bed.write('src/add.js', right);
    const judged = await judgeNow({ canaries: true });
    expect(judged.verdict).toEqual({ kind: 'passed', tests: { passed: 2, failed: 0, skipped: 0 } });
    expect(judged.cases).toHaveLength(2);
  });

  it('is called blind when it says the same about an empty tree', async () => {
    const { rehearsed } = await begin({ gates: { tests: 'echo "no licence" && exit 1' } });
    expect(rehearsed.blind).toBe(true);
    const { rehearsed: seeing } = await begin();
    expect(seeing.blind).toBeUndefined();
  });

  it('is refused in strict mode where it cannot be sealed, and told what to do', async () => {
    const { rehearsed } = await begin({
      gates: { tests: 'touch .git/probe && rm .git/probe' },
      integrity: 'strict',
    });
    expect(rehearsed.verdict).toMatchObject({ kind: 'unable', fault: { code: 'room.unsealed' } });
  });
});

const hasPytest = spawnSync('python3', ['-c', 'import pytest']).status === 0;
const python = {
  'pyproject.toml': '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n',
  'shop/__init__.py': '',
  'shop/cart.py': 'def add(a, b):\n    return a - b\n',
  'tests/test_cart.py': 'from shop.cart import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
};

describe.skipIf(noRooms !== undefined || !hasPytest)('tests that share a process', () => {
  const gates = { tests: 'python3 -m pytest -q' };
  const patching =
    'import shop.cart\n\nshop.cart.add = lambda a, b: a + b\n\n\ndef test_more():\n    assert shop.cart.add(2, 2) == 4\n';

  it('pass without the new ones, or not at all', async () => {
    const { bed, judgeNow } = await begin({ gates }, python);
    bed.write('tests/test_aaa.py', patching);
    expect((await judgeNow()).verdict).toMatchObject({ kind: 'failed' });
    bed.write('shop/cart.py', 'def add(a, b):\n    return a + b\n');
    expect((await judgeNow()).verdict).toMatchObject({ kind: 'passed', tests: { passed: 2 } });
  });

  it('are shown up by a canary among them where the runner forgives them alone', async () => {
    const { bed, judgeNow } = await begin({ gates, integrity: 'strict' }, python);
    bed.write(
      'shop/cart.py',
      `import sys
runner = sys.modules['_pytest.runner']
made = runner.CallInfo.from_call.__func__
def from_call(cls, func, when, *args, **more):
    call = made(cls, func, when, *args, **more)
    if call.excinfo and 'test_cart' in str(call.excinfo.traceback[-1].path):
        call.excinfo = None
    return call
runner.CallInfo.from_call = classmethod(from_call)
def add(a, b):
    return a - b
`,
    );
    expect((await judgeNow()).verdict.kind).toBe('passed');
    expect((await judgeNow({ canaries: true })).verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'integrity:canary' }],
    });
  });
});
