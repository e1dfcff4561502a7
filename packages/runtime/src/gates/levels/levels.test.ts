import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type GateRequest, highestLevel, type Verdict } from '@agentgate/core';
import { gateFrom, idsOf, judgeGate } from '../testing.ts';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-levels-')));
});
afterEach(() => rm(root, { recursive: true }));

async function files(contents: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const judge = async (options: object, request: Partial<GateRequest> = {}): Promise<Verdict> =>
  (await judgeGate(gateFrom(options, 'all'), root, request)).verdict;

const statuses = (verdict: Verdict): string =>
  verdict.kind === 'passed' || verdict.kind === 'failed'
    ? (verdict.levels ?? []).map(({ level, status }) => `${level} ${status}`).join(', ')
    : verdict.kind;

const contracts = { required: 'README.md', forbidden: [] };
const blackbox = [{ name: 'says ok', run: 'echo ok', expect: { stdoutContains: 'ok' } }];

describe('the order of the levels', () => {
  test('all four pass in turn', async () => {
    await files({ 'README.md': 'x', 'a.test.js': '' });
    const verdict = await judge({ contracts, tests: { run: 'echo L1' }, blackbox, sanity: true });
    expect(statuses(verdict)).toBe('L0 passed, L1 passed, L2 passed, L3 passed');
    expect(verdict).toMatchObject({
      kind: 'passed',
      levels: [
        { checks: [{ name: 'required README.md', passed: true }] },
        { checks: [{ name: 'echo L1', passed: true }] },
        { checks: [{ name: 'says ok', passed: true }] },
        {},
      ],
    });
  });

  test('the first that fails leaves the rest not run, and what has no section is skipped', async () => {
    await files({ 'README.md': 'x' });
    const tests = { run: ['echo "not ok 1 - adds"; echo 1..1; exit 1'] };
    const verdict = await judge({ contracts, tests, blackbox: [{ ...blackbox[0], run: 'touch ran' }] });
    expect(statuses(verdict)).toBe('L0 passed, L1 failed, L2 not-run, L3 skipped');
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect(verdict.kind === 'failed' && highestLevel(verdict.levels ?? [])).toBe(0);
  });

  test('what a level hides is a finding that cannot be taken for an old one', async () => {
    const verdict = await judge({ contracts, tests: { run: 'true' }, sanity: true });
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [
        { id: 'L0:required:README.md' },
        { id: 'L1:not-run', title: 'L1 was not judged, because L0 failed', load: true },
        { id: 'L3:not-run', load: true },
      ],
    });
  });

  test('where only an exit code is known nothing more is made of it', async () => {
    expect(idsOf(await judge({ tests: { run: 'exit 3' }, sanity: true }))).toEqual(['L1:exit 3:exit:3']);
  });

  test('the time of the gate bounds all levels', async () => {
    const tests = { run: ['sleep 60'] };
    expect(await judge({ tests, sanity: true }, { timeoutMs: 300 })).toMatchObject({
      kind: 'timed-out',
      afterMs: 300,
    });
  });

  test('is skipped when the run is stopped', async () => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const tests = { run: ['echo begun; sleep 60'] };
    expect((await judge({ tests }, { signal: controller.signal, onOutput })).kind).toBe('skipped');
    expect((await judge({ sanity: true }, { signal: controller.signal })).kind).toBe('skipped');
  });
});

describe('L1 tests', () => {
  test('keeps what its commands printed', async () => {
    const gate = gateFrom({ tests: { run: 'echo all fine' } });
    expect((await judgeGate(gate, root)).output).toBe('echo all fine\nall fine\n');
  });

  test('reads reports and adds up what they count', async () => {
    const tap = (text: string) => `printf '${text}'`;
    const verdict = await judge({
      tests: {
        run: [
          { name: 'unit', run: tap('1..2\\nok 1 - a\\nok 2 - b # SKIP\\n') },
          { name: 'slow', run: `${tap('1..2\\nok 1 - a\\nnot ok 2 - b\\n')}; exit 1` },
        ],
      },
    });
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'L1:slow:test:b' }],
      tests: { passed: 2, failed: 1, skipped: 1 },
      levels: [
        {},
        {
          checks: [
            { name: 'unit', passed: true },
            { name: 'slow', passed: false },
          ],
        },
        {},
        {},
      ],
    });
  });

  test('runs every test command, so that all failures are told', async () => {
    expect(idsOf(await judge({ tests: { run: ['exit 1', 'exit 2'] } }))).toEqual([
      'L1:exit 1:exit:1',
      'L1:exit 2:exit:2',
    ]);
  });

  test('ends with a set-up that fails', async () => {
    const verdict = await judge({ tests: { setup: ['exit 4'], run: 'touch ran' } });
    expect(verdict).toMatchObject({ findings: [{ id: 'L1:exit 4:exit:4', load: true }] });
    expect(existsSync(join(root, 'ran'))).toBe(false);
  });

  test('a command that runs out of its own time has failed', async () => {
    const verdict = await judge({
      tests: { run: [{ name: 'unit', run: 'echo on it; sleep 60', timeout: '200ms' }] },
    });
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'L1:unit:timeout', title: 'unit: did not end within 200ms', synthetic: true }],
    });
  });

  test('a program that is missing is unable, and one that asks to wait is pending', async () => {
    expect(await judge({ tests: { run: 'no-such-program' } })).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringContaining('no-such-program is not installed') },
    });
    expect((await judge({ tests: { run: 'exit 75' } })).kind).toBe('pending');
    expect((await judge({ tests: { run: [{ run: 'exit 7', expectExit: 7 }] } })).kind).toBe('passed');
  });
});

describe('L2 black box', () => {
  const box = async (run: string | string[], expectations: object, more: object = {}) =>
    judge({ blackbox: [{ name: 'box', run, expect: expectations, ...more }] });

  test.each<[string, string, object, string[]]>([
    ['an exit code', 'exit 3', { exitCode: 3 }, ['(passed)']],
    ['another exit code', 'exit 3', { exitCode: 0 }, ['L2:box:exitCode']],
    ['0 unless told', 'echo a; exit 1', { stdoutContains: 'a' }, ['L2:box:exitCode']],
    ['any code when told', 'echo a; exit 1', { exitCode: 'any', stdoutContains: 'a' }, ['(passed)']],
    [
      'a crash, whatever the code',
      'kill -SEGV $$',
      { exitCode: 'any', stdoutContains: 'a' },
      ['L2:box:crash', 'L2:box:stdoutContains'],
    ],
    ['texts', 'echo one two', { stdoutContains: ['one', 'two'] }, ['(passed)']],
    ['a text on the wrong stream', 'echo one >&2', { stdoutContains: 'one' }, ['L2:box:stdoutContains']],
    ['a text on stderr', 'echo one >&2', { stderrContains: 'one' }, ['(passed)']],
    ['none on stderr', 'echo one', { stderrContains: 'one' }, ['L2:box:stderrContains']],
    ['a pattern', 'printf "a\\nb 12\\n"', { stdoutMatches: '^b \\d+$' }, ['(passed)']],
    ['another pattern', 'echo b', { stdoutMatches: '^a' }, ['L2:box:stdoutMatches']],
    ['a file', 'printf "a\\nb\\n"', { equalsFile: 'expected.txt' }, ['(passed)']],
    ['not quite the file', 'printf "a\\nc\\n"', { equalsFile: 'expected.txt' }, ['L2:box:equalsFile']],
    ['a JSON value', 'echo \'{"b": [2], "a": 1}\'', { jsonEquals: { a: 1, b: [2] } }, ['(passed)']],
    ['another JSON value', 'echo \'{"a": 2}\'', { jsonEquals: { a: 1 } }, ['L2:box:jsonEquals']],
    ['no JSON', 'echo hello', { jsonEquals: { a: 1 } }, ['L2:box:json']],
    ['a JSON Schema', 'echo \'{"a": 1}\'', { jsonSchema: { required: ['a'] } }, ['(passed)']],
    ['a broken JSON Schema', 'echo {}', { jsonSchema: { required: ['a'] } }, ['L2:box:jsonSchema']],
    ['no JSON for a schema', 'echo hello', { jsonSchema: {} }, ['L2:box:json']],
    ['a missing file', 'echo a', { equalsFile: 'none.txt' }, ['(unable)']],
    ['a file outside', 'echo a', { equalsFile: '../none.txt' }, ['(unable)']],
    ['a schema that would not be checked', 'echo 1', { jsonSchema: { $dynamicRef: '#a' } }, ['(unable)']],
  ])('%s', async (_name, run, expectations, ids) => {
    await files({ 'expected.txt': 'a\nb\n' });
    const found = idsOf(await box(run, expectations));
    // What was looked for is in the id only as a hash.
    expect(found.map((id) => id.replace(/:[0-9a-f]{8}$/, ''))).toEqual(ids);
  });

  test('says in which line a file differs', async () => {
    await files({ 'expected.txt': 'a\nb\n' });
    expect(await box('printf "a\\nc\\n"', { equalsFile: 'expected.txt' })).toMatchObject({
      findings: [{ message: 'line 2: expected "b", found "c"' }],
    });
  });

  test('gives standard input and variables', async () => {
    const more = { stdin: 'typed', env: { WHO: 'me' } };
    expect(await box('read x; echo "$x $WHO"', { stdoutContains: 'typed me' }, more)).toMatchObject({
      kind: 'passed',
    });
    expect(idsOf(await box('cat', { stdoutMatches: '^$' }))).toEqual(['(passed)']);
  });

  test('works in a fresh copy of the fixture, with the project at hand', async () => {
    await files({ 'fix/in.txt': 'data\n', 'tool.sh': 'cat in.txt; pwd; echo changed > in.txt' });
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('agentgate-fixture-'));
    const check = { run: 'sh "$AGENTGATE_ROOT/tool.sh"', fixture: 'fix' };
    const verdict = await judge({
      blackbox: [
        { ...check, name: 'first', expect: { stdoutContains: ['data', 'agentgate-fixture-'] } },
        { ...check, name: 'second', expect: { stdoutContains: 'data' } },
      ],
    });
    expect(verdict.kind).toBe('passed');
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('agentgate-fixture-'))).toEqual(before);
    expect(await box('true', { exitCode: 0 }, { fixture: 'none' })).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringContaining('has no fixture none') },
    });
  });

  test('a program of the project that is not there yet is work to do; a foreign one is unable', async () => {
    await files({ 'bin/plain': 'x' });
    await chmod(join(root, 'bin/plain'), 0o644);
    expect(idsOf(await box('./bin/tool --x', { exitCode: 0 }))).toEqual(['L2:box:missing']);
    expect(idsOf(await box(['bin/tool'], { exitCode: 0 }))).toEqual(['L2:box:missing']);
    expect(idsOf(await box(['./bin/plain'], { exitCode: 0 }))).toEqual(['L2:box:missing']);
    expect((await box('no-such-program', { exitCode: 0 })).kind).toBe('unable');
    expect((await box(['no-such-program'], { exitCode: 0 })).kind).toBe('unable');
  });

  test('a check that hangs has failed, and the next is run', async () => {
    const verdict = await judge({
      blackbox: [
        { name: 'hangs', run: 'sleep 60', timeout: '200ms', expect: { exitCode: 0 } },
        { name: 'fails', run: 'exit 1', expect: { exitCode: 0 } },
      ],
    });
    expect(idsOf(verdict)).toEqual(['L2:hangs:timeout', 'L2:fails:exitCode']);
  });
});

describe('L3 sanity', () => {
  test('a large file fails, and what git ignores does not count', async () => {
    await files({
      'a.test.ts': '',
      'big.bin': 'x'.repeat(3_000),
      'out/big.bin': 'x'.repeat(3_000),
      '.gitignore': 'out/\n',
    });
    const verdict = await judge({ sanity: { maxFileSize: '2KB' } });
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'L3:size:big.bin', title: 'big.bin is larger than 2 KB', message: 'it has 3 KB' }],
    });
  });

  test('forbidden texts fail with their place', async () => {
    await files({ 'src/a.ts': 'one\nconst password = 1;\n', 'b.md': 'password', 'bin.dat': 'password\0' });
    const sanity = { forbidText: [{ text: 'password', files: 'src/**' }, { matches: 'BEGIN .* KEY' }] };
    const verdict = await judge({ sanity });
    expect(verdict).toMatchObject({ findings: [{ title: 'src/a.ts must not contain "password"', line: 2 }] });
    await files({ 'agentgate.yaml': 'forbidText: [password]' });
    expect(idsOf(await judge({ sanity: { forbidText: ['password'] } }))).toHaveLength(2);
  });

  test('everything else is only said', async () => {
    await files({
      'src/a.ts': 'console.log(1);\n// TODO later\n',
      'src/b.py': 'breakpoint()\n',
      'notes.txt~': 'x',
      'x.orig': 'x',
    });
    expect(await judge({ sanity: true })).toMatchObject({
      kind: 'passed',
      note: 'temporary files: notes.txt~, x.orig; debug prints: src/a.ts, src/b.py; open notes such as TODO: src/a.ts; no test files',
    });
    const quiet = { tempFiles: false, debugPrints: false, todos: false, missingTests: false };
    expect(await judge({ sanity: quiet })).not.toHaveProperty('note');
  });

  test('an empty project is not sane', async () => {
    expect(idsOf(await judge({ sanity: true }))).toEqual(['L3:empty']);
  });
});
