import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, openRunStore, type RunStore, type WorkspaceHome } from '../store/index.ts';
import { openCatalogue } from './catalogue.ts';

let dir: string;
let home: WorkspaceHome;
let store: RunStore;
let minute = 0;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'catalogue-'));
  mkdirSync(join(dir, 'work'));
  home = openHome(join(dir, 'work'), { AGENTGATE_STATE_DIR: join(dir, 'state') });
  // Each event a minute after the one before it, so that the order of runs is sure.
  store = openRunStore(home.runs, { now: () => new Date(Date.UTC(2026, 0, 1, 0, minute++)) });
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const started = (runId: string, task: string): EventBody => ({
  kind: 'run.started',
  runId,
  version: 'x',
  root: home.root,
  nonce: 'n',
  spec: {
    task,
    gates: [],
    agent: { kind: 'command' },
    strategy: { kind: 'ralph', max: 7 },
    limits: { iterations: 9, wallClock: 1 },
  } as never,
  specHash: '',
  source: '',
});
const ended = (runId: string): EventBody => ({
  kind: 'run.ended',
  runId,
  status: 'converged',
  code: 'goal.met',
  reason: 'all gates passed',
  iterations: 1,
  tree: null,
  best: null,
  caveats: [],
  costUsd: null,
  tokens: null,
  goalSatisfied: true,
  activeMs: 1,
});
async function begin(runId: string, task: string, ...more: EventBody[]): Promise<void> {
  store.create(runId);
  await store.append(runId, 0, [started(runId, task), ...more]);
}
const tasks = (catalogue: ReturnType<typeof openCatalogue>) =>
  catalogue.entries().map(({ runId, summary }) => [runId, summary?.task, summary?.ended?.status ?? null]);

describe('the catalogue of runs', () => {
  it('tells the newest first, and follows what is new, goes on, ends or is removed', async () => {
    const catalogue = openCatalogue();
    await begin('aaaaaa', 'first\nwith more words', ended('aaaaaa'));
    await begin('bbbbbb', 'second');
    await catalogue.refresh([home]);
    expect(tasks(catalogue)).toEqual([
      ['bbbbbb', 'second', null],
      ['aaaaaa', 'first', 'converged'],
    ]);
    expect(catalogue.find(home, 'bbbbbb')?.summary).toMatchObject({ mostIterations: 7, open: 'open' });
    await begin('cccccc', 'third');
    await store.append('bbbbbb', 1, [{ kind: 'run.paused' }]);
    const known = catalogue.revision();
    await catalogue.refresh([home]);
    expect(catalogue.find(home, 'bbbbbb')?.summary?.open).toBe('paused');
    expect(
      catalogue
        .entries()
        .filter(({ revision }) => revision > known)
        .map(({ runId }) => runId),
    ).toEqual(['cccccc', 'bbbbbb']);
    await store.append('bbbbbb', 2, [ended('bbbbbb')]);
    rmSync(store.dir('aaaaaa'), { recursive: true });
    await catalogue.refresh([home]);
    expect(tasks(catalogue)).toEqual([
      ['cccccc', 'third', null],
      ['bbbbbb', 'second', 'converged'],
    ]);
    expect(catalogue.removedSince(known).map(({ runId }) => runId)).toEqual(['aaaaaa']);
  });

  it('keeps what it knows for the next process, which reads no log that has not changed', async () => {
    await begin('aaaaaa', 'first', ended('aaaaaa'));
    await begin('bbbbbb', 'second', ended('bbbbbb'));
    const log = join(store.dir('aaaaaa'), 'log.jsonl');
    const then = new Date(Date.UTC(2026, 0, 1));
    utimesSync(log, then, then);
    const first = openCatalogue();
    await first.refresh([home]);
    first.save();
    // A log that cannot be read shows who reads it; its size and date stay.
    writeFileSync(log, `${'x'.repeat(statSync(log).size - 1)}\n`);
    utimesSync(log, then, then);
    const second = openCatalogue();
    await second.refresh([home]);
    expect(tasks(second)).toEqual(tasks(first));
    utimesSync(log, then, new Date());
    const third = openCatalogue();
    await third.refresh([home]);
    expect(third.find(home, 'aaaaaa')?.damage).toContain('damaged');
    expect(third.find(home, 'bbbbbb')?.damage).toBeNull();
  });

  it('is made anew where what was kept is missing, broken or of another shape', async () => {
    await begin('aaaaaa', 'first', ended('aaaaaa'));
    const kept = join(home.dir, 'catalogue.json');
    const one = openCatalogue();
    await one.refresh([home]);
    one.save();
    expect(existsSync(kept)).toBe(true);
    for (const text of [null, '{', '{"shape":0,"runs":[["zzzzzz",{}]]}', readFileSync(kept, 'utf8')]) {
      if (text === null) rmSync(kept);
      else writeFileSync(kept, text);
      const again = openCatalogue();
      await again.refresh([home]);
      expect(tasks(again)).toEqual([['aaaaaa', 'first', 'converged']]);
    }
  });

  it('shows what is good of a damaged run, and the others whole', async () => {
    await begin('aaaaaa', 'first', { kind: 'run.paused' });
    await begin('bbbbbb', 'second');
    const log = join(store.dir('aaaaaa'), 'log.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace('run.paused', 'run.pausde'));
    const catalogue = openCatalogue();
    await catalogue.refresh([home]);
    expect(tasks(catalogue)).toEqual([
      ['bbbbbb', 'second', null],
      ['aaaaaa', 'first', null],
    ]);
    expect(catalogue.find(home, 'aaaaaa')?.damage).toContain('after event 1');
  });

  it('tells that a known run has lost its end', async () => {
    await begin('aaaaaa', 'first', { kind: 'run.paused' }, ended('aaaaaa'));
    store.keepReceipt('aaaaaa', '{}');
    const log = join(store.dir('aaaaaa'), 'log.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n');
    const catalogue = openCatalogue();
    await catalogue.refresh([home]);
    catalogue.save();
    for (const left of [2, 1, 0]) {
      writeFileSync(
        log,
        lines
          .slice(0, left)
          .map((line) => `${line}\n`)
          .join(''),
      );
      for (const one of [catalogue, openCatalogue()]) {
        await one.refresh([home]);
        await one.verify();
        expect(one.find(home, 'aaaaaa')?.damage).toContain('has lost its end');
      }
    }
  });

  it('tells of a run whose records of before are gone, also where they go while it is known', async () => {
    const parent = (runId: string) => ({ parent: { runId, seq: 1, hash: '' } });
    const goesOn = (runId: string, from: string): EventBody =>
      ({ ...started(runId, `after ${from}`), ...parent(from) }) as EventBody;
    await begin('aaaaaa', 'first');
    store.create('bbbbbb');
    await store.append('bbbbbb', 0, [goesOn('bbbbbb', 'aaaaaa')]);
    store.create('cccccc');
    await store.append('cccccc', 0, [goesOn('cccccc', 'bbbbbb'), ended('cccccc')]);
    const known = openCatalogue();
    await known.refresh([home]);
    rmSync(join(store.dir('aaaaaa'), 'log.jsonl'));
    for (const catalogue of [openCatalogue(), known]) {
      if (catalogue === known) await store.append('bbbbbb', 1, [{ kind: 'run.paused' }]);
      await catalogue.refresh([home]);
      expect(catalogue.entries().map(({ runId }) => runId)).toEqual(['cccccc', 'bbbbbb']);
      const damage = /^the records of run aaaaaa, which a later run goes on from, are gone from /;
      const found = catalogue.find(home, 'bbbbbb');
      expect(found?.damage).toMatch(damage);
      expect(found?.summary).toMatchObject({ task: 'after aaaaaa', parent: 'aaaaaa' });
      if (catalogue !== known) expect(catalogue.find(home, 'cccccc')?.damage).toMatch(damage);
    }
  });

  it('tells of a log that it may not read, and shows the others', async () => {
    await begin('aaaaaa', 'first');
    await begin('bbbbbb', 'second');
    // Whoever runs these tests may be allowed to read anything; a directory and a circle are refused to everybody.
    rmSync(join(store.dir('aaaaaa'), 'log.jsonl'));
    mkdirSync(join(store.dir('aaaaaa'), 'log.jsonl'));
    symlinkSync('cccccc', store.dir('cccccc'));
    const catalogue = openCatalogue();
    await catalogue.refresh([home]);
    const known = catalogue.revision();
    await catalogue.refresh([home]);
    expect(catalogue.revision()).toBe(known);
    expect(catalogue.find(home, 'aaaaaa')?.damage).toMatch(/^cannot read the log .*\(EISDIR\)/);
    expect(catalogue.find(home, 'cccccc')?.damage).toMatch(/^cannot read the log .*\(ELOOP\)/);
    expect(catalogue.find(home, 'bbbbbb')).toMatchObject({ damage: null, summary: { task: 'second' } });
    expect(store.list()).toContain('bbbbbb');
    await expect(store.read('aaaaaa')).rejects.toThrow(/cannot read the log .*EISDIR/);
  });
});
