import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { type Event, type EventBody, FaultError, fault, fold, type RunSpec } from '@agentgate/core';
import type { Control } from '../driver/control.ts';
import { drive } from '../driver/drive.ts';
import { loopEndOf } from '../driver/loop-end.ts';
import type { Watcher } from '../driver/ports.ts';
import { specHash } from '../spec/load.ts';
import { makeMemoryStore, openRunStore, type RunStore } from '../store/index.ts';
import { wordsOf } from './call.ts';
import type { Callbacks, RunContext } from './context.ts';
import type { ControllerOptions } from './controller.ts';
import { type Desk, nothingSaid } from './desk.ts';
import { type Diary, makeDiary } from './diary.ts';
import { moduleAdvisor, portsOf } from './ports.ts';
import type { ProgressView } from './progress.ts';
import type { ReadySpec } from './read-spec.ts';
import { type ConvergenceResult, resultOf } from './result.ts';
import { specFor } from './run-spec.ts';
import { type InProcessAdvisor, makeAdvisor } from './strategy.ts';

export interface Begin {
  ready: ReadySpec;
  context: RunContext;
  callbacks: Callbacks;
  control: Control;
  progress: ProgressView;
  /** The controller has run before, so a strategy object may hold something of that run. */
  again: boolean;
  options: ControllerOptions & Required<Pick<ControllerOptions, 'clock' | 'registry' | 'strategyTimeoutMs'>>;
}

/** One run from its first event to its result. The callbacks are its ports; the lap is the one of every door. */
export async function runOnce(begin: Begin): Promise<ConvergenceResult> {
  const { ready, context, callbacks, control, progress, options } = begin;
  const { store, close } = openStore(options.store);
  try {
    const runId = freeId(store, context.runId);
    const root = resolve(options.root ?? '.');
    const spec = specFor(ready, context.taskSpec, callbacks);
    const desk: Desk = {
      about: { runId, workOrderId: context.workOrderId ?? runId, taskSpec: context.taskSpec ?? null },
      callbacks,
      control,
      clock: options.clock,
      graceMs: options.graceMs ?? 5_000,
      baseline: options.baseline ?? spec.gates.some((gate) => gate.baseline === 'no-new'),
      confirm: options.confirm ?? false,
      state: null,
      said: nothingSaid(),
    };
    const own = ready.strategy
      ? makeAdvisor(desk, ready.strategy, { root, answerMs: options.strategyTimeoutMs, again: begin.again })
      : null;
    const advisor = own ?? moduleAdvisor(spec.strategy, root, runId);
    const diary = makeDiary();
    const watcher = watcherOf(desk, progress, diary, options.onEvent);
    const ports = portsOf(desk, { root, spec }, { store, advisor, options });
    let failure: unknown;
    try {
      const begun = await record({ store, own, desk }, { root, spec });
      await drive(runId, ports, control, watcher, { state: fold(begun), events: begun });
    } catch (error) {
      failure = error ?? new Error('the run broke off');
      // Where not even the first event could be written, the loop never began, and its end is told from here.
      await advisor?.end(loopEndOf(runId, desk.state));
    }
    return resultOf({ runId, desk, decisions: diary.decisions, progress: progress.read(), failure });
  } finally {
    close();
  }
}

function openStore(given: ControllerOptions['store']): { store: RunStore; close(): void } {
  if (typeof given === 'object') return { store: given, close: () => undefined };
  const store = given === undefined ? makeMemoryStore() : openRunStore(resolve(given));
  return { store, close: () => store.close() };
}

function freeId(store: RunStore, wanted: string | undefined): string {
  if (wanted === undefined) return store.newId();
  if (!store.list().includes(wanted)) return wanted;
  throw new FaultError(
    fault('run.exists', `there is a run ${wanted} in this store already; give another runId`),
  );
}

/** Readers never write, and one that throws harms nobody but itself. */
function watcherOf(
  desk: Desk,
  progress: ProgressView,
  diary: Diary,
  tell: ControllerOptions['onEvent'],
): Watcher {
  return {
    onEvent(event, state) {
      desk.state = state;
      progress.watch(event, state);
      diary.watch(event);
      try {
        tell?.(event);
      } catch (error) {
        desk.said.warnings.push(`onEvent threw at event ${event.seq}: ${wordsOf(error)}`);
      }
    },
  };
}

/** Makes the strategy and writes the first events. A strategy that cannot begin is an error of the run. */
async function record(
  { store, own, desk }: { store: RunStore; own: InProcessAdvisor | null; desk: Desk },
  { root, spec }: { root: string; spec: RunSpec },
): Promise<readonly Event[]> {
  const { runId, workOrderId } = desk.about;
  const problem = (await own?.begin()) ?? null;
  store.create(runId);
  const first: EventBody = {
    kind: 'run.started',
    number: store.nextNumber(),
    runId,
    version: 'library',
    root,
    nonce: randomBytes(6).toString('hex'),
    spec,
    specHash: specHash(spec),
    source: `work order ${workOrderId}`,
  };
  // A stop that came meanwhile is no fault of the strategy.
  if (!problem || desk.control.signal.aborted) return store.append(runId, 0, [first]);
  const raised = { kind: 'fault.raised', phase: 'strategy', iteration: 0, fault: problem } as const;
  return store.append(runId, 0, [first, raised]);
}
