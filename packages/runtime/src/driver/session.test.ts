import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventBody, parseSpec } from '@agentgate/core';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openHome, openRunStore, type WorkspaceHome } from '../store/index.ts';
import { makeControl } from './control.ts';
import { ownerOf } from './owner.ts';
import { suspendRedirected } from './redirect.ts';
import { resumeRun, startRun } from './session.ts';

let base: string;
let home: WorkspaceHome;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'agentgate-session-'));
  mkdirSync(join(base, 'work'));
  home = openHome(join(base, 'work'), { AGENTGATE_STATE_DIR: join(base, 'state') });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A request whose stop came before anything has begun. */
function stopped() {
  const control = makeControl();
  control.stop({ by: 'SIGINT' });
  return { home, version: 't', control, watcher: {} };
}

it('a stop before a run has begun leaves no run, no reserve and no owner', async () => {
  const parsed = parseSpec({ task: 'go', agent: ['true'], gates: { tests: 'true' }, sandbox: 'none' });
  if (parsed.kind === 'invalid') throw new Error('no spec');
  const loaded = { spec: { ...parsed.spec, task: 'go' }, hash: 'h', source: 's' };
  expect(await startRun(stopped(), loaded)).toEqual({ kind: 'unstarted' });
  expect([readdirSync(home.runs), ownerOf(home)]).toEqual([[], null]);
});

it('a stop before a run goes on leaves it as it was', async () => {
  const store = openRunStore(home.runs);
  store.create('r1');
  await store.append('r1', 0, [{ kind: 'wait.ended', waitedMs: 1 }]);
  store.close();
  expect(await resumeRun(stopped(), 'r1', {})).toEqual({ kind: 'unstarted' });
  expect(await store.read('r1')).toHaveLength(1);
});

it('new words for a run that has ended meanwhile are refused, and nothing follows its end', async () => {
  const store = openRunStore(home.runs);
  store.create('r1');
  await store.append('r1', 0, [{ kind: 'run.ended', status: 'converged' } as EventBody]);
  store.close();
  await expect(suspendRedirected({ home, version: 't' }, 'r1', 'other words')).rejects.toThrow(
    /has ended meanwhile \(converged\)/,
  );
  expect(await store.read('r1')).toHaveLength(1);
  expect(ownerOf(home)).toBeNull();
});
