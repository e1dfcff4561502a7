import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killAtOnce } from './at-once.ts';
import { takeLock } from './lock.ts';
import { MARKER_VARIABLE } from './marker.ts';
import { findBirth } from './process-table.ts';

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'at-once-'));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Starts a shell that leaves the numbers of those it started in a file, and waits for them. */
async function startShell(text: string, env: Record<string, string> = {}, fd?: number): Promise<number[]> {
  const file = join(dir, `pids-${performance.now()}`);
  const child = spawn('/bin/sh', ['-c', `${text}; echo ready; wait`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', ...(fd === undefined ? [] : [fd])],
    env: { PATH: process.env['PATH'], FILE: file, ...env },
  });
  await once(child.stdout!, 'data');
  return readFileSync(file, 'utf8').trim().split('\n').map(Number);
}

const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
};
const deaf = `trap '' TERM INT HUP;`;

test.skipIf(process.platform !== 'linux')(
  'kills those below us, those who carry the marker and those who share the lock, deaf or not',
  async () => {
    const path = join(dir, 'lock');
    const lock = await takeLock(path, { pid: process.pid, runId: 'r', since: 'now' });
    if (lock.kind === 'busy') throw new Error('busy');
    const below = await startShell(`${deaf} sleep 300 & echo $! > $FILE; echo $$ >> $FILE`);
    const marked = await startShell(
      `${deaf} ( setsid sh -c 'sleep 300 & echo $! > $FILE' & wait ) ; until [ -s $FILE ]; do sleep 0.01; done`,
      { [MARKER_VARIABLE]: 'at-once/1' },
    );
    const wiped = await startShell(
      `( setsid env -i FILE=$FILE /bin/sh -c 'sleep 300 & echo $! > $FILE' & ); until [ -s $FILE ]; do sleep 0.01; done`,
      {},
      lock.fd,
    );
    const all = [...below, ...marked, ...wiped];
    expect(all.map((pid) => findBirth(pid) > 0)).toEqual(all.map(() => true));
    const fromMs = performance.now();
    expect(killAtOnce('at-once', path)).toEqual([]);
    expect(performance.now() - fromMs).toBeLessThan(1_000);
    expect(all.filter(isAlive)).toEqual([]);
    lock.release();
  },
);

test.skipIf(process.platform !== 'linux')(
  'leaves a stranger alone who only has the file of the lock open',
  async () => {
    const path = join(dir, 'read');
    const lock = await takeLock(path, { pid: process.pid, runId: 'r', since: 'now' });
    const fd = openSync(path, 'r');
    // Not below us: its parent has gone.
    const [stranger = 0] = await startShell(
      `( setsid sh -c 'sleep 300 & echo $! > $FILE' & ); until [ -s $FILE ]; do sleep 0.01; done`,
      {},
      fd,
    );
    try {
      await new Promise((done) => setTimeout(done, 50));
      expect(killAtOnce('at-once', path)).toEqual([]);
      expect(isAlive(stranger)).toBe(true);
    } finally {
      process.kill(stranger, 'SIGKILL');
      closeSync(fd);
      if (lock.kind === 'held') lock.release();
    }
  },
);
