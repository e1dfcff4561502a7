import { setTimeout as sleep } from 'node:timers/promises';
import { FaultError } from '@agentgate/core';
import { type Holder, ownerOf, ownWorkspace, type WorkspaceHome } from '@agentgate/runtime';
import type { OpenRun } from './wire.ts';

/** So long the owner of a run has to end everything by itself. */
const patienceMs = 1_500;

/** Kills everything of a run: its owner is told to, and is killed itself when it does not. Answers whether it is over. */
export async function endNow({ home, store, runId }: OpenRun, note: { note?: string }): Promise<boolean> {
  try {
    store.request(runId, { kind: 'stop', now: true, ...note });
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
