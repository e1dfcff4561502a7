import { closeSync, linkSync, openSync, renameSync, rmSync } from 'node:fs';
import { FaultError, fault } from '@agentgate/core';
import type { LockResult } from './lock.ts';
import { type Holder, readHolder, readLivingHolder, writeHolder } from './lock-holder.ts';

/**
 * The lock for a system with neither flock nor perl: a file that names its living owner. Weaker than
 * the kernel's: a child of a crashed owner does not keep it.
 */
export async function takePidLock(path: string, holder: Holder): Promise<LockResult> {
  const own = `${path}.${process.pid}`;
  const fd = openSync(own, 'w+', 0o644);
  writeHolder(fd, holder);
  try {
    if (link(own, path) || (removeOutlived(path) && link(own, path))) return hold(fd, path, holder);
  } finally {
    rmSync(own, { force: true });
  }
  closeSync(fd);
  return { kind: 'busy', holder: await readHolder(path) };
}

function hold(fd: number, path: string, holder: Holder): LockResult {
  let open = true;
  const release = () => {
    if (!open) return;
    open = false;
    rmSync(path, { force: true });
    closeSync(fd);
  };
  const rename = (runId: string) => writeHolder(fd, { ...holder, runId });
  return { kind: 'held', fd, rename, release };
}

// A link appears at once and complete, so nobody ever reads half a name.
function link(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new FaultError(fault('lock.unable', `cannot create the lock ${path}`, error));
  }
}

function removeOutlived(path: string): boolean {
  if (readLivingHolder(path) !== null) return false;
  const aside = `${path}.${process.pid}.outlived`;
  try {
    renameSync(path, aside);
  } catch {
    // Another one removed it first; the link decides between us.
    return true;
  }
  // Between the look and the move a new owner may have come: give its file back.
  const stranger = readLivingHolder(aside) !== null;
  if (stranger) link(aside, path);
  rmSync(aside, { force: true });
  return !stranger;
}
