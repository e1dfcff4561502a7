import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHome, openRunStore, openStored, type RunStore, type WorkspaceHome } from '@agentgate/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeRunShelf } from './shelf.ts';
import { runEnded, writeRun } from './testing.ts';

let base: string;
let home: WorkspaceHome;
let store: RunStore;
let reads: string[];
let open: ReturnType<typeof makeRunShelf>;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'shelf-'));
  mkdirSync(join(base, 'work'));
  home = openHome(join(base, 'work'), { AGENTGATE_STATE_DIR: join(base, 'state') });
  store = openRunStore(home.runs);
  reads = [];
  open = makeRunShelf((at, runId) => {
    reads.push(runId);
    return openStored(at, runId);
  });
});
afterEach(() => {
  store.close();
  rmSync(base, { recursive: true, force: true });
});

it('a run is folded once for all who look at it, and again after each event', async () => {
  await writeRun({ store, home }, 'aaaaaa', { kind: 'run.paused' });
  const seen = await Promise.all([1, 2, 3].map(() => open(home, 'aaaaaa')));
  expect(seen.map(({ events }) => events.length)).toEqual([2, 2, 2]);
  expect(reads).toEqual(['aaaaaa']);
  await store.append('aaaaaa', 2, [runEnded('aaaaaa')]);
  expect((await open(home, 'aaaaaa')).state.ended).toMatchObject({ status: 'stopped' });
  await open(home, 'aaaaaa');
  expect(reads).toEqual(['aaaaaa', 'aaaaaa']);
});

it('damage is found although the run was read before', async () => {
  await writeRun({ store, home }, 'aaaaaa', runEnded('aaaaaa'));
  await open(home, 'aaaaaa');
  appendFileSync(join(home.runs, 'aaaaaa', 'log.jsonl'), '{"seq":9}\n');
  await expect(open(home, 'aaaaaa')).rejects.toThrow(/log/);
  await expect(open(home, 'aaaaaa')).rejects.toThrow(/log/);
});

it('keeps only the runs that were asked for last', async () => {
  const ids = Array.from({ length: 9 }, (_, at) => `aaaaa${at}`);
  for (const runId of ids) await writeRun({ store, home }, runId);
  for (const runId of ids) await open(home, runId);
  await open(home, 'aaaaa8');
  expect(reads).toEqual(ids);
  await open(home, 'aaaaa0');
  expect(reads).toEqual([...ids, 'aaaaa0']);
});
