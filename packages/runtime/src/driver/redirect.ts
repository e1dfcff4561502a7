import {
  type Decision,
  type EventBody,
  FaultError,
  fault,
  fold,
  makeEnding,
  type RunState,
} from '@agentgate/core';
import { endMarked } from '../process/index.ts';
import { openRunStore, readHistory, type WorkspaceHome } from '../store/index.ts';
import { markerOf } from './marker.ts';
import { ownWorkspace } from './owner.ts';
import { resumption } from './resumption.ts';

/** Gives new words to a run that nobody drives: it is suspended with them until somebody goes on. */
export async function suspendRedirected(home: WorkspaceHome, runId: string, text: string): Promise<void> {
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'busy')
    throw new FaultError(fault('workspace.busy', 'somebody drives the run again; try once more'));
  const store = openRunStore(home.runs);
  try {
    await endMarked(markerOf(runId), { held: home.lock });
    const state = fold(await readHistory(store, runId));
    const resumed = await store.append(runId, state.seq, [resumption(store, state)]);
    const now = fold(resumed, state);
    await store.append(runId, now.seq, suspension(now, text));
  } finally {
    store.close();
    lock.release();
  }
}

function suspension(state: RunState, text: string): EventBody[] {
  const decision = {
    kind: 'end-run',
    status: 'suspended',
    caveats: [],
    goalSatisfied: false,
    because: {
      code: 'redirect',
      reason: 'a person redirected the run while nobody drove it',
      confidence: 1,
      evidence: {},
      action: 'continue',
      also: [],
    },
  } as const satisfies Decision;
  return [
    { kind: 'redirect.requested', by: 'command', text },
    { kind: 'decided', decision },
    makeEnding(state, decision),
  ];
}
