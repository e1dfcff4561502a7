import { ownWorkspace } from '../driver/owner.ts';
import type { RunStore, WorkspaceHome } from '../store/index.ts';

/** An owner gives a sign of life every second. */
const silenceMs = 5_000;

/** Whether some process has given a sign of life for this run just now. */
export function isBeating(store: RunStore, runId: string): boolean {
  return Date.now() - (store.lastBeat(runId)?.wallMs ?? 0) < silenceMs;
}

/** Whether a process owns the run's workspace now; asked of the lock itself, since signs of life may be late. */
export async function isHeld(home: WorkspaceHome, store: RunStore, runId: string): Promise<boolean> {
  const lock = await ownWorkspace(home, runId);
  // A run that goes on as a linked one is held under the name of the first; its own signs of life tell.
  if (lock.kind === 'busy') return lock.holder?.runId === runId || isBeating(store, runId);
  lock.release();
  return false;
}
