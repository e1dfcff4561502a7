import { FaultError, fault } from '@agentgate/core';
import { isHeld } from './held.ts';
import { refuseLinked } from './linked.ts';
import type { Door, StoredRun } from './open.ts';
import { viaOf } from './stop.ts';

/** What a person says to a run that asks what to do next. */
export type PersonSays = { answer: 'continue' | 'stop' | 'accept' } | { answer: 'redirect'; text: string };

/** Answers a run that asks a person and waits. */
export async function answerRun(run: StoredRun, said: PersonSays, door: Door): Promise<void> {
  refuseLinked(run);
  const { home, store, runId, state } = run;
  if (state.ended || state.open?.kind !== 'ask' || !(await isHeld(home, store, runId))) {
    throw new FaultError(
      fault('usage', `run ${runId} asks nobody at present; agentgate show ${runId} tells more`),
    );
  }
  store.request(runId, { kind: 'answer', iteration: state.open.iteration, ...said, ...viaOf(door) });
}
