import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { scanLog } from './log-read.ts';

const folder = new URL('../../../core/src/golden/histories/', import.meta.url);

/** The logs of a history, byte for byte as a version wrote them. */
function logsOf(file: string): Buffer[] {
  const logs: string[][] = [];
  for (const line of readFileSync(new URL(file, folder), 'utf8').trimEnd().split('\n')) {
    if (line.includes('"seq":1,')) logs.push([]);
    logs.at(-1)!.push(line);
  }
  return logs.map((lines) => Buffer.from(`${lines.join('\n')}\n`));
}

it.each(readdirSync(folder))('the log of %s can be read, and its chain holds', (file) => {
  const heads = new Map<string, string[]>();
  for (const bytes of logsOf(file)) {
    const { events, hashes, damage, torn } = scanLog(bytes);
    expect([damage, torn, events.length]).toEqual([null, false, hashes.length]);
    const first = events[0];
    if (first?.kind !== 'run.started') throw new Error('a log begins with its run');
    const { parent } = first;
    if (parent?.hash !== undefined) expect(heads.get(parent.runId)?.[parent.seq - 1]).toBe(parent.hash);
    heads.set(first.runId, hashes);
    const middle = bytes.length >> 1;
    const flipped = Buffer.from(bytes);
    flipped[middle]! ^= 1;
    expect(scanLog(flipped).events.length).toBeLessThan(events.length);
  }
});
