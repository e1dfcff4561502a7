import { endMarked, type Holder, type LockResult, takeLock } from '../process/index.ts';
import type { WorkspaceHome } from '../store/index.ts';
import { markerOf } from './marker.ts';

/**
 * Takes a workspace for one owner, or says who has it. Processes of a controller that died keep its lock;
 * they are ended, since nobody else will.
 */
export async function ownWorkspace(home: WorkspaceHome, what: string): Promise<LockResult> {
  const holder: Holder = { pid: process.pid, runId: what, since: new Date().toISOString() };
  const lock = await takeLock(home.lock, holder);
  if (lock.kind === 'held' || !lock.holder || isAlive(lock.holder.pid)) return lock;
  await endMarked(markerOf(lock.holder.runId), { held: home.lock });
  return takeLock(home.lock, holder);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
