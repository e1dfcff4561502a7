import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, EventBody } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHistoryTail } from './history-tail.ts';
import { openLogWriter } from './log-file.ts';
import { openLogTail } from './log-tail.ts';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tail-'));
  path = join(dir, 'log.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const word = (by: number): EventBody => ({ kind: 'wait.ended', waitedMs: by });
const wordsIn = (texts: readonly string[]) =>
  texts.map((text) => (JSON.parse(text) as Extract<Event, { kind: 'wait.ended' }>).waitedMs);

describe('a log that is followed', () => {
  it('shows each event once it is whole, and what was there before', () => {
    const writer = openLogWriter(path);
    writer.append(0, [word(1), word(2)], new Date());
    const tail = openLogTail(path);
    expect([tail.look(), tail.count()]).toEqual(['grown', 2]);
    expect(tail.look()).toBe('same');
    writer.append(2, [word(3)], new Date());
    expect([tail.look(), tail.count()]).toEqual(['grown', 3]);
    expect(wordsIn(tail.chunk(1, 1e6).texts)).toEqual([2, 3]);
    expect(tail.chunk(3, 1e6)).toEqual({ texts: [], last: 3 });
    writer.close();
  });
  it('gives the events as they were written, without the hash', () => {
    const writer = openLogWriter(path);
    const [event] = writer.append(0, [word(7)], new Date());
    writer.close();
    const tail = openLogTail(path);
    tail.look();
    expect(tail.chunk(0, 1).texts.map((text) => JSON.parse(text) as unknown)).toEqual([event]);
  });
  it('waits for the rest of a line that is half written', () => {
    const writer = openLogWriter(path);
    writer.append(0, [word(1), word(2)], new Date());
    writer.close();
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length - 5));
    const tail = openLogTail(path);
    expect([tail.look(), tail.count(), tail.damage()]).toEqual(['grown', 1, null]);
    appendFileSync(path, whole.subarray(whole.length - 5));
    expect([tail.look(), tail.count()]).toEqual(['grown', 2]);
  });
  it('begins anew when what it read was taken back', () => {
    const writer = openLogWriter(path);
    writer.append(0, [word(1)], new Date());
    const size = readFileSync(path).length;
    writer.append(1, [word(2)], new Date());
    writer.close();
    const tail = openLogTail(path);
    tail.look();
    truncateSync(path, size);
    expect([tail.look(), tail.count()]).toEqual(['restarted', 1]);
    const again = openLogWriter(path);
    again.append(1, [word(9)], new Date());
    again.close();
    expect([tail.look(), wordsIn(tail.chunk(0, 1e6).texts)]).toEqual(['grown', [1, 9]]);
  });
  it('stops at a damaged line and says what is wrong with it', () => {
    const writer = openLogWriter(path);
    writer.append(0, [word(1), word(2)], new Date());
    writer.close();
    writeFileSync(path, readFileSync(path, 'utf8').replace('"waitedMs":2', '"waitedMs":3'));
    const tail = openLogTail(path);
    tail.look();
    expect([tail.count(), tail.damage()]).toEqual([1, expect.stringContaining('hash')]);
  });
  it('takes about as many bytes as it is asked for, and one event at least', () => {
    const writer = openLogWriter(path);
    writer.append(
      0,
      Array.from({ length: 100 }, (_, at) => word(at)),
      new Date(),
    );
    writer.close();
    const tail = openLogTail(path);
    tail.look();
    expect(tail.chunk(0, 0).last).toBe(1);
    const all: number[] = [];
    for (let after = 0; after < 100; ) {
      const { texts, last } = tail.chunk(after, 2_000);
      expect(texts.join('').length).toBeLessThan(2_500);
      all.push(...wordsIn(texts));
      after = last;
    }
    expect(all).toEqual(Array.from({ length: 100 }, (_, at) => at));
  });
  it('is gone when the run was removed', () => {
    expect(openLogTail(join(dir, 'none.jsonl')).look()).toBe('gone');
  });
});

describe('the history of a linked run', () => {
  const begin = (runId: string, parent?: { runId: string; seq: number }): EventBody => ({
    kind: 'run.started',
    runId,
    version: 'x',
    root: '/',
    nonce: 'n',
    spec: {} as never,
    specHash: '',
    source: '',
    ...(parent ? { parent } : {}),
  });
  function write(runId: string, bodies: EventBody[]) {
    mkdirSync(join(dir, runId), { recursive: true });
    const writer = openLogWriter(join(dir, runId, 'log.jsonl'));
    writer.append(0, bodies, new Date());
    writer.close();
  }
  it('has the events of all that it goes on from before its own, and nothing they did later', () => {
    write('aaaaaa', [begin('aaaaaa'), word(1), word(2), word(99)]);
    write('bbbbbb', [begin('bbbbbb', { runId: 'aaaaaa', seq: 3 }), word(3), word(99)]);
    write('cccccc', [begin('cccccc', { runId: 'bbbbbb', seq: 2 }), word(4)]);
    const tail = openHistoryTail(dir, 'cccccc');
    expect([tail.look(), tail.count()]).toEqual(['grown', 7]);
    const told: unknown[] = [];
    for (let after = 0; after < 7; ) {
      const { texts, last } = tail.chunk(after, 1e6);
      expect(last - after).toBe(texts.length);
      for (const text of texts) {
        const event = JSON.parse(text) as Event;
        told.push(event.kind === 'run.started' ? event.runId : event.kind === 'wait.ended' && event.waitedMs);
      }
      after = last;
    }
    expect(told).toEqual(['aaaaaa', 1, 2, 'bbbbbb', 3, 'cccccc', 4]);
  });
  it('says when a run that it goes on from is gone', () => {
    write('bbbbbb', [begin('bbbbbb', { runId: 'aaaaaa', seq: 3 })]);
    const tail = openHistoryTail(dir, 'bbbbbb');
    tail.look();
    expect(tail.damage()).toContain('aaaaaa');
  });
});
