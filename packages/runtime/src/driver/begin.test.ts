import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EventBody, parseSpec } from '@agentgate/core';
import { expect, it, onTestFinished } from 'vitest';
import { openRunStore } from '../store/index.ts';
import { beginRun, type Threshold } from './begin.ts';

it('the run that began last is the newest, though the clock was set back', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-begin-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  let today = '2026-03-01';
  const store = openRunStore(join(dir, 'runs'), { now: () => new Date(today), reserveBytes: 100 });
  onTestFinished(() => store.close());
  const threshold: Threshold = {
    store,
    root: '/w',
    version: 't',
    pid: 1,
    nonce: () => 'n',
    endLeftovers: async () => undefined,
  };
  const parsed = parseSpec({ task: 'go', agent: ['true'], gates: { tests: 'x' } });
  if (parsed.kind === 'invalid') throw new Error('no spec');
  const spec = { ...parsed.spec, task: 'go' };
  const sandbox = { shutIn: { agent: 'none', gates: 'none' } as const };
  // Runs of before have no number and stand in the order of their dates.
  for (const [runId, day] of [
    ['old-2', '2026-02-02'],
    ['old-1', '2026-02-01'],
  ] as const) {
    today = day;
    store.create(runId);
    await store.append(runId, 0, [{ kind: 'run.started', runId } as EventBody]);
  }
  for (const [runId, day] of [
    ['first', '2026-03-01'],
    ['second', '2026-01-01'],
    ['third', '2026-01-01'],
  ] as const) {
    today = day;
    await beginRun(threshold, runId, { spec, hash: 'h', source: 's', sandbox });
  }
  expect(store.list()).toEqual(['third', 'second', 'first', 'old-2', 'old-1']);
});
