import { deepEqual, equal, match, notEqual, ok, rejects } from 'node:assert/strict';
import { type EventBody, FaultError } from '@agentgate/core';
import { readHistory, type RunStore } from './runs.ts';

/**
 * One promise of every store. `check` is given a store without runs, and throws when the promise is broken. `another`
 * is the same store as another process would open it, where there can be one.
 */
export interface StorePromise {
  name: string;
  check(store: RunStore, another?: RunStore): Promise<void>;
}

/** What every store promises, for any test runner: `for (const { name, check } of storeConformance) it(name, …)`. */
export const storeConformance: readonly StorePromise[] = [
  {
    name: 'numbers events without gaps and gives them back as they were',
    async check(store) {
      store.create('r1');
      const first = await store.append('r1', 0, [wait(1), wait(2)]);
      const second = await store.append('r1', 2, [wait(3)]);
      const read = await store.read('r1');
      deepEqual(
        read.map((event) => [event.seq, event.kind === 'wait.ended' && event.waitedMs]),
        [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      );
      deepEqual(read, [...first, ...second]);
      ok(read.every((event) => !Number.isNaN(Date.parse(event.at))));
    },
  },
  {
    name: 'refuses an append that does not follow the last event',
    async check(store) {
      store.create('r1');
      await store.append('r1', 0, [wait(1)]);
      for (const after of [0, 5]) await refuses(store.append('r1', after, [wait(2)]), /at event 1/);
      equal((await store.read('r1')).length, 1);
    },
  },
  {
    name: 'takes nothing away that another writer recorded, and refuses to go on behind it unseen',
    async check(store, another = store) {
      store.create('r1');
      await store.append('r1', 0, [wait(1)]);
      await another.append('r1', 1, [wait(2), wait(3)]);
      const before = await another.read('r1');
      await refuses(store.append('r1', 1, [wait(4)]), /r1/);
      deepEqual(await store.read('r1'), before);
      equal(before.length, 3);
    },
  },
  {
    name: 'reads up to an event and says the hash so far, which is another after each event',
    async check(store) {
      store.create('r1');
      await store.append('r1', 0, [wait(1), wait(1), wait(1)]);
      equal((await store.read('r1', 2)).length, 2);
      const hashes = [1, 2, 3].map((seq) => store.chainHash('r1', seq));
      equal(new Set(hashes).size, 3);
      ok(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash)));
      equal(store.chainHash('r1'), hashes[2]);
      await refuses(store.read('r1', 4), /no event 4/);
    },
  },
  {
    name: 'reads the history of a linked run only up to where it goes on from its parent',
    async check(store) {
      for (const run of ['r1', 'r2']) store.create(run);
      await store.append('r1', 0, [wait(1), wait(2), wait(3)]);
      await store.append('r2', 0, [{ kind: 'run.started', parent: { runId: 'r1', seq: 2 } } as EventBody]);
      const kinds = (await readHistory(store, 'r2')).map((event) => event.kind);
      deepEqual(kinds, ['wait.ended', 'wait.ended', 'run.started']);
    },
  },
  {
    name: 'keeps the receipt of a run',
    async check(store) {
      store.create('r1');
      equal(store.receipt('r1'), null);
      store.keepReceipt('r1', 'text');
      equal(store.receipt('r1'), 'text');
    },
  },
  {
    name: 'keeps odd characters',
    async check(store) {
      const note = 'a\nb\u2028c"d\\e\u0000f 🙂 ,"hash":"0000"}';
      store.create('r1');
      await store.append('r1', 0, [{ kind: 'stop.requested', by: 'command', note }]);
      const [event] = await store.read('r1');
      equal(event?.kind === 'stop.requested' && event.note, note);
    },
  },
  {
    name: 'is not changed by whoever changes what it gave or was given',
    async check(store) {
      const body = { kind: 'stop.requested', by: 'command', note: 'kept' } as { note: string } & EventBody;
      store.create('r1');
      await store.append('r1', 0, [body]);
      body.note = 'changed';
      for (const event of await store.read('r1')) Object.assign(event, { note: 'changed' });
      const [read] = await store.read('r1');
      equal(read?.kind === 'stop.requested' && read.note, 'kept');
    },
  },
  {
    name: 'keeps runs apart',
    async check(store) {
      for (const runId of ['r1', 'r2']) store.create(runId);
      await store.append('r1', 0, [wait(1)]);
      await store.append('r2', 0, [wait(2), wait(3)]);
      const ref = store.keep('r1', 'of the first');
      deepEqual([(await store.read('r1')).length, (await store.read('r2')).length], [1, 2]);
      equal(store.recall('r2', ref), null);
    },
  },
  {
    name: 'makes ids that no run has, and refuses to make a run twice',
    async check(store) {
      const first = store.newId();
      store.create(first);
      await store.append(first, 0, [wait(1)]);
      notEqual(store.newId(), first);
      let refused: unknown = null;
      try {
        store.create(first);
      } catch (error) {
        refused = error;
      }
      ok(refused instanceof FaultError);
      equal((await store.read(first)).length, 1);
    },
  },
  {
    name: 'lists the runs that have begun',
    async check(store) {
      deepEqual(store.list(), []);
      for (const runId of ['r1', 'r2', 'r3']) store.create(runId);
      for (const runId of ['r1', 'r2']) await store.append(runId, 0, [wait(1)]);
      deepEqual(store.list().toSorted(), ['r1', 'r2']);
      ok(!store.isTorn('r1'));
    },
  },
  {
    name: 'keeps a text under its content and gives it back',
    async check(store) {
      store.create('r1');
      const ref = store.keep('r1', 'hello');
      deepEqual(
        [store.recall('r1', ref), store.keep('r1', 'hello') === ref, store.recall('r1', 'nothing')],
        ['hello', true, null],
      );
    },
  },
  {
    name: 'hands over requests once, in order',
    async check(store) {
      store.create('r1');
      store.request('r1', { kind: 'stop', note: 'a' });
      const letters = store.letters('r1');
      deepEqual(
        letters.map((one) => one.request),
        [{ kind: 'stop', note: 'a' }],
      );
      // Until somebody is done with it, it is there for whoever looks.
      deepEqual(store.letters('r1').length, 1);
      for (const letter of letters) letter.done();
      deepEqual(store.letters('r1'), []);
    },
  },
  {
    name: 'knows when the owner last gave a sign of life',
    async check(store) {
      store.create('r1');
      equal(store.lastBeat('r1'), null);
      store.beat('r1', { seq: 12, sinceMs: 123_456 });
      store.beat('r1', { seq: 13, sinceMs: 7 });
      const { wallMs, ...beat } = store.lastBeat('r1')!;
      deepEqual(beat, { seq: 13, sinceMs: 7 });
      ok(Math.abs(Date.now() - wallMs) < 60_000);
    },
  },
  {
    name: 'reads a linked run after the run it goes on from',
    async check(store) {
      for (const runId of ['r1', 'r2']) store.create(runId);
      await store.append('r1', 0, [wait(1)]);
      const first = { kind: 'run.started', parent: { runId: 'r1', seq: 1 } } as EventBody;
      await store.append('r2', 0, [first, wait(2)]);
      const kinds = (await readHistory(store, 'r2')).map((event) => event.kind);
      deepEqual(kinds, ['wait.ended', 'run.started', 'wait.ended']);
      deepEqual([store.childOf('r1', 1), store.childOf('r1', 2), store.childOf('r2', 2)], ['r2', null, null]);
      deepEqual([store.parentOf('r2'), store.parentOf('r1')], ['r1', null]);
    },
  },
  {
    name: 'passes over forks where it looks for the run that went on in the place of another',
    async check(store) {
      const from = (seq: number, more = {}) =>
        [{ kind: 'run.started', parent: { runId: 'r1', seq, hash: 'ab', ...more } } as EventBody] as const;
      for (const runId of ['r1', 'r2', 'r3', 'r4']) store.create(runId);
      await store.append('r1', 0, [wait(1)]);
      await store.append('r2', 0, from(1, { fork: true }));
      await store.append('r3', 0, from(12));
      deepEqual([store.childOf('r1', 1), store.parentOf('r2')], [null, 'r1']);
      await store.append('r4', 0, from(1));
      equal(store.childOf('r1', 1), 'r4');
    },
  },
  {
    name: 'finds the texts of the runs that a run goes on from',
    async check(store) {
      for (const runId of ['r1', 'r2', 'r3']) store.create(runId);
      await store.append('r1', 0, [wait(1)]);
      const ref = store.keep('r1', 'from before');
      await store.append('r2', 0, [{ kind: 'run.started', parent: { runId: 'r1', seq: 1 } } as EventBody]);
      await store.append('r3', 0, [{ kind: 'run.started', parent: { runId: 'r2', seq: 1 } } as EventBody]);
      equal(store.recall('r3', ref), 'from before');
      equal(store.recall('r1', store.keep('r3', 'from later')), null);
    },
  },
  {
    name: 'lets nothing follow the end of a run',
    async check(store) {
      store.create('r1');
      await store.append('r1', 0, [wait(1), { kind: 'run.ended', runId: 'r1' } as EventBody]);
      await refuses(store.append('r1', 2, [wait(2)]), /nothing follows/);
      equal((await store.read('r1')).length, 2);
    },
  },
  {
    name: 'keeps no secret, wherever it was said',
    async check(store) {
      const secret = `ghp_${'Zq7Tn3Kd9Wb5Xc1Vm8Lf2Rj6Hp4Sg0Ya5Ue'}`;
      store.create('r1');
      await store.append('r1', 0, [{ kind: 'stop.requested', by: 'command', note: `it is ${secret}` }]);
      const ref = store.keep('r1', `it is ${secret}`);
      store.request('r1', { kind: 'redirect', text: `it is ${secret}` });
      const kept = [await store.read('r1'), store.recall('r1', ref), store.letters('r1')];
      ok(store.recall('r1', ref) !== null && !JSON.stringify(kept).includes(secret));
    },
  },
  {
    name: 'refuses a letter that its run would drop',
    async check(store) {
      store.create('r1');
      await refuses(
        Promise.resolve().then(() => store.request('r1', { kind: 'redirect', text: '' })),
        /empty or not readable/,
      );
      deepEqual(store.letters('r1'), []);
    },
  },
  {
    name: 'names an unknown run',
    check: (store) => refuses(store.read('nope'), /no run nope/),
  },
];

const wait = (waitedMs: number): EventBody => ({ kind: 'wait.ended', waitedMs });

/** A refusal is a fault, so that whoever drives can tell it from a mistake of ours. */
async function refuses(act: Promise<unknown>, why: RegExp): Promise<void> {
  await rejects(act, (error) => {
    ok(error instanceof FaultError);
    match(error.message, why);
    return true;
  });
}
