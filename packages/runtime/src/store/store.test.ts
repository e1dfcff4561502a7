import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventBody, FaultError } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { storeConformance } from './conformance.ts';
import { type Disk, systemDisk } from './disk.ts';
import { openLogWriter } from './log-file.ts';
import { readLog } from './log-read.ts';
import { makeMemoryStore } from './memory-store.ts';
import { openRunStore, type RunStore } from './runs.ts';
import { findHome, listHomes, openHome } from './state-home.ts';
import { stateRoot } from './state-root.ts';

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

describe.each<[string, () => [RunStore, RunStore?]]>([
  ['every store: files', () => [openRunStore(join(dir, 'fresh')), openRunStore(join(dir, 'fresh'))]],
  ['every store: memory', () => [makeMemoryStore()]],
])('%s', (_, open) => {
  it.each(storeConformance)('$name', async ({ check }) => {
    const [fresh, another] = open();
    await check(fresh, another);
    for (const one of [fresh, another]) one?.close();
  });
});

describe('memory', () => {
  it('forgets the oldest texts first when there are too many, and never the newest', () => {
    const memory = makeMemoryStore({ maxTextChars: 10 });
    memory.create('r1');
    const [first, second] = [memory.keep('r1', 'aaaa'), memory.keep('r1', 'bbbb')];
    memory.keep('r1', 'aaaa');
    const third = memory.keep('r1', 'cccc');
    expect([first, second, third].map((ref) => memory.recall('r1', ref))).toEqual(['aaaa', null, 'cccc']);
    const long = memory.keep('r1', 'd'.repeat(50));
    expect(memory.recall('r1', long)).toHaveLength(50);
    expect(memory.recall('r1', third)).toBeNull();
  });
});

describe('a log that was checked', () => {
  /** A disk whose clock ticks finely enough for a test, and that counts what is read of the log. */
  const watched = () => {
    const seen = { reads: 0 };
    const disk: Disk = {
      ...systemDisk,
      stamp: (path) => {
        const { ino, size, mtimeNs } = statSync(path, { bigint: true });
        return `${ino} ${size} ${mtimeNs}`;
      },
      read(path, most) {
        if (path === log()) seen.reads += 1;
        return systemDisk.read(path, most);
      },
    };
    return { seen, disk };
  };

  it('is hashed once for everyone who goes on with the run, also for another store of the process', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    store.close();
    const { seen, disk } = watched();
    const [first, second] = [1, 2].map(() => openRunStore(join(dir, 'runs'), { disk }));
    const events = await first!.read('r1');
    expect([first!.isTorn('r1'), second!.isTorn('r1'), seen.reads]).toEqual([false, false, 1]);
    const hash = second!.chainHash('r1');
    expect([seen.reads, hash]).toEqual([1, readLog(log()).hash]);
    expect([await second!.read('r1'), await second!.read('r1', 2)]).toEqual([events, events.slice(0, 2)]);
    expect(second!.chainHash('r1', 2)).toBe(readLog(log(), systemDisk, 2).hash);
    await expect(second!.read('r1', 4)).rejects.toThrow(/no event 4/);
    await second!.append('r1', 3, [wait(4)]);
    expect(await first!.read('r1')).toHaveLength(4);
    second!.close();
  });
  it('is looked at again when somebody touched it', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    const other = openRunStore(join(dir, 'runs'), { disk: watched().disk });
    const text = readFileSync(log(), 'utf8');
    expect(await other.read('r1')).toHaveLength(3);
    writeFileSync(log(), text.replace('"waitedMs":2', '"waitedMs":9'));
    expect(faultOf(() => other.isTorn('r1'))).toMatch(/log\.damaged: .*damaged after event 1/);
    expect(faultOf(() => other.chainHash('r1', 3))).toMatch(/log\.damaged/);
    writeFileSync(log(), text.slice(0, -5));
    expect([other.isTorn('r1'), (await other.read('r1')).length]).toEqual([true, 2]);
  });
  it('is not trusted while its last change is so young that another one might not show', async () => {
    await store.append('r1', 0, [wait(1)]);
    expect(systemDisk.stamp(log())).toBeNull();
  });
});

describe('the log', () => {
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
  it('names both ways out of a damaged log', async () => {
    await store.append('r1', 0, [wait(1), wait(2)]);
    writeFileSync(log(), readFileSync(log(), 'utf8').replace('"waitedMs":2', '"waitedMs":9'));
    const said = faultOf(() => readLog(log()));
    expect(said).toContain('agentgate export r1 saves what is good');
    expect(said).toContain('agentgate resume r1 --from-event 1 goes on from there');
    writeFileSync(log(), 'x\n');
    expect(faultOf(() => readLog(log()))).toMatch(
      /no event in it is good.*a new run begins with agentgate run/,
    );
  });
  it('reads up to an event whatever is wrong behind it, and not beyond what is good', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    const whole = readFileSync(log(), 'utf8');
    const hash = store.chainHash('r1', 1);
    writeFileSync(log(), whole.replace('"waitedMs":2', '"waitedMs":9'));
    expect([await store.read('r1', 1), store.chainHash('r1', 1)]).toMatchObject([[{ seq: 1 }], hash]);
    await expect(store.read('r1', 2)).rejects.toThrow(/damaged after event 1/);
    store.settle('r1', 1);
    expect(() => store.chainHash('r1')).toThrow(/damaged/);
  });
  it('hashes the bytes as they lie there: a broken character is not taken for the sign of one', async () => {
    await store.append('r1', 0, [{ kind: 'stop.requested', by: 'command', note: 'a\uFFFDb' }]);
    const bytes = readFileSync(log());
    const at = bytes.indexOf(Buffer.from('\uFFFD'));
    writeFileSync(log(), Buffer.concat([bytes.subarray(0, at + 2), bytes.subarray(at + 3)]));
    expect(faultOf(() => readLog(log()))).toMatch(/log\.damaged/);
  });
  it('does not take a log that lost its end for one that was cut short', async () => {
    await store.append('r1', 0, [wait(1), wait(2)]);
    store.close();
    store.keepReceipt('r1', '{}');
    const before = readFileSync(log(), 'utf8');
    appendFileSync(log(), '{"v":1,"seq":3');
    expect(faultOf(() => store.settle('r1'))).toMatch(
      /log\.damaged: .*has lost its end: its receipt says that the run ended.*the last good event is 2/,
    );
    await expect(store.append('r1', 2, [wait(3)])).rejects.toThrow(/has lost its end/);
    expect(readFileSync(log(), 'utf8')).toBe(`${before}{"v":1,"seq":3`);
  });
  it('believes the last sign of life more than a log that has less', async () => {
    await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
    store.beat('r1', { seq: 3, sinceMs: 20 });
    const whole = readFileSync(log(), 'utf8');
    expect(await store.read('r1')).toHaveLength(3);
    writeFileSync(log(), `${whole.split('\n', 2).join('\n')}\n`);
    await expect(store.read('r1')).rejects.toThrow(/a sign of life tells of event 3.*--from-event 2/);
    const fresh = openRunStore(join(dir, 'runs'));
    expect(faultOf(() => fresh.settle('r1'))).toMatch(/has lost its end/);
    expect(await fresh.read('r1', 2)).toHaveLength(2);
    fresh.close();
  });
  it.each<[string, string, () => void]>([
    ['is removed', 'removed or replaced', () => rmSync(log())],
    [
      'is replaced by a copy',
      'removed or replaced',
      () => {
        writeFileSync(`${log()}.new`, readFileSync(log()));
        renameSync(`${log()}.new`, log());
      },
    ],
    ['is shortened', 'shortened', () => truncateSync(log(), 100)],
  ])('takes no event that nobody would find when it %s under its writer', async (_, what, harm) => {
    await store.append('r1', 0, [wait(1), wait(2)]);
    harm();
    const left = existsSync(log()) ? readFileSync(log()) : null;
    await expect(store.append('r1', 2, [wait(3)])).rejects.toThrow(`somebody ${what} the log ${log()}`);
    expect(existsSync(log()) ? readFileSync(log()) : null).toEqual(left);
  });

  it('cuts off half a line behind its last event, and leaves whole ones to whoever wrote them', async () => {
    await store.append('r1', 0, [wait(1)]);
    appendFileSync(log(), '{"v":1,"seq":2');
    await store.append('r1', 1, [wait(2)]);
    expect(await store.read('r1')).toMatchObject([{ waitedMs: 1 }, { waitedMs: 2 }]);
    appendFileSync(log(), 'a line of somebody else\n{"v":1');
    const left = readFileSync(log());
    await expect(store.append('r1', 2, [wait(3)])).rejects.toThrow(
      `somebody else appended to the log ${log()} while the run was on`,
    );
    expect(readFileSync(log())).toEqual(left);
  });
  it('tells a run that is not there from one that others go on from', async () => {
    await expect(store.read('r9')).rejects.toThrow(/there is no run r9 here; agentgate list/);
    await expect(store.read('r9', 3)).rejects.toThrow(/run r9, which a later run goes on from, are gone/);
  });

  it('takes nothing behind the end of a run', async () => {
    await store.append('r1', 0, [{ kind: 'run.ended', status: 'converged' } as EventBody]);
    await expect(store.append('r1', 1, [wait(1)])).rejects.toThrow(/nothing follows the end/);
    const fresh = openRunStore(join(dir, 'runs'));
    await expect(fresh.append('r1', 1, [wait(1)])).rejects.toThrow(/nothing follows the end/);
    fresh.close();
  });
  it('reads the other letters when one cannot be read, and removes none', () => {
    store.request('r1', { kind: 'stop' });
    mkdirSync(join(store.inbox('r1'), 'x.json'));
    writeFileSync(join(store.inbox('r1'), 'y.json'), '{"kind":"of tomorrow"}');
    expect(store.letters('r1').map(({ request }) => request.kind)).toEqual(['stop']);
    expect(existsSync(join(store.inbox('r1'), 'y.json'))).toBe(true);
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
});

describe('beside the log', () => {
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
    // A crash left it empty: it hides nobody else, and is written anew.
    writeFileSync(join(home.dir, 'workspace.json'), '');
    expect(listHomes(env)).toEqual([]);
    openHome(dir, env);
    expect(listHomes(env).map((one) => one.root)).toEqual([home.root]);
  });
  it('says which directory is missing', () => {
    expect(faultOf(() => findHome(join(dir, 'gone')))).toMatch(
      /workspace\.missing: there is no directory .*gone/,
    );
  });
});
