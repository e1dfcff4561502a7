import { setTimeout as sleep } from 'node:timers/promises';
import { FaultError, fault } from '@agentgate/core';
import { goOnWith } from '../driver/begin.ts';
import { makeControl, stopperOf } from '../driver/control.ts';
import { ownerOf, ownWorkspace } from '../driver/owner.ts';
import { chooseSandbox } from '../driver/sandbox.ts';
import { ownAndDrive, thresholdOf } from '../driver/session.ts';
import { disarm, stopHeld, waitedIn } from '../held/release.ts';
import type { Holder } from '../process/index.ts';
import type { WorkspaceHome } from '../store/index.ts';
import { isBeating } from './held.ts';
import type { Door, StoredRun } from './open.ts';

interface Note {
  note?: string;
}

/**
 * Who would hear a stop of an open run: whoever drives it, nobody but the session that it holds, or the next step of a
 * run that goes on one step at a time.
 */
export async function hearsStop({
  home,
  store,
  runId,
  state,
}: StoredRun): Promise<'driver' | 'session' | 'next-step'> {
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'held') lock.release();
  if (lock.kind === 'held' && state.held) return 'session';
  if (lock.kind === 'held' && state.paused) return 'next-step';
  const other = lock.kind === 'busy' && lock.holder?.runId !== runId && !isBeating(store, runId);
  if (lock.kind === 'held' || other) {
    throw new FaultError(
      fault(
        'usage',
        `nobody drives run ${runId} (it was cut short); agentgate resume ${runId} goes on with it`,
      ),
    );
  }
  return 'driver';
}

/**
 * Asks whoever drives a run to stop: by a letter; where the disk has no room for one, by a signal. Answers whether
 * somebody had asked before, and then asks for nothing.
 */
export function askToStop(run: StoredRun, note: Note, door: Door): 'asked' | 'asked-before' {
  const { home, store, runId, state } = run;
  if (state.stop !== null || store.letters(runId).some(({ request }) => request.kind === 'stop'))
    return 'asked-before';
  try {
    store.request(runId, { kind: 'stop', ...note, ...viaOf(door) });
  } catch (error) {
    const owner = ownerOf(home);
    if (!(error instanceof FaultError) || owner?.runId !== runId) throw error;
    process.kill(owner.pid, 'SIGTERM');
  }
  return 'asked';
}

export const viaOf = (door: Door): { via?: 'api' } => (door === 'api' ? { via: 'api' } : {});

/** A session that is held is somebody's own: it is let go, and nothing of it is ended. */
export async function releaseSession(
  { home, runId }: StoredRun,
  { version, env }: { version: string; env: NodeJS.ProcessEnv },
  note: string | undefined,
  door: Door,
): Promise<void> {
  const waitedMs = waitedIn(runId, env);
  disarm(runId, env);
  await stopHeld({ home, version, control: makeControl(), watcher: {} }, runId, {
    note,
    waitedMs,
    ...viaOf(door),
  });
}

/** Ends a run between two of its steps: it is gone on with, and nothing is done but the stop. */
export async function stopPaused(
  { home, runId }: StoredRun,
  version: string,
  note: Note,
  door: Door,
): Promise<void> {
  const control = makeControl();
  const request = { home, version, control, watcher: {} };
  await ownAndDrive(request, runId, async (store) => {
    const begun = await goOnWith(thresholdOf(request, store), runId, {
      added: {},
      said: {},
      shut: chooseSandbox,
    });
    control.stop({ ...stopperOf(viaOf(door).via), ...note });
    return begun;
  });
}

/** So long the owner of a run has to end everything by itself. */
const patienceMs = 1_500;

/** Kills everything of a run: its owner is told to, and is killed itself when it does not. Answers whether it is over. */
export async function endNow({ home, store, runId }: StoredRun, note: Note, door: Door): Promise<boolean> {
  try {
    store.request(runId, { kind: 'stop', now: true, ...note, ...viaOf(door) });
  } catch (error) {
    // A disk that takes no letter must not keep the run alive.
    if (!(error instanceof FaultError)) throw error;
  }
  const owner = ownerOf(home);
  if (await isOver(home, runId, owner, patienceMs)) return true;
  kill(owner);
  return isOver(home, runId, owner, patienceMs);
}

/** Whoever finds the workspace free has ended what its dead owner left; one that has another owner was free before. */
async function isOver(
  home: WorkspaceHome,
  runId: string,
  owner: Holder | null,
  forMs: number,
): Promise<boolean> {
  for (const fromMs = performance.now(); ; await sleep(20)) {
    const lock = await ownWorkspace(home, runId);
    if (lock.kind === 'held') lock.release();
    const now = lock.kind === 'busy' ? lock.holder : null;
    const isOver = lock.kind === 'held' || (now !== null && owner !== null && now.pid !== owner.pid);
    if (isOver || performance.now() - fromMs > forMs) return isOver;
  }
}

function kill(owner: Holder | null): void {
  try {
    if (owner !== null) process.kill(owner.pid, 'SIGKILL');
  } catch {
    // It has gone meanwhile, or is another user's: whether the workspace is free tells.
  }
}
