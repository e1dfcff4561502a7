import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  endMarked,
  type Holder,
  type LockResult,
  readLivingHolder,
  readOutlived,
  takeLock,
} from '../process/index.ts';
import type { WorkspaceHome } from '../store/index.ts';
import { markerOf } from './marker.ts';

/** Whoever finds the workspace taken says so within a second. */
const patienceMs = 500;

/** What a dead controller left has nobody who would wait for it to tidy up. */
const graceMs = 200;

/**
 * Takes a workspace for one owner, or says who has it. Processes of a controller that died are ended, since nobody
 * else will, whether they keep its lock or not.
 */
export async function ownWorkspace(home: WorkspaceHome, what: string): Promise<LockResult> {
  const holder: Holder = { pid: process.pid, runId: what, since: new Date().toISOString() };
  // One at a time comes to the lock: nobody is taken for a leftover who has only just become its owner.
  const door = await takeLock(`${home.lock}.door`, holder, patienceMs);
  if (door.kind === 'busy') return door;
  try {
    const dead = readOutlived(home.lock) ?? readOutlived(pidLock(home));
    if (dead) await endMarked(markerOf(dead.runId), { held: home.lock, graceMs });
    await endBeside(home);
    return await takeLock(home.lock, holder);
  } finally {
    door.release();
  }
}

/** The same for items of a plan that were worked on beside the workspace when its owner died. */
async function endBeside(home: WorkspaceHome): Promise<void> {
  for (const lock of itemLocks(home)) {
    const dead = readOutlived(lock);
    if (dead) await endMarked(markerOf(dead.runId), { held: lock, graceMs });
  }
}

/** The living owner of a workspace, if any; asked of its note, without trying the lock. */
export const ownerOf = (home: WorkspaceHome): Holder | null =>
  readLivingHolder(home.lock) ?? readLivingHolder(pidLock(home));

/** Whether a living process drives this run now, in the workspace or beside it as an item of a plan. */
export const isOwned = (home: WorkspaceHome, runId: string): boolean =>
  ownerOf(home)?.runId === runId || itemLocks(home).some((lock) => readLivingHolder(lock)?.runId === runId);

/** The locks of items of a plan that are, or were, worked on beside the workspace. */
export function itemLocks({ dir }: WorkspaceHome): string[] {
  const items = join(dir, 'items');
  return existsSync(items) ? readdirSync(items).map((name) => join(items, name, 'lock')) : [];
}

/** Where neither flock nor perl is, a file that names its owner stands in for the lock. */
const pidLock = ({ lock }: WorkspaceHome): string => `${lock}.pid`;
