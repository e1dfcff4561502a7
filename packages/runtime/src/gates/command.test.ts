import { chmod, mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateRequest, GateSpec, Judgement } from '@agentgate/core';
import { gateWith, judgeGate } from './testing.ts';

type CommandGate = Extract<GateSpec, { kind: 'command' }>;

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-gate-')));
});
afterEach(() => rm(root, { recursive: true }));

async function files(contents: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const run = (
  command: CommandGate['run'],
  options: Partial<CommandGate> = {},
  request: Partial<GateRequest> = {},
): Promise<Judgement> =>
  judgeGate(gateWith('command', { run: command }, { ...options, name: 'tests' }), root, request);

const ids = ({ verdict }: Judgement): string[] =>
  verdict.kind === 'failed' ? verdict.findings.map(({ id }) => id) : [`(${verdict.kind})`];

/** A command that prints the texts and exits with the code. */
const prints = (code: number, stdout: string, stderr = ''): string[] => [
  process.execPath,
  '-e',
  `process.stderr.write(${JSON.stringify(stderr)});process.stdout.write(${JSON.stringify(stdout)});process.exitCode=${code}`,
];

describe('a command that could not run', () => {
  test.each([
    ['a program that is not there', 'no-such-program --x', /no-such-program is not installed/],
    ['one in an argv', ['no-such-program'], /no-such-program.*install it, or correct the gate's command/],
    ['one deep inside a script', 'sh -c "nested-missing"', /nested-missing is not installed/],
    ['a file without the permission', './plain.txt', /plain\.txt is not executable/],
    ['a missing npm script', 'npm run nope', /package\.json has no script nope/],
    ['a command the shell cannot read', 'echo "open', /the shell cannot read the command/],
  ])('%s is unable', async (_name, command, message) => {
    await files({ 'plain.txt': 'x', 'package.json': '{"name":"x"}' });
    await chmod(join(root, 'plain.txt'), 0o644);
    const { verdict } = await run(command);
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.missing', retry: 'never' } });
    expect(verdict.kind === 'unable' && verdict.fault.message).toMatch(message);
  });

  test('without a package.json it is unable', async () => {
    const { verdict } = await run('npm test');
    expect(verdict).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringContaining('there is no package.json') },
    });
  });

  test('a test that prints such words has failed', async () => {
    const { verdict } = await run(
      prints(1, "AssertionError: expected 'npm error Missing script:' to be ''\n"),
    );
    expect(verdict.kind).toBe('failed');
  });

  test('a lost root keeps the fault of the process', async () => {
    const { verdict } = await run('true', {}, { root: join(root, 'gone') });
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'workspace.gone' } });
  });
});

describe('a command that did not come to its end', () => {
  test('runs out of time', async () => {
    const { verdict } = await run('echo begun; sleep 60', {}, { timeoutMs: 300 });
    expect(verdict).toEqual({ kind: 'timed-out', afterMs: 300, excerpt: 'begun' });
  });

  test('is skipped when the run is stopped', async () => {
    const controller = new AbortController();
    const onOutput = () => controller.abort();
    const { verdict } = await run('echo begun; sleep 60', {}, { signal: controller.signal, onOutput });
    expect(verdict).toEqual({ kind: 'skipped', why: 'the run was stopped' });
  });

  test('waits at exit code 75', async () => {
    expect((await run('exit 75')).verdict).toEqual({ kind: 'pending', retryAfterMs: 30_000 });
    expect((await run('echo "Retry-After: 5"; exit 75')).verdict).toEqual({
      kind: 'pending',
      retryAfterMs: 5_000,
    });
  });

  test('a report that passes does not make a pending gate pass', async () => {
    expect((await run(prints(75, '1..1\nok 1 - a\n'))).verdict.kind).toBe('pending');
  });

  test.each([
    ['by itself', ['sh', '-c', 'kill -SEGV $$']],
    ['below a shell', 'sh -c "kill -SEGV \\$\\$"; exit $?'],
  ])('crashes %s', async (_name, command) => {
    expect(ids(await run(command))).toEqual(['crash:SIGSEGV']);
  });
});

describe('words', () => {
  test('pass with exit code 0 whatever they say', async () => {
    expect((await run('echo "error: retrying"; echo "FAIL a.test.js"')).verdict).toEqual({ kind: 'passed' });
    expect((await run('true')).verdict).toEqual({ kind: 'passed' });
  });

  test('name the findings of a failure', async () => {
    const judged = await run(`echo "${root}/src/a.ts(3,5): error TS2322: no" >&2; exit 2`);
    expect(ids(judged)).toEqual([expect.stringMatching(/^type:TS2322:src\/a\.ts:/)]);
    expect(judged.verdict).toMatchObject({
      excerpt: 'src/a.ts(3,5): error TS2322: no',
      textKey: expect.any(String),
    });
    expect(judged.output).toContain(root);
  });

  test('lose the root also when it is a link', async () => {
    const link = `${root}-link`;
    await symlink(root, link);
    const command = `echo "${root}/a.c:1:1: error: x"; echo "${link}/b.c:1:1: error: x"; exit 1`;
    const { verdict } = await run(command, {}, { root: link });
    await rm(link);
    expect(verdict).toMatchObject({ findings: [{ file: 'a.c' }, { file: 'b.c' }] });
  });

  test('that name nothing leave the exit code', async () => {
    expect((await run('exit 3')).verdict).toEqual({
      kind: 'failed',
      findings: [{ id: 'exit:3', title: 'the command exited with 3', synthetic: true }],
      excerpt: '',
    });
  });

  test('with the expected exit code pass', async () => {
    expect((await run('exit 3', { expectExit: 3 })).verdict.kind).toBe('passed');
    expect((await run('exit 127', { expectExit: 127 })).verdict.kind).toBe('passed');
    expect(ids(await run('true', { expectExit: 3 }))).toEqual(['exit:0']);
  });

  test('are read as words when the gate says so', async () => {
    expect((await run(prints(0, '1..1\nnot ok 1 - a\n'), { report: 'plain' })).verdict.kind).toBe('passed');
  });
});

const green = '1..2\nok 1 - a\nok 2 - b # SKIP\n';
const red = '1..2\nok 1 - a\nnot ok 2 - b\n';
const xml = (inner: string) => `<testsuites><testsuite name="s">${inner}</testsuite></testsuites>`;

describe('a report in the output', () => {
  test('passes with its counts', async () => {
    const { verdict } = await run(prints(0, green));
    expect(verdict).toEqual({ kind: 'passed', tests: { passed: 1, failed: 0, skipped: 1 } });
  });

  test('is not broken by stderr', async () => {
    const { verdict } = await run(prints(0, green, 'not ok 3 - noise\n1..9\n'));
    expect(verdict.kind).toBe('passed');
    expect((await run(prints(0, 'all good\n', red))).verdict).toEqual({ kind: 'passed' });
  });

  test.each([
    ['failures and exit code 0', 0, red, 'auto', ['test:b']],
    ['failures', 1, red, 'auto', ['test:b']],
    ['no failure and a bad exit code', 1, green, 'auto', ['exit:1']],
    [
      'no failure, a bad exit code and words',
      1,
      `${green}a.c:1:1: error: x`,
      'auto',
      [expect.stringMatching(/^lint:error:a\.c/), 'exit:1'],
    ],
    ['a missing plan', 0, 'TAP version 13\nok 1 - a\n', 'auto', ['report:incomplete']],
    [
      'a missing plan and a failure',
      1,
      'TAP version 13\nnot ok 1 - a\n',
      'auto',
      ['test:a', 'report:incomplete'],
    ],
    ['nothing', 0, 'TAP version 13\n1..0\n', 'auto', ['report:empty']],
    ['only skipped tests', 0, '1..1\nok 1 - a # SKIP\n', 'auto', ['report:empty']],
    ['no TAP although asked for', 0, 'all good\n', 'tap', ['report:missing']],
    [
      'no TAP, and a bad exit code',
      1,
      'Error: no config\n',
      'tap',
      [expect.stringMatching(/^error:/), 'exit:1', 'report:missing'],
    ],
    ['no JUnit although asked for', 0, green, 'junit', ['report:missing']],
    ['an empty JUnit', 0, xml(''), 'auto', ['report:empty']],
    ['a cut JUnit', 0, xml('<testcase name="a"/>').slice(0, -30), 'auto', ['report:incomplete']],
    [
      'a JUnit failure and exit code 0',
      0,
      xml('<testcase name="a"><failure/></testcase>'),
      'auto',
      ['test:s > a'],
    ],
  ] as const)('with %s has failed', async (_name, code, stdout, report, expected) => {
    const judged = await run(prints(code, stdout), { report });
    expect(ids(judged)).toEqual(expected);
  });

  test('that contradicts the exit code is noted', async () => {
    expect((await run(prints(0, red))).verdict).toMatchObject({
      note: 'the command exited with 0 although its report has 1 failure',
      tests: { passed: 1, failed: 1, skipped: 0 },
    });
  });

  test('keeps 500 findings and counts the rest', async () => {
    const points = Array.from({ length: 503 }, (_, n) => `not ok ${n + 1} - t${n}`);
    const { verdict } = await run(prints(1, `1..503\n${points.join('\n')}\n`));
    expect(verdict).toMatchObject({ note: '3 further findings left out', tests: { failed: 503 } });
    expect(verdict.kind === 'failed' && verdict.findings).toHaveLength(500);
  });

  test('that we had to cut is no evidence', async () => {
    const long =
      "for (let n = 1; n <= 60000; n++) console.log('ok ' + n + ' - ' + 'x'.repeat(90)); console.log('1..60000')";
    await files({ 'long.js': `console.log('TAP version 13'); ${long}` });
    const { verdict } = await run('node long.js');
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.output' } });
    expect((await run('node long.js; exit 1')).verdict.kind).toBe('failed');
  });
});

describe('a report in a file', () => {
  const report = { format: 'junit', path: 'out/report.xml' } as const;
  const good = xml('<testcase name="a"/>');

  test('passes with its counts', async () => {
    const { verdict } = await run(`mkdir -p out; echo '${good}' > out/report.xml`, { report });
    expect(verdict).toEqual({ kind: 'passed', tests: { passed: 1, failed: 0, skipped: 0 } });
  });

  test('that was rewritten by this run counts', async () => {
    await files({ 'out/report.xml': good });
    expect((await run(`echo '${good}' > out/report.xml`, { report })).verdict.kind).toBe('passed');
  });

  test('that is older than this run is stale', async () => {
    await files({ 'out/report.xml': good });
    expect(ids(await run('true', { report }))).toEqual(['report:stale']);
  });

  test('that is old and was moved into place is stale', async () => {
    await files({ 'old.xml': good, 'out/x': '' });
    await utimes(join(root, 'old.xml'), new Date(0), new Date(0));
    expect(ids(await run('mv old.xml out/report.xml', { report }))).toEqual(['report:stale']);
  });

  test('that is missing is not a pass', async () => {
    expect(ids(await run('true', { report }))).toEqual(['report:missing']);
    expect(ids(await run('mkdir -p out/report.xml', { report }))).toEqual(['report:missing']);
  });

  test.each(['../report.xml', '/etc/passwd', 'link/report.xml'])('at %s is outside', async (path) => {
    await symlink(tmpdir(), join(root, 'link'));
    const name = join(tmpdir(), 'report.xml');
    await writeFile(name, good);
    const { verdict } = await run('true', { report: { format: 'junit', path } });
    await rm(name);
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.path' } });
  });
});

test("Node's own tests end to end", async () => {
  await files({
    'test/a.test.mjs':
      "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\ntest('adds', () => assert.equal(1 + 1, 3));\ntest('is', () => {});\n",
    'test/b.test.mjs': "import './nowhere.mjs';\n",
  });
  const judged = await run('node --test test/*.test.mjs', { report: 'auto' });
  const tap = await run('node --test --test-reporter=tap test/*.test.mjs');
  expect(ids(tap)).toEqual(['test:test/a.test.mjs > adds', 'test:test/b.test.mjs']);
  expect(new Set(ids(judged))).toEqual(new Set(ids(tap)));
  expect(tap.verdict).toMatchObject({ tests: { passed: 1, failed: 2, skipped: 0 } });
  expect(tap.tookMs).toBeGreaterThan(0);
});
