import { spawn } from 'node:child_process';
import { expect, test } from 'vitest';
import { findBirth, readProcessTable, readPs } from './process-table.ts';

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
