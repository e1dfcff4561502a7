import {
  type Decision,
  decide,
  type Event,
  type EventBody,
  evolve,
  FaultError,
  fold,
  invariant,
  type RunState,
} from '@agentgate/core';
import { readHistory } from '../store/index.ts';
import type { Control } from './control.ts';
import { loopEndOf } from './loop-end.ts';
import { perform } from './perform.ts';
import type { Ports, Watcher } from './ports.ts';

/** Laps until the run has ended. Returns the state that holds the ending. `begun` are events the watcher has not seen. */
export async function drive(
  runId: string,
  ports: Ports,
  control: Control,
  watcher: Watcher = {},
  begun: readonly Event[] = [],
): Promise<RunState> {
  let run: Recorder | null = null;
  const beat = setInterval(() => ports.store.beat(runId), 1_000);
  try {
    run = makeRecorder(runId, fold(await readHistory(ports.store, runId)), ports, watcher);
    for (const event of begun) watcher.onEvent?.(event, run.state);
    ports.store.beat(runId);
    while (!run.state.ended) await lap(run, ports, control, watcher);
    return run.state;
  } finally {
    clearInterval(beat);
    await ports.advisor?.end(loopEndOf(runId, run?.state ?? null));
  }
}

/** One decision: recorded, performed, its facts recorded one by one as they come. */
async function lap(run: Recorder, ports: Ports, control: Control, watcher: Watcher): Promise<void> {
  await run.record(...control.take());
  control.recorded();
  const reopened = run.state.open !== null;
  const decision = decide(run.state, ports.registry);
  if (!reopened) await run.record({ kind: 'decided', decision });
  try {
    for await (const fact of perform(run.state, decision, ports, control, watcher)) {
      await run.record(...control.take(), fact);
      control.recorded();
    }
  } catch (error) {
    // A fault of the world becomes a fact, unless the log itself is what failed; anything else is a bug of ours.
    if (!(error instanceof FaultError) || error.fault.code === 'state.unwritable') throw error;
    await run.record({
      kind: 'fault.raised',
      phase: phaseOf(decision, error),
      iteration: run.state.iteration,
      fault: error.fault,
    });
  }
}

interface Recorder {
  readonly state: RunState;
  record(...bodies: EventBody[]): Promise<void>;
}

function makeRecorder(runId: string, from: RunState, { store }: Ports, watcher: Watcher): Recorder {
  let state = from;
  return {
    get state() {
      return state;
    },
    async record(...bodies) {
      if (bodies.length === 0) return;
      invariant(!state.ended, 'nothing follows the end of a run');
      const events: readonly Event[] = await store.append(runId, state.seq, bodies);
      for (const event of events) {
        state = evolve(state, event);
        watcher.onEvent?.(event, state);
      }
    },
  };
}

function phaseOf(decision: Decision, { fault }: FaultError): string {
  if (fault.code.startsWith('workspace.')) return 'workspace';
  if (fault.code.startsWith('callback.')) return fault.code.slice('callback.'.length);
  switch (decision.kind) {
    case 'start-iteration':
      return 'build';
    case 'measure-baseline':
    case 'judge':
      return 'gate';
    default:
      return decision.kind;
  }
}
