import {
  type Decision,
  decide,
  type Event,
  type EventBody,
  evolve,
  FaultError,
  fault,
  fold,
  invariant,
  type RunState,
} from '@agentgate/core';
import { readHistory } from '../store/index.ts';
import type { Control } from './control.ts';
import { loopEndOf } from './loop-end.ts';
import { perform } from './perform.ts';
import type { Ports, Watcher } from './ports.ts';
import { writeReceipt } from './receipt.ts';

const pulseMs = 1_000;

/** Where a run stands when somebody begins to drive it. */
export interface Standing {
  state: RunState;
  /** What the watcher has not seen yet. */
  events: readonly Event[];
}

/** Laps until the run has ended, or as many iterations are done as were asked for. Returns the state after it. */
export async function drive(
  runId: string,
  ports: Ports,
  control: Control,
  watcher: Watcher = {},
  standing?: Standing,
): Promise<RunState> {
  let run: Recorder | null = null;
  let pulse: { stop(): void } | null = null;
  try {
    const { state, events } = standing ?? { state: fold(await readHistory(ports.store, runId)), events: [] };
    run = makeRecorder(runId, state, ports, watcher);
    for (const event of events) watcher.onEvent?.(event, run.state);
    pulse = startPulse(runId, run, ports);
    while (!run.state.ended && !run.state.paused) await lap(run, ports, control, watcher);
    if (run.state.paused) return run.state;
    await writeReceipt(ports.store, runId, watcher.onWarning);
    return run.state;
  } finally {
    pulse?.stop();
    await ports.advisor?.end(loopEndOf(runId, run?.state ?? null));
  }
}

/** One decision: recorded, performed, its facts recorded one by one as they come. */
async function lap(run: Recorder, ports: Ports, control: Control, watcher: Watcher): Promise<void> {
  await run.record(...control.take());
  control.recorded();
  const reopened = run.state.open !== null;
  const decision = decide(run.state, ports.registry);
  if (!reopened && isEnough(run.state, decision, ports)) return run.record({ kind: 'run.paused' });
  try {
    if (!reopened) {
      checkRoom(decision, ports);
      await run.record({ kind: 'decided', decision });
    }
    for await (const fact of perform(run.state, decision, ports, control, watcher)) {
      await run.record(...control.take(), fact);
      control.recorded();
    }
  } catch (error) {
    // A fault of the world becomes a fact, unless the log itself is what failed; anything else is a bug of ours.
    if (!(error instanceof FaultError) || error === run.refused || error.fault.code === 'state.unwritable')
      throw error;
    await run.record({
      kind: 'fault.raised',
      phase: phaseOf(decision, error),
      iteration: run.state.iteration,
      fault: error.fault,
    });
  }
}

/** Pauses before the next iteration. Who was asked for so many does not wait for one that somebody else will do. */
const between: readonly string[] = ['quota', 'pause', 'back-off'];

/** As many iterations as were asked for are done, and only the next one would follow. */
function isEnough({ iteration }: RunState, decision: Decision, { upTo = Infinity }: Ports): boolean {
  if (decision.kind === 'start-iteration') return decision.iteration > upTo;
  return decision.kind === 'wait' && iteration >= upTo && between.includes(decision.because.code);
}

/**
 * A sign of life every second, so that the time of a step which a crash cuts short is known. Every tenth is written
 * through to the disk: a power cut loses no more time than that.
 */
function startPulse(runId: string, run: Recorder, { store, clock }: Ports): { stop(): void } {
  let next: { cancel(): void };
  let times = 0;
  const beat = () => {
    const sinceMs = clock.monoMs() - run.recordedMs;
    store.beat(runId, { seq: run.state.seq, sinceMs, durable: times++ % 10 === 0 });
    next = clock.after(pulseMs, beat);
  };
  beat();
  return { stop: () => next.cancel() };
}

/** A full disk does not keep what is under way from being recorded, but nothing else begins upon it. */
function checkRoom(decision: Decision, { store }: Ports): void {
  if (decision.kind === 'end-run' || !store.isFull()) return;
  throw new FaultError(fault('state.full', 'no space left for the state; free some, then run resume'));
}

interface Recorder {
  readonly state: RunState;
  /** When the newest event was recorded, by the clock that only grows. */
  readonly recordedMs: number;
  /** Why the log did not take something. Nobody knows then what is on record, so nothing goes on. */
  readonly refused: unknown;
  record(...bodies: EventBody[]): Promise<void>;
}

function makeRecorder(runId: string, from: RunState, { store, clock }: Ports, watcher: Watcher): Recorder {
  let state = from;
  let recordedMs = clock.monoMs();
  let refused: unknown;
  return {
    get refused() {
      return refused;
    },
    get recordedMs() {
      return recordedMs;
    },
    get state() {
      return state;
    },
    async record(...bodies) {
      if (bodies.length === 0) return;
      invariant(!state.ended, 'nothing follows the end of a run');
      const events = await store.append(runId, state.seq, bodies).catch((error: unknown) => {
        refused = error;
        throw error;
      });
      recordedMs = clock.monoMs();
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
