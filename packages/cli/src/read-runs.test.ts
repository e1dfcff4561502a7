import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSpec } from '@agentgate/core';
import { findHome, openRunStore } from '@agentgate/runtime';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Context } from './context.ts';
import { readRuns } from './read-runs.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentgate-read-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('reads no more than the newest runs where that is asked for, and all of them otherwise', async () => {
  const env = { XDG_STATE_HOME: join(dir, 'state'), HOME: dir };
  const parsed = parseSpec({ task: 'x', agent: ['true'], gates: { a: 'true' } });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const home = findHome(dir, env);
  const store = openRunStore(home.runs);
  const started = { version: '0', root: dir, nonce: 'n', specHash: 'h', source: 'flags' };
  for (const runId of ['r1', 'r2', 'r3']) {
    store.create(runId);
    const spec = { ...parsed.spec, task: 'x' };
    await store.append(runId, 0, [{ kind: 'run.started', ...started, runId, spec }]);
  }
  const newestFirst = store.list();
  store.close();
  const context = { env, cwd: dir } as unknown as Context;
  const idsOf = async (newest?: number) =>
    (await readRuns(context, newest ? { newest } : {})).runs.map(({ runId }) => runId);
  expect(await idsOf()).toEqual(newestFirst);
  expect(await idsOf(2)).toEqual(newestFirst.slice(0, 2));
});
