import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessRequest } from './request.ts';
import { supervise } from './supervise.ts';

let cwd: string;
let marks = 0;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'supervise-'));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

function run(text: string, more: Partial<ProcessRequest> = {}) {
  return supervise({ argv: ['/bin/sh', '-c', text], ...makeBasics(), ...more });
}

function makeBasics() {
  return { cwd, env: { PATH: process.env['PATH'] ?? '' }, marker: `supervise-${process.pid}-${marks++}` };
}

describe('the end', () => {
  test('tells the exit code', async () => {
    const result = await run('echo out; echo err >&2; exit 3');
    expect(result).toMatchObject({
      end: { kind: 'exited', code: 3 },
      output: 'out\nerr\n',
      bytes: 8,
      swept: 0,
    });
    expect(result).toMatchObject({ truncated: false, stdout: '', survivors: [] });
  });

  test('tells the signal that ended the program', async () => {
    expect((await run('kill -KILL $$')).end).toEqual({ kind: 'signalled', signal: 'SIGKILL' });
  });

  test('times out, keeping what was written', async () => {
    const result = await run('echo before; sleep 300', { timeoutMs: 200, graceMs: 100 });
    expect(result.end).toEqual({ kind: 'timed-out', afterMs: 200 });
    expect(result.output).toBe('before\n');
    expect(result.tookMs).toBeLessThan(5_000);
  });

  test('lets a program tidy up when it times out', async () => {
    const result = await run('trap "echo tidy; exit 0" TERM; echo ready; sleep 300 & wait', {
      timeoutMs: 300,
    });
    expect(result.end.kind).toBe('timed-out');
    expect(result.output).toBe('ready\ntidy\n');
  });

  test('takes a limit beyond the longest timer', async () => {
    expect((await run('exit 0', { timeoutMs: 1e12 })).end).toEqual({ kind: 'exited', code: 0 });
  });

  test('does not start when it was aborted before', async () => {
    const result = await run('echo started > started', { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ end: { kind: 'aborted' }, output: '', bytes: 0 });
    expect((await run('test -e started')).end).toEqual({ kind: 'exited', code: 1 });
  });

  test('ends when it is aborted', async () => {
    const stop = new AbortController();
    const result = await run('echo ready; sleep 300', {
      signal: stop.signal,
      onOutput: () => stop.abort(),
      graceMs: 100,
    });
    expect(result.end).toEqual({ kind: 'aborted' });
    expect(result.tookMs).toBeLessThan(5_000);
  });
});

describe('a program that cannot start', () => {
  test.each([
    { name: 'is not in PATH', argv: ['no-such-program'], code: 'program.missing' },
    { name: 'is not there', argv: ['/no/such/program'], code: 'program.missing' },
    { name: 'lies under a file', argv: ['/etc/passwd/x'], code: 'program.missing' },
    { name: 'is not executable', argv: ['/etc/passwd'], code: 'program.not-executable' },
    { name: 'is a folder', argv: ['/tmp'], code: 'program.not-executable' },
    { name: 'has no interpreter', argv: ['./orphan'], code: 'program.not-executable' },
    { name: 'has too long arguments', argv: ['true', 'x'.repeat(8_000_000)], code: 'process.unable' },
    { name: 'has an impossible argument', argv: ['true', '\0'], code: 'process.unable' },
  ])('is unable when it $name', async ({ argv, code }) => {
    writeFileSync(join(cwd, 'orphan'), '#!/no/such/interpreter\n', { mode: 0o755 });
    const [program = '', ...args] = argv;
    const { end } = await supervise({ ...makeBasics(), argv: [program, ...args], stdin: 'unread' });
    expect(end).toMatchObject({ kind: 'unable', fault: { code, message: expect.stringContaining(program) } });
  });

  test.each([
    { name: 'gone', folder: '/no/such/folder' },
    { name: 'a file', folder: '/etc/passwd' },
  ])('names the folder when that is $name', async ({ folder }) => {
    const { end } = await run('true', { cwd: folder });
    expect(end).toMatchObject({ kind: 'unable', fault: { code: 'workspace.gone' } });
  });
});

describe('the output', () => {
  test('survives a flood', async () => {
    let told = 0;
    const result = await run('yes flood | head -c 300000000; echo the end', {
      headBytes: 1000,
      tailBytes: 1000,
      onOutput: (chunk) => {
        told += chunk.length;
      },
    });
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, bytes: 300_000_008, truncated: true });
    expect(told).toBe(300_000_008);
    expect(result.output.length).toBeLessThan(2100);
    const [note, leftOut] = /\n\[(\d+) bytes left out\]\n/.exec(result.output)!;
    expect(Number(leftOut) + result.output.length - note.length).toBe(300_000_008);
    expect(result.output.endsWith('the end\n')).toBe(true);
  });

  test('keeps the order of stdout and stderr', async () => {
    const result = await run('for n in 1 2 3 4 5 6 7 8 9; do echo o$n; echo e$n >&2; done');
    expect(result.output).toBe([1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `o${n}\ne${n}\n`).join(''));
  });

  test('keeps stdout alone on demand', async () => {
    const result = await run('echo out; echo err >&2', { separate: true });
    expect(result.stdout).toBe('out\n');
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
  });

  test('is whole characters, invalid bytes replaced', async () => {
    const chunks: string[] = [];
    const result = await run(
      String.raw`printf '\303'; echo . >/dev/null; printf '\251'; printf '\377x'; printf '\342\202'`,
      { onOutput: (chunk) => chunks.push(chunk) },
    );
    expect(result.output).toBe('é\ufffdx\ufffd');
    expect(chunks.join('')).toBe(result.output);
  });

  test('lets scripts open the streams by name', async () => {
    const result = await run('echo err >/dev/stderr && echo out >/dev/stdout');
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, output: 'err\nout\n' });
  });

  test('keeps the last words of a helper that ends by itself', async () => {
    const result = await run(
      `exec bash -c 'exec > >(while read -r line; do echo "got $line"; done); echo last'`,
    );
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, output: 'got last\n', swept: 0 });
  });
});

describe('the input', () => {
  test('is written and closed', async () => {
    expect((await run('cat', { stdin: 'a ü\n'.repeat(100_000) })).bytes).toBe(500_000);
  });

  test('is the null device when there is none', async () => {
    expect(await run('cat')).toMatchObject({ end: { kind: 'exited', code: 0 }, output: '' });
  });

  test('may stay unread', async () => {
    const stdin = 'x'.repeat(20_000_000);
    expect((await run('exit 0', { stdin })).end).toEqual({ kind: 'exited', code: 0 });
    expect((await run('exec <&-; echo ok', { stdin })).output).toBe('ok\n');
    expect((await run('sleep 300', { stdin, timeoutMs: 100, graceMs: 100 })).end.kind).toBe('timed-out');
  });
});

test('the program carries the marker and no other variables', async () => {
  const result = await supervise({
    ...makeBasics(),
    argv: ['env'],
    env: { PATH: '/usr/bin:/bin' },
    marker: 'm-1',
  });
  expect(result.output.trim().split('\n').sort()).toEqual([
    expect.stringMatching(/^AGENTGATE_PROCESS=m-1\/\d+$/),
    'PATH=/usr/bin:/bin',
  ]);
});

test('the program inherits the descriptors it is to keep', async () => {
  writeFileSync(join(cwd, 'kept'), 'kept open');
  const fd = openSync(join(cwd, 'kept'), 'r');
  const result = await run('cat <&3', { keepFds: [fd] });
  closeSync(fd);
  expect(result.output).toBe('kept open');
});
