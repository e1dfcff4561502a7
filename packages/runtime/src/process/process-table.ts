import { execFile, execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { promisify } from 'node:util';

/** A process that cannot be mistaken for a later one with the same number. */
export interface Identity {
  pid: number;
  /** When it began, in the platform's own unit; 0 where it is not known. */
  born: number;
}

export interface ProcessEntry extends Identity {
  ppid: number;
  pgid: number;
  /** Ended and not yet collected by its parent. */
  dead: boolean;
}

export interface ProcessTable {
  entries: ProcessEntry[];
  /** False when a process came to its end during the reading, so that a child of it may be missing. */
  whole: boolean;
}

/** Whether the system tells about processes by files, which is quick and complete. */
export const HAS_PROC = existsSync('/proc/self/stat');

/**
 * Reads every process of this machine except the kernel's own; with `from`, where that saves time,
 * only those that can have begun after the process of that number, which began less than a round
 * of numbers ago.
 */
export async function readProcessTable(from = 0): Promise<ProcessTable> {
  return HAS_PROC ? readProc(from) : { entries: await readPs(), whole: true };
}

/** The same, at once. */
export function readTableNow(): ProcessTable {
  return HAS_PROC ? readProc(0) : { entries: parsePs(execFileSync('ps', PS, psOptions())), whole: true };
}

/** When a process began; 0 if it is gone or the platform does not tell. */
export function findBirth(pid: number): number {
  const entry = readEntry(pid);
  return typeof entry === 'object' ? entry.born : 0;
}

/** Whether this very process is at work: one that has ended and waits for its parent to collect it is not. */
export function isLiving({ pid, born }: Identity): boolean {
  const entry = HAS_PROC ? readEntry(pid) : readTableNow().entries.find((one) => one.pid === pid);
  if (typeof entry === 'object') return !entry.dead && (born === 0 || entry.born === born);
  return born === 0 && entry !== undefined && isAnswering(pid);
}

function isAnswering(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Someone else's process refuses the question and thereby answers it.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readProc(from: number): ProcessTable {
  const entries: ProcessEntry[] = [];
  let whole = true;
  const names = readdirSync('/proc');
  // Numbers are given in a circle. Read after the names, so that none of them is newer than the last.
  const last = from === 0 ? 0 : readLastPid();
  for (const name of names) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || (pid < from && (last >= from || pid > last))) continue;
    const entry = readEntry(pid);
    if (entry === 'gone') whole = false;
    else if (entry !== 'kernel') entries.push(entry);
  }
  return { entries, whole };
}

function readLastPid(): number {
  return Number(readFileSync('/proc/loadavg', 'latin1').split(' ')[4]);
}

const line = Buffer.allocUnsafe(2048);
const KERNEL_THREAD = 0x0020_0000;

function readEntry(pid: number): ProcessEntry | 'kernel' | 'gone' {
  let text: string;
  try {
    const fd = openSync(`/proc/${pid}/stat`, 'r');
    try {
      text = line.toString('latin1', 0, readSync(fd, line, 0, line.length, 0));
    } finally {
      closeSync(fd);
    }
  } catch {
    // A process may end at any moment; that it cannot be read any more is the answer.
    return 'gone';
  }
  // The name in parentheses may itself hold spaces and parentheses.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ', 20);
  const [state, ppid, pgid] = fields;
  if ((Number(fields[6]) & KERNEL_THREAD) !== 0) return 'kernel';
  // A process whose main thread has ended looks like a dead one while other threads of it work.
  const dead = (state === 'Z' || state === 'X') && Number(fields[17]) <= 1;
  return { pid, ppid: Number(ppid), pgid: Number(pgid), born: Number(fields[19]), dead };
}

/** The table where there is no /proc. Exported for its test. */
export async function readPs(): Promise<ProcessEntry[]> {
  const { stdout } = await promisify(execFile)('ps', PS, psOptions());
  return parsePs(stdout);
}

const PS = ['-Ao', 'pid=,ppid=,pgid=,stat=,lstart='];

const psOptions = () => ({ encoding: 'utf8' as const, env: { ...process.env, LC_ALL: 'C' } });

function parsePs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((row) => {
    const [pid, ppid, pgid, stat, ...start] = row.trim().split(/\s+/);
    if (stat === undefined) return [];
    const born = Date.parse(start.join(' '));
    return [{ pid: Number(pid), ppid: Number(ppid), pgid: Number(pgid), born, dead: stat.startsWith('Z') }];
  });
}
