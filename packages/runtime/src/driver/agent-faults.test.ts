import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSpec } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Example, faultTable } from '../agents/fault-table.ts';
import { openHome, openRunStore, type WorkspaceHome } from '../store/index.ts';
import { makeControl } from './control.ts';
import { startRun } from './session.ts';

let base: string;
let home: WorkspaceHome;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'agentgate-faults-'));
  mkdirSync(join(base, 'work'));
  home = openHome(join(base, 'work'), { AGENTGATE_STATE_DIR: join(base, 'state') });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** A run whose agent meets the fault each time it is started; waiting is over as soon as it begins. */
async function played(example: Example) {
  const run =
    'does' in example
      ? example.does
      : `printf '%s\\n' '${example.says.replaceAll("'", "'\\''")}' >&2; exit 1`;
  const timeout = 'timeout' in example ? { timeout: example.timeout } : {};
  const parsed = parseSpec({
    task: 'go',
    agent: { kind: 'command', run, ...timeout },
    gates: { tests: 'test -e done.txt' },
    limits: { iterations: 1, maxWait: '1ms' },
    sandbox: 'none',
    integrity: 'off',
    stuck: 'off',
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed));
  const loaded = { spec: { ...parsed.spec, task: 'go' }, hash: 'h', source: 's' };
  const session = await startRun({ home, version: 't', control: makeControl(), watcher: {} }, loaded);
  if (session.kind !== 'ended') throw new Error(`the run was ${session.kind}`);
  const events = await openRunStore(home.runs).read(session.runId);
  const end = events.findLast((one) => one.kind === 'agent.ended')?.end;
  return { ended: session.state.ended, end };
}

describe.each(faultTable.map((fault) => [fault.name, fault] as const))('%s', (_name, fault) => {
  const rows = fault.examples.map((one) => ['says' in one ? one.says : one.does, one] as const);
  it.each(rows)('%s', async (_example, one) => {
    const { ended, end } = await played(one);
    const status =
      fault.class === 'configuration' ? 'error' : fault.class === 'agent' ? 'diverged' : 'suspended';
    expect(ended).toMatchObject({ status, iterations: fault.costs ? 1 : 0 });
    if (!fault.costs) expect(end).toMatchObject({ kind: 'unavailable', why: fault.why });
    else if (fault.class === 'agent') expect(end).toMatchObject({ kind: 'failed' });
  });
});
