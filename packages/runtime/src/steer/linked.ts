import { FaultError, fault } from '@agentgate/core';
import type { StoredRun } from './open.ts';

/** Refuses words to a run that went on as another one: nobody would ever hear them. */
export function refuseLinked({ store, runId, state }: Pick<StoredRun, 'store' | 'runId' | 'state'>): void {
  const next = state.ended === null ? null : store.childOf(runId, state.seq);
  if (next === null) return;
  throw new FaultError(fault('run.linked', `run ${runId} went on as run ${next}; say it to that one`));
}
