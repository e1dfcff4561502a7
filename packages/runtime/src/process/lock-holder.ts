import { ftruncateSync, readFileSync, writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { findBirth, isLiving } from './process-table.ts';

/** Who owns a workspace. */
export interface Holder {
  pid: number;
  runId: string;
  /** ISO date and time. */
  since: string;
}

const LATE_WRITER_MS = 500;

/** Replaces what the lock file says; null leaves it empty. */
export function writeHolder(fd: number, holder: Holder | null): void {
  ftruncateSync(fd, 0);
  if (holder === null) return;
  try {
    writeSync(fd, `${JSON.stringify({ ...holder, born: findBirth(holder.pid) })}\n`, 0);
  } catch {
    // On a full disk the lock holds all the same; only its name is missing.
    ftruncateSync(fd, 0);
  }
}

/** Reads who holds a busy lock; null when the file does not tell. */
export async function readHolder(path: string): Promise<Holder | null> {
  const deadlineMs = performance.now() + LATE_WRITER_MS;
  for (;;) {
    const noted = parseHolder(readText(path));
    // The owner writes its name just after taking the lock; until then the file is empty or names
    // one that crashed. A dead holder that stays is right: a child of it keeps the lock.
    if ((noted !== null && isAlive(noted)) || performance.now() >= deadlineMs) return noted?.holder ?? null;
    await sleep(10);
  }
}

/** Reads a holder that is alive at this moment; null for an empty, torn or outlived note. */
export function readLivingHolder(path: string): Holder | null {
  const noted = parseHolder(readText(path));
  return noted !== null && isAlive(noted) ? noted.holder : null;
}

/** Reads whom a lock file still names although it has ended: nobody released the lock. */
export function readOutlived(path: string): Holder | null {
  const noted = parseHolder(readText(path));
  return noted !== null && !isAlive(noted) ? noted.holder : null;
}

interface Noted {
  holder: Holder;
  born: number;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Gone or unreadable says as little as empty.
    return '';
  }
}

function parseHolder(text: string): Noted | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Empty, or read in the middle of a write.
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const { pid, runId, since, born } = value as Record<string, unknown>;
  if (typeof pid !== 'number' || typeof runId !== 'string' || typeof since !== 'string') return null;
  return { holder: { pid, runId, since }, born: typeof born === 'number' ? born : 0 };
}

const isAlive = ({ holder, born }: Noted): boolean => isLiving({ pid: holder.pid, born });
