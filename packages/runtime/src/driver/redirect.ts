import {
  type EventBody,
  FaultError,
  fault,
  fold,
  makeEnding,
  type RunState,
  suspendedByRedirect,
} from '@agentgate/core';
import { endMarked } from '../process/index.ts';
import { openRunStore, readHistory, type WorkspaceHome } from '../store/index.ts';
import { markerOf } from './marker.ts';
import { ownWorkspace } from './owner.ts';
import { writeReceipt } from './receipt.ts';
import { resumption } from './resumption.ts';

/** Gives new words to a run that nobody drives: it is suspended with them until somebody goes on. */
export async function suspendRedirected(
  { home, version }: { home: WorkspaceHome; version: string },
  runId: string,
  text: string,
  by: 'command' | 'api' = 'command',
): Promise<void> {
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'busy')
    throw new FaultError(fault('workspace.busy', 'somebody drives the run again; try once more'));
  const store = openRunStore(home.runs);
  try {
    await endMarked(markerOf(runId), { held: home.lock });
    const state = fold(await readHistory(store, runId));
    // It came to its own end before we came to the lock.
    if (state.ended)
      throw new FaultError(
        fault(
          'usage',
          `run ${runId} has ended meanwhile (${state.ended.status}); see agentgate show ${runId}, then resume it with --redirect or begin a new one`,
        ),
      );
    const resumed = await store.append(runId, state.seq, [
      resumption(store, state, { pid: process.pid, version }),
    ]);
    const now = fold(resumed, state);
    await store.append(runId, now.seq, suspension(now, text, by));
    await writeReceipt(store, runId);
  } finally {
    store.close();
    lock.release();
  }
}

function suspension(state: RunState, text: string, by: 'command' | 'api'): EventBody[] {
  return [
    { kind: 'redirect.requested', by, text },
    { kind: 'decided', decision: suspendedByRedirect },
    makeEnding(state, suspendedByRedirect),
  ];
}
