import { readFileSync } from 'node:fs';
import { type Event, type EventBody, FaultError, fault, parseFinalReceipt } from '@agentgate/core';
import { beforeEach, expect, it } from 'vitest';
import { makeMemoryStore, type RunStore } from '../store/index.ts';
import { readReceipt, writeReceipt } from './receipt.ts';

const golden = new URL('../../../core/src/golden/histories/converged.jsonl', import.meta.url);
const bodies = readFileSync(golden, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line): EventBody => {
    const { v: _, seq: __, at: ___, ...body } = JSON.parse(line) as Event;
    return body;
  });
let store: RunStore;

beforeEach(async () => {
  store = makeMemoryStore();
  store.create('r1');
  await store.append('r1', 0, bodies);
});

it('writes the receipt that the log gives, with the hash of the log', async () => {
  await writeReceipt(store, 'r1');
  const text = store.receipt('r1')!;
  expect(text).toBe(await readReceipt(store, 'r1'));
  expect(parseFinalReceipt(text)).toMatchObject({
    status: 'converged',
    log: { events: bodies.length, hash: store.chainHash('r1') },
  });
});
it('writes none before the end', async () => {
  store.create('r2');
  await store.append('r2', 0, bodies.slice(0, -1));
  await writeReceipt(store, 'r2');
  expect(store.receipt('r2')).toBeNull();
});
it('tells that it could not be written, and harms nothing', async () => {
  const said: string[] = [];
  const full: RunStore = {
    ...store,
    keepReceipt() {
      throw new FaultError(fault('state.full', 'no space left'));
    },
  };
  await writeReceipt(full, 'r1', (text) => said.push(text));
  expect(said).toEqual([
    'the receipt was not written: no space left; agentgate show r1 --receipt makes it from the log',
  ]);
});
