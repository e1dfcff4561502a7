import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gateWith, judgeGate } from './testing.ts';

let root: string;
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-hostile-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const judge = (run: string, timeoutMs = 60_000) =>
  judgeGate(gateWith('command', { run }), root, { timeoutMs });

test('a gate that floods us with 4 GB is judged in bounded memory', { timeout: 180_000 }, async () => {
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20);
  // In large pieces, so that the program that writes is not what is slow.
  const flood = 'yes flood | dd bs=1M count=4096 iflag=fullblock status=none';
  const { verdict, output } = await judge(`${flood}; echo; echo the end; exit 1`, 150_000);
  clearInterval(watch);
  expect(verdict.kind).toBe('failed');
  expect(output.endsWith('the end\n')).toBe(true);
  expect(output.length).toBeLessThan(1_000_000);
  expect((most - before) / 2 ** 20).toBeLessThan(400);
});

test('a gate that ignores the polite signal is ended all the same', async () => {
  const { verdict, tookMs } = await judge('trap "" TERM; echo deaf; while :; do sleep 1; done', 300);
  expect(verdict).toMatchObject({
    kind: 'timed-out',
    afterMs: 300,
    excerpt: expect.stringContaining('deaf'),
  });
  expect(tookMs).toBeLessThan(8_000);
});

test.each([
  { daemon: 'a plain one', text: 'sleep 600 &' },
  { daemon: 'one in a session of its own', text: 'setsid sleep 600 &' },
  {
    daemon: 'one that ignores signals',
    text: `setsid sh -c 'trap "" TERM HUP; while :; do sleep 1; done' &`,
  },
])('a gate that leaves a daemon with its output open is judged by its exit: $daemon', async ({ text }) => {
  const { verdict, output, tookMs } = await judge(`${text} echo judged`);
  expect([verdict.kind, output]).toEqual(['passed', 'judged\n']);
  expect(tookMs).toBeLessThan(4_000);
});

test('words that are no UTF-8 are told as far as they can be', async () => {
  const { verdict, output } = await judge(
    String.raw`printf 'FAIL: caf\351 \377\376 \303'; printf '\000'; exit 1`,
  );
  expect(verdict.kind).toBe('failed');
  expect(output).toContain('FAIL: caf\ufffd');
});
