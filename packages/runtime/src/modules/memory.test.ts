import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, expect, test } from 'vitest';
import { watchMemory } from './memory.ts';

let child: ChildProcess;
afterEach(() => child.kill('SIGKILL'));

/** A process that takes so much outside of its heap and then says so. */
function take(megabytes: number): Promise<number> {
  const text = `const kept = Buffer.alloc(${megabytes} * 2 ** 20, 1); console.log(kept.length); setInterval(() => {}, 1000);`;
  child = spawn(process.execPath, ['-e', text], { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((ready) => child.stdout?.once('data', () => ready(child.pid!)));
}

test('tells when a process takes more than it may, buffers included', async () => {
  const pid = await take(200);
  await new Promise<void>((over) => watchMemory(pid, 64, over));
});

test('leaves a process alone that takes less, and knows when it is nearly all', async () => {
  const pid = await take(40);
  let over = 0;
  const watches = [512, 64].map((memoryMb) => watchMemory(pid, memoryMb, () => void (over += 1)));
  const tight = watchMemory(pid, 1, () => {});
  // The third watch looks as often as the others, so when it has seen enough they have looked as well.
  await expect.poll(() => tight.tight).toBe(true);
  expect([over, watches[0]?.tight]).toEqual([0, false]);
  for (const watch of [...watches, tight]) watch.end();
});

test('says nothing about a process that is gone', async () => {
  const pid = await take(1);
  child.kill('SIGKILL');
  await new Promise((done) => child.once('close', done));
  const watch = watchMemory(pid, 1, () => expect.unreachable());
  expect(watch.tight).toBe(false);
  watch.end();
});
