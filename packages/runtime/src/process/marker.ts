import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { HAS_PROC } from './process-table.ts';

/** The variable that every process of a request carries, unless it wipes its environment. */
export const MARKER_VARIABLE = 'AGENTGATE_PROCESS';

/** Whether a process carries a marker or another one; unsure about one that has ended or is between two programs. */
export type Mark = 'carried' | 'other' | 'absent' | 'unsure';

/**
 * Looks for a marker in a process's environment; one that begins with it and a slash is of the same family.
 * Absent everywhere where there is no /proc.
 */
export function readMark(pid: number, marker: string): Mark {
  if (!HAS_PROC) return 'absent';
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    if (environment.length === 0) return 'unsure';
    const found = ENTRY.exec(environment.toString('latin1'))?.[1];
    if (found === undefined) return 'absent';
    const own = Buffer.from(marker, 'utf8').toString('latin1');
    return found === own || found.startsWith(`${own}/`) ? 'carried' : 'other';
  } catch (error) {
    // Another user's process is none of ours; one that has ended may have left a child.
    return error instanceof Error && 'code' in error && error.code === 'EACCES' ? 'absent' : 'unsure';
  }
}

const ENTRY = new RegExp(`(?:^|\\0)${MARKER_VARIABLE}=([^\\0]*)(?:\\0|$)`);

/**
 * Whether a process shares the lock on a file. One that wiped its environment still has what it inherited; one that
 * only has the file open, to read it or to ask for the lock, does not count.
 */
export function holdsLock(pid: number, file: string): boolean {
  if (!HAS_PROC) return false;
  try {
    return readdirSync(`/proc/${pid}/fd`).some(
      (fd) => linkOf(`/proc/${pid}/fd/${fd}`) === file && isLocked(`/proc/${pid}/fdinfo/${fd}`),
    );
  } catch {
    // Ended, or another user's: none of ours either way.
    return false;
  }
}

const isLocked = (info: string): boolean => /^lock:/m.test(readFileSync(info, 'latin1'));

/** Whether a process is the outer one of a sandbox, which keeps others and passes no signal on. */
export function isWarden(pid: number): boolean {
  if (!HAS_PROC) return false;
  try {
    return readFileSync(`/proc/${pid}/comm`, 'latin1').trim() === 'bwrap';
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

/** The path of an open file, where the system tells it. */
export function pathOfFd(fd: number | undefined): string | null {
  return fd === undefined || !HAS_PROC ? null : linkOf(`/proc/self/fd/${fd}`);
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    // Closed since it was listed.
    return null;
  }
}
