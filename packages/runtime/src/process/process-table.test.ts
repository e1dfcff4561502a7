import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findBirth, isLiving, readProcessTable, readPs } from './process-table.ts';

test('finds this process and its parent', async () => {
  const { entries } = await readProcessTable();
  const own = entries.find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ ppid: process.ppid, dead: false, born: findBirth(process.pid) });
  expect(own?.born).toBeGreaterThan(0);
});

test('reads only what began since a process, and that completely', async () => {
  const { entries } = await readProcessTable();
  const since = await readProcessTable(process.pid);
  expect(since.entries.some(({ pid }) => pid === process.pid)).toBe(true);
  expect(since.entries.length).toBeLessThan(entries.length);
  const child = spawn('sleep', ['300']);
  const { entries: after } = await readProcessTable(process.pid);
  child.kill('SIGKILL');
  expect(after.some(({ pid }) => pid === child.pid)).toBe(true);
});

test('tells no birth of a process that is not there', () => {
  expect(findBirth(2 ** 30)).toBe(0);
});

test('reads the same by ps as by the system files', async () => {
  const { entries } = await readProcessTable();
  const own = entries.find(({ pid }) => pid === process.pid);
  const byPs = (await readPs()).find(({ pid }) => pid === process.pid);
  expect(byPs).toMatchObject({ ppid: process.ppid, pgid: own?.pgid, dead: false });
  expect(byPs?.born).toBeGreaterThan(Date.UTC(2020));
});

/** Reads the number of a process from what another one says first. */
async function told(child: ChildProcess): Promise<number> {
  const [line] = await once(child.stdout!, 'data');
  return Number(line);
}

async function entryOf(pid: number) {
  return (await readProcessTable()).entries.find((one) => one.pid === pid);
}

test('takes an ended process that nobody collects for gone, and another with its number for another', async () => {
  // A shell that becomes another program forgets its children.
  const parent = spawn('sh', ['-c', 'sleep 300 >/dev/null & echo $!; exec sleep 300']);
  try {
    const pid = await told(parent);
    const born = findBirth(pid);
    const known = [
      { pid, born },
      { pid, born: 0 },
    ] as const;
    expect([...known, { pid, born: born + 1 }].map(isLiving)).toEqual([true, true, false]);
    process.kill(pid, 'SIGKILL');
    await expect.poll(async () => (await entryOf(pid))?.dead).toBe(true);
    expect(known.map(isLiving)).toEqual([false, false]);
  } finally {
    parent.kill('SIGKILL');
  }
});

test.skipIf(process.platform !== 'linux')(
  'sees a process at work whose main thread has ended before the others',
  async () => {
    const text = `import ctypes, os, threading, time
threading.Thread(target=lambda: time.sleep(300)).start()
print(os.getpid(), flush=True)
ctypes.CDLL(None).pthread_exit(None)`;
    const child = spawn('python3', ['-c', text]);
    try {
      const pid = await told(child);
      const stateOf = () => readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.[0];
      await expect.poll(stateOf).toBe('Z');
      expect([isLiving({ pid, born: findBirth(pid) }), (await entryOf(pid))?.dead]).toEqual([true, false]);
    } finally {
      child.kill('SIGKILL');
    }
  },
);
