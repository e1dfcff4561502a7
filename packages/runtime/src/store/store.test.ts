import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventBody, FaultError } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogWriter, readLog } from './log-file.ts';
import { openRunStore, type RunStore, readHistory } from './runs.ts';
import { findHome, listHomes, openHome, stateRoot } from './state-home.ts';

let dir: string;
let store: RunStore;
const log = () => join(store.dir('r1'), 'log.jsonl');
const wait = (waitedMs: number): EventBody => ({ kind: 'wait.ended', waitedMs });
const faultOf = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (error instanceof FaultError) return `${error.fault.code}: ${error.fault.message}`;
    throw error;
  }
  return 'none';
};

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentgate-store-'));
  store = openRunStore(join(dir, 'runs'));
  store.create('r1');
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

describe('the log', () => {
  it('numbers events without gaps and gives them back as they were', async () => {
    await store.append('r1', 0, [wait(1), wait(2)]);
    await store.append('r1', 2, [wait(3)]);
    expect(
      (await store.read('r1')).map((event) => [event.seq, event.kind === 'wait.ended' && event.waitedMs]),
    ).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });
  it('refuses an append that does not follow the last event', async () => {
    await store.append('r1', 0, [wait(1)]);
    await expect(store.append('r1', 0, [wait(2)])).rejects.toThrow(/at event 1/);
    await expect(store.append('r1', 5, [wait(2)])).rejects.toThrow(/at event 1/);
  });
  it('drops a torn tail, says so, and goes on after the last whole event', async () => {
    await store.append('r1', 0, [wait(1), wait(2)]);
    store.close();
    appendFileSync(log(), '{"v":1,"seq":3,"at":"2026');
    expect(readLog(log())).toMatchObject({ torn: true });
    expect(await store.append('r1', 2, [wait(3)])).toMatchObject([{ seq: 3 }]);
    expect(readLog(log())).toMatchObject({ torn: false });
    expect(await store.read('r1')).toHaveLength(3);
  });
  it('survives a cut at every byte: whole events stay, the rest is torn', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    const whole = readFileSync(log());
    for (let size = 0; size <= whole.length; size++) {
      writeFileSync(log(), whole.subarray(0, size));
      const lines = whole.subarray(0, size).toString().split('\n').length - 1;
      expect(readLog(log()).events).toHaveLength(lines);
    }
  });
  it('refuses a flipped bit anywhere, naming the last good event', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    const whole = readFileSync(log());
    const second = whole.indexOf(10) + 1;
    const third = whole.indexOf(10, second) + 1;
    for (let at = second; at < third - 1; at += 3) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 0x20;
      writeFileSync(log(), bytes);
      expect(faultOf(() => readLog(log()))).toMatch(
        /log\.damaged: .* damaged after event 1; the last good event is 1 \(wait\.ended/,
      );
    }
  });
  it('refuses a removed line and two swapped lines', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    const [a, b, c] = readFileSync(log(), 'utf8').split('\n');
    writeFileSync(log(), `${a}\n${c}\n`);
    expect(faultOf(() => readLog(log()))).toMatch(/log\.damaged/);
    writeFileSync(log(), `${a}\n${c}\n${b}\n`);
    expect(faultOf(() => readLog(log()))).toMatch(/log\.damaged/);
  });
  it('does not write to a damaged log', async () => {
    await store.append('r1', 0, [wait(1), wait(2)]);
    store.close();
    const text = readFileSync(log(), 'utf8').replace('"waitedMs":1', '"waitedMs":9');
    writeFileSync(log(), text);
    await expect(store.append('r1', 2, [wait(3)])).rejects.toThrow(/damaged/);
    expect(readFileSync(log(), 'utf8')).toBe(text);
  });
  it('refuses a log of a newer version instead of misreading it', () => {
    const writer = openLogWriter(log());
    writer.append(0, [{ ...wait(1), v: 99 } as unknown as EventBody], new Date());
    writer.close();
    expect(faultOf(() => readLog(log()))).toMatch(/log\.newer/);
  });
  it('keeps odd characters', async () => {
    const note = 'a\nb\u2028c"d\\e\u0000f 🙂 ,"hash":"0000"}';
    await store.append('r1', 0, [{ kind: 'stop.requested', by: 'command', note }]);
    expect((await store.read('r1'))[0]).toMatchObject({ note });
  });
});

describe('beside the log', () => {
  it('keeps a text under its content and gives it back', () => {
    const ref = store.keep('r1', 'hello');
    expect([
      store.recall('r1', ref),
      store.keep('r1', 'hello') === ref,
      store.recall('r1', 'nothing'),
    ]).toEqual(['hello', true, null]);
  });
  it('hands over requests once, in order', () => {
    store.request('r1', { kind: 'stop', note: 'a' });
    expect(store.takeRequests('r1')).toEqual([{ kind: 'stop', note: 'a' }]);
    expect(store.takeRequests('r1')).toEqual([]);
  });
  it('knows when the owner last gave a sign of life', () => {
    expect(store.lastBeat('r1')).toBeNull();
    store.beat('r1');
    expect(Date.now() - store.lastBeat('r1')!).toBeLessThan(60_000);
  });
  it('reads a linked run after the run it goes on from', async () => {
    await store.append('r1', 0, [wait(1)]);
    store.create('r2');
    const first = { kind: 'run.started', parent: { runId: 'r1', seq: 1 } } as EventBody;
    await store.append('r2', 0, [first, wait(2)]);
    expect((await readHistory(store, 'r2')).map((event) => event.kind)).toEqual([
      'wait.ended',
      'run.started',
      'wait.ended',
    ]);
  });
  it('names an unknown run', async () => {
    await expect(store.read('nope')).rejects.toThrow(/no run nope/);
  });
  it('tells a log that cannot be written from a full disk', () => {
    const writer = openLogWriter(log());
    writer.close();
    expect(faultOf(() => writer.append(0, [wait(1)], new Date()))).toMatch(/state\.unwritable/);
    truncateSync(log());
  });
});

describe('the home of a workspace', () => {
  it('follows XDG, or our own variable, and keys by the real path', () => {
    expect(stateRoot({ XDG_STATE_HOME: '/x' })).toBe('/x/agentgate');
    expect(stateRoot({ XDG_STATE_HOME: '/x', AGENTGATE_STATE_DIR: '/y' })).toBe('/y');
    const env = { AGENTGATE_STATE_DIR: join(dir, 'state') };
    const home = openHome(dir, env);
    expect(findHome(join(dir, 'runs', '..'), env)).toEqual(home);
    expect(existsSync(home.runs)).toBe(true);
    expect(listHomes(env).map((one) => one.root)).toEqual([home.root]);
  });
  it('says which directory is missing', () => {
    expect(faultOf(() => findHome(join(dir, 'gone')))).toMatch(
      /workspace\.missing: there is no directory .*gone/,
    );
  });
});
