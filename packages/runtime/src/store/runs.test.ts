import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { EventBody } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Disk, systemDisk } from './disk.ts';
import { readLog } from './log-read.ts';
import { openRunStore, type RunStore } from './runs.ts';

let dir: string;
let store: RunStore;
/** What was asked of the disk, in order. */
let asked: string[];
/** Set, so that everything but a removal finds the disk full. */
let isFull: boolean;

const wait = (waitedMs: number): EventBody => ({ kind: 'wait.ended', waitedMs });
const log = () => join(dir, 'runs', 'r1', 'log.jsonl');

function watched(): Disk {
  const full = () => {
    if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  return {
    ...systemDisk,
    put(path, content) {
      full();
      systemDisk.put(path, content);
    },
    remove(path) {
      if (path.endsWith('.reserve')) isFull = false;
      systemDisk.remove(path);
    },
    note(path, text, durable) {
      asked.push(`note ${text.trimEnd()} ${durable ? 'durably' : 'lightly'} ${text.length}`);
      systemDisk.note(path, text, durable);
    },
    settle(dir) {
      asked.push(`settle ${basename(dir)}`);
      systemDisk.settle(dir);
    },
    open(path) {
      const file = systemDisk.open(path);
      return {
        ...file,
        append(bytes) {
          full();
          asked.push('append');
          file.append(bytes);
        },
        cut(size) {
          asked.push('cut');
          file.cut(size);
        },
        sync() {
          asked.push('sync');
          file.sync();
        },
      };
    },
  };
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'agentgate-runs-'));
  asked = [];
  isFull = false;
  store = openRunStore(join(dir, 'runs'), { disk: watched(), reserveBytes: 1_000 });
  store.create('r1');
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('settle', () => {
  it('brings to the disk what a killed process may have left in memory, before anyone acts upon it', async () => {
    await store.append('r1', 0, [wait(1)]);
    store.close();
    asked.length = 0;
    store.settle('r1');
    expect(asked).toEqual(['settle blobs', 'sync']);
  });
  it('drops a torn tail, and makes that last, too', async () => {
    await store.append('r1', 0, [wait(1)]);
    store.close();
    appendFileSync(log(), '{"v":1,"seq":2');
    asked.length = 0;
    store.settle('r1');
    expect(asked).toEqual(['settle blobs', 'cut', 'sync']);
    expect(readLog(log())).toMatchObject({ torn: false, events: [{ seq: 1 }] });
  });
  it('makes nothing of a run that never began', () => {
    store.settle('r1');
    store.settle('nobody');
    expect([asked, existsSync(log())]).toEqual([[], false]);
  });
});

describe('a sign of life', () => {
  it('is written through where that is asked for, and always of one length', () => {
    store.beat('r1', { seq: 123, sinceMs: 45_678.4, durable: true });
    store.beat('r1', { seq: 7, sinceMs: 1 });
    expect(asked).toEqual(['note 123 45678 durably 32', 'note 7 1 lightly 32']);
    expect(store.lastBeat('r1')).toMatchObject({ seq: 7, sinceMs: 1 });
  });
  it('that is torn or missing counts for nothing', () => {
    expect(store.lastBeat('r1')).toBeNull();
    store.beat('r1', { seq: 7, sinceMs: 1 });
    appendFileSync(join(dir, 'runs', 'r1', 'alive'), 'x');
    expect(store.lastBeat('r1')).toMatchObject({ seq: 0, sinceMs: 0 });
  });
  it('that cannot be written disturbs nobody', () => {
    store.beat('nobody', { seq: 1, sinceMs: 1 });
    expect(store.lastBeat('nobody')).toBeNull();
  });
});

describe('a full disk', () => {
  it('costs the room that was set aside, and no event and no text', async () => {
    store.reserve();
    isFull = true;
    await store.append('r1', 0, [wait(1)]);
    expect(store.isFull()).toBe(true);
    expect(readFileSync(log(), 'utf8')).toContain('"waitedMs":1');
    expect(store.recall('r1', store.keep('r1', 'words'))).toBe('words');
  });
  it('is told at once where nothing can be set aside', () => {
    isFull = true;
    expect(() => store.reserve()).toThrow(/no space left to write .*\.reserve/);
    expect(store.isFull()).toBe(false);
  });
  it('is forgotten by the next store, which sets room aside anew', async () => {
    store.reserve();
    isFull = true;
    await store.append('r1', 0, [wait(1)]);
    const next = openRunStore(join(dir, 'runs'), { disk: watched(), reserveBytes: 1_000 });
    next.reserve();
    expect([next.isFull(), existsSync(join(dir, 'runs', '.reserve'))]).toEqual([false, true]);
  });
});
