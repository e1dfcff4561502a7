import { closeSync, fdatasyncSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '../packages/core/src/event.ts';
import { openLogWriter } from '../packages/runtime/src/store/log-file.ts';
import { inPlace, type Measured, makeRow } from './figures.ts';

const warmUp = 50;
const rounds = 400;

/** One event made durable, beside a bare write and flush of a line of the same size. */
export function measureAppend(): Promise<Measured[]> {
  return inPlace((dir) => {
    const path = join(dir, 'log.jsonl');
    writeFileSync(path, '');
    const writer = openLogWriter(path);
    let seq = 0;
    const append = () => {
      seq = writer.append(seq, [body], new Date()).at(-1)?.seq ?? seq;
    };
    append();
    const size = statSync(path).size;
    const plain = openSync(join(dir, 'plain.jsonl'), 'a');
    const line = `${'x'.repeat(size - 1)}\n`;
    const ours: number[] = [];
    const beside: number[] = [];
    const measures = [
      () => ours.push(timeOf(append)),
      () => beside.push(timeOf(() => appendPlainly(plain, line))),
    ];
    for (let round = 0; round < warmUp + rounds; round++) {
      for (const measure of round % 2 === 0 ? measures : measures.toReversed()) measure();
    }
    writer.close();
    closeSync(plain);
    const figures = { ours: ours.slice(warmUp), beside: beside.slice(warmUp) };
    return [makeRow('durable append of one event', 2, figures, `lines of ${size} bytes`)];
  });
}

const body: EventBody = {
  kind: 'tree.confirmed',
  iteration: 12,
  attempt: 1,
  tree: '8f2c1d7b5a3e4960f1b2c3d4e5f60718293a4b5c',
  after: '8f2c1d7b5a3e4960f1b2c3d4e5f60718293a4b5c',
  work: '8f2c1d7b5a3e4960f1b2c3d4e5f60718',
  substance: '8f2c1d7b5a3e4960f1b2c3d4e5f60718',
  moved: ['coverage/lcov.info'],
  fresh: [],
};

function appendPlainly(fd: number, line: string): void {
  writeSync(fd, line);
  fdatasyncSync(fd);
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
