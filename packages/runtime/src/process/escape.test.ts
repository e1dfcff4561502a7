import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endMarked, listMarked } from './ending.ts';
import { MARKER_VARIABLE } from './marker.ts';
import { readProcessTable } from './process-table.ts';
import { supervise } from './supervise.ts';

let cwd: string;
let marker: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'escape-'));
  marker = `escape-${cwd}`;
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

// Each leaves its number in the file `pid` when it has escaped.
const REPORT = 'echo $$ > tmp; mv tmp pid;';
const LINGER = `${REPORT} exec sleep 300`;
const STYLES = [
  { style: 'plain child', text: `sh -c '${LINGER}' &` },
  { style: 'shell that ignores TERM', text: `sh -c 'trap "" TERM; ${REPORT} while :; do sleep 1; done' &` },
  { style: 'daemon in its own session', text: `setsid sh -c '${LINGER}' &` },
  { style: 'orphan of a double fork', text: `( ( setsid sh -c '${LINGER}' & ) & )` },
  { style: 'nohup', text: `nohup sh -c '${LINGER}' &` },
  {
    style: 'group of its own',
    text: `bash -c 'set -m; sh -c "echo \\$\\$ > tmp; mv tmp pid; exec sleep 300" &' &`,
  },
  { style: 'process without streams', text: `setsid sh -c 'exec <&- >&- 2>&-; ${LINGER}' &` },
  {
    style: 'stubborn daemon',
    text: `setsid sh -c 'trap "" TERM HUP; ${REPORT} while :; do sleep 1; done' &`,
  },
];
const ESCAPED = 'until [ -s pid ]; do sleep 0.01; done; echo escaped;';
const ENV_WIPED = `env -i setsid sh -c '${LINGER}' &`;

function run(text: string, stop: AbortController) {
  return supervise({
    argv: ['/bin/sh', '-c', text],
    cwd,
    env: { PATH: process.env['PATH'] ?? '' },
    marker,
    graceMs: 200,
    signal: stop.signal,
    onOutput: (chunk) => {
      if (chunk.includes('stop me')) stop.abort();
    },
  });
}

async function isAlive(pid: number): Promise<boolean> {
  const { entries } = await readProcessTable();
  return entries.some((entry) => entry.pid === pid && !entry.dead);
}

function readPid(): number {
  return Number(readFileSync(join(cwd, 'pid'), 'utf8'));
}

describe.each(STYLES)('a $style', ({ text }) => {
  test('is ended after the main process', async () => {
    const result = await run(`${text}\n${ESCAPED} exit 7`, new AbortController());
    expect(result).toMatchObject({ end: { kind: 'exited', code: 7 }, survivors: [] });
    expect(result.output).toContain('escaped\n');
    expect(result.swept).toBeGreaterThan(0);
    expect(result.tookMs).toBeLessThan(5_000);
    expect(await isAlive(readPid())).toBe(false);
  });

  test('is ended with the main process', async () => {
    const result = await run(`${text}\n${ESCAPED} echo stop me; sleep 300`, new AbortController());
    expect(result).toMatchObject({ end: { kind: 'aborted' }, survivors: [] });
    expect(result.tookMs).toBeLessThan(5_000);
    expect(await isAlive(readPid())).toBe(false);
  });
});

test('a descendant that wiped its environment is ended with the main process', async () => {
  const result = await run(`${ENV_WIPED}\n${ESCAPED} echo stop me; sleep 300`, new AbortController());
  expect(result).toMatchObject({ end: { kind: 'aborted' }, survivors: [] });
  expect(await isAlive(readPid())).toBe(false);
});

test('a stranger that keeps the pipe open does not keep us waiting', async () => {
  // Nothing ties it to us any more: no marker, no group, no parent.
  const result = await run(`( ${ENV_WIPED} )\n${ESCAPED}`, new AbortController());
  const stranger = readPid();
  try {
    expect(result).toMatchObject({ end: { kind: 'exited', code: 0 }, output: 'escaped\n' });
    expect(result.tookMs).toBeLessThan(2_000);
  } finally {
    process.kill(stranger, 'SIGKILL');
  }
});

test('requests side by side with one marker and one lock leave each other alone', async () => {
  const fd = openSync(join(cwd, 'lock'), 'w');
  const side = (text: string, onOutput?: () => void) =>
    supervise({
      argv: ['/bin/sh', '-c', text],
      cwd,
      env: { PATH: process.env['PATH'] ?? '' },
      marker,
      keepFds: [fd],
      ...(onOutput ? { onOutput } : {}),
    });
  try {
    let begun = () => {};
    const hasBegun = new Promise<void>((resolve) => (begun = resolve));
    // The first is born before everybody of the second, and ends while all of them live.
    const first = side('echo begun; until [ -e ready ]; do sleep 0.01; done', begun);
    await hasBegun;
    const second = side(
      `setsid sh -c "sh -c '${LINGER.replaceAll('$', '\\$')}' &"
      env -i /bin/sh -c 'exec sleep 300' & wiped=$!
      until [ -s pid ]; do sleep 0.01; done; touch ready
      until [ -e go ]; do sleep 0.01; done
      kill -0 $(cat pid) && kill -0 $wiped && echo both alive`,
    );
    expect(await first).toMatchObject({ end: { kind: 'exited', code: 0 }, swept: 0 });
    writeFileSync(join(cwd, 'go'), '');
    expect(await second).toMatchObject({ output: 'both alive\n', survivors: [] });
    expect(await listMarked(marker)).toEqual([]);
    expect(await isAlive(readPid())).toBe(false);
  } finally {
    closeSync(fd);
  }
});

describe('processes of an owner that crashed', () => {
  let bystander: ChildProcess;

  beforeEach(async () => {
    bystander = await spawnReady({ [MARKER_VARIABLE]: `${marker}-other` });
  });
  afterEach(() => {
    bystander.kill('SIGKILL');
  });

  test('are listed and ended by their marker, and no others', async () => {
    const markers = [marker, `${marker}/1`, `${marker}/2`];
    const marked = await Promise.all(markers.map((one) => spawnReady({ [MARKER_VARIABLE]: one })));
    expect((await listMarked(marker)).sort()).toEqual(marked.map(({ pid }) => pid).sort());
    expect(await endMarked(marker, { graceMs: 200 })).toBe(3);
    expect(await listMarked(marker)).toEqual([]);
    expect(await endMarked(marker, { graceMs: 200 })).toBe(0);
    expect(await isAlive(bystander.pid ?? 0)).toBe(true);
  });
});

function spawnReady(env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn('/bin/sh', ['-c', 'echo ready; exec sleep 300'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: process.env['PATH'], ...env },
  });
  return new Promise((resolve) => child.stdout.once('data', () => resolve(child)));
}
