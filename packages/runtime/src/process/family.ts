import { setTimeout as sleep } from 'node:timers/promises';
import { holdsLock, isWarden, type Mark, readMark } from './marker.ts';
import {
  type Identity,
  type ProcessEntry,
  type ProcessTable,
  readProcessTable,
  readTableNow,
} from './process-table.ts';

const LOOKS = 3;

// No system gives out all its process numbers in this time.
const SHORTEST_ROUND_MS = 1_000;

/**
 * The processes that came from one request: those in the group of its main process, those that carry
 * its marker or share its lock, those that descend from either, and those that once did. Never this process itself.
 */
export class Family {
  readonly #marker: string;
  readonly #leader: Identity | null;
  readonly #held: string | null;
  readonly #startMs = performance.now();
  readonly #known = new Map<number, number>();

  /**
   * `leader` is the main process, started just now; null when only the marker is known. `held` is a file whose
   * lock only processes of ours share.
   */
  constructor(marker: string, leader: Identity | null, held: string | null = null) {
    this.#marker = marker;
    this.#leader = leader;
    this.#held = held;
  }

  /** Finds the living members. */
  async look(): Promise<ProcessEntry[]> {
    for (let looks = 1; ; looks++) {
      const table = await readProcessTable(this.#firstPid());
      const { members, sure } = this.#pick(table);
      if (members.length > 0 || (sure && table.whole) || looks === LOOKS) return members;
      await sleep(1);
    }
  }

  /** The same without giving way to anything else in this process; with those below a process of ours. */
  lookNow(ancestor: number): ProcessEntry[] {
    for (let looks = 1; ; looks++) {
      const table = readTableNow();
      const { members, sure } = this.#pick(table);
      const found = new Set([...members, ...below(ancestor, table.entries)]);
      if (found.size > 0 || (sure && table.whole) || looks === LOOKS) return [...found];
    }
  }

  /** Sends a signal to members that were found just now. */
  signal(members: readonly ProcessEntry[], signal: 'SIGTERM' | 'SIGKILL'): void {
    const leader = this.#leader;
    const leads = leader !== null && members.some(({ pid }) => pid === leader.pid);
    if (leads && signal === 'SIGTERM' && isWarden(leader.pid)) return this.#askInmates(members, leader.pid);
    // While the main process lives its number cannot be given away, so the whole group is ours;
    // one signal to it leaves no moment for a fork.
    if (leads) send(-leader.pid, signal);
    for (const { pid, pgid } of members) if (!leads || pgid !== leader.pid) send(pid, signal);
  }

  /** A sandbox dies of the polite signal, and all in it at once; they are asked themselves, and it ends with them. */
  #askInmates(members: readonly ProcessEntry[], warden: number): void {
    const inmates = members.filter(({ pid }) => pid !== warden);
    for (const { pid } of inmates.length === 0 ? members : inmates) send(pid, 'SIGTERM');
  }

  isLeader(entry: ProcessEntry): boolean {
    return entry.pid === this.#leader?.pid;
  }

  #firstPid(): number {
    return performance.now() - this.#startMs < SHORTEST_ROUND_MS ? (this.#leader?.pid ?? 0) : 0;
  }

  #pick({ entries }: ProcessTable): { members: ProcessEntry[]; sure: boolean } {
    const since = this.#leader?.born ?? 0;
    const candidates = entries.filter(({ pid, born }) => born >= since && pid !== process.pid);
    const living = candidates.filter(({ dead }) => !dead);
    const marks = new Map<ProcessEntry, Mark>();
    const own = living.filter((entry) => {
      if (this.#isGrouped(entry, entries) || this.#known.get(entry.pid) === entry.born) return true;
      const mark = readMark(entry.pid, this.#marker);
      marks.set(entry, mark);
      return mark === 'carried' || this.#holds(entry);
    });
    const members = withDescendants(own, living);
    for (const { pid, born } of members) this.#known.set(pid, born);
    // Someone who ended just now may have left a child that was not there when the reading began,
    // and someone between two programs has no environment for a moment.
    const sure = living.length === candidates.length && ![...marks.values()].includes('unsure');
    return { members, sure };
  }

  /** Requests side by side hold the same file: one that carries another's marker, or whose parent or group does, is not ours. */
  #holds({ pid, ppid, pgid }: ProcessEntry): boolean {
    if (this.#held === null || !holdsLock(pid, this.#held)) return false;
    return this.#leader === null || ![pid, ppid, pgid].some((one) => readMark(one, this.#marker) === 'other');
  }

  #isGrouped(entry: ProcessEntry, entries: ProcessEntry[]): boolean {
    const leader = this.#leader;
    if (leader === null || entry.pgid !== leader.pid) return false;
    // A group whose leader has our number and another birth belongs to a stranger.
    const present = entries.find(({ pid }) => pid === leader.pid);
    return present === undefined || leader.born === 0 || present.born === leader.born;
  }
}

function below(pid: number, entries: readonly ProcessEntry[]): ProcessEntry[] {
  const living = entries.filter(({ dead }) => !dead);
  const own = living.filter((entry) => entry.pid === pid);
  return withDescendants(own, living).filter((entry) => entry.pid !== pid);
}

function withDescendants(own: readonly ProcessEntry[], living: readonly ProcessEntry[]): ProcessEntry[] {
  const members = new Set(own);
  for (const parent of members) {
    for (const entry of living)
      if (entry.ppid === parent.pid && entry.born >= parent.born) members.add(entry);
  }
  return [...members];
}

function send(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended since it was found, or changed its user: the next look tells which.
  }
}
