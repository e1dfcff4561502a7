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

/** A project of three files with a fault in it, rehearsed, as a run has it before its agent begins. */
async function begin(fields: Record<string, unknown> = {}) {
  const bed = await makeRoomBed();
  bed.git('init', '-q');
  bed.write('package.json', JSON.stringify({ type: 'module', scripts: { test: 'node --test' } }));
  bed.write('src/add.js', wrong);
  bed.write('test/add.test.js', tests);
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
