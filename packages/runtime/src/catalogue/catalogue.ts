import { readFileSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { systemDisk, type WorkspaceHome } from '../store/index.ts';
import { type Follower, follow, type Known, readRun } from './read-run.ts';

/** A run in the catalogue. */
export interface Entry extends Known {
  home: WorkspaceHome;
  runId: string;
  /** Grows with every change of any run: whoever knows the number of before finds what changed since. */
  revision: number;
}

/**
 * The summaries of the runs of some workspaces. A cache of their logs: it can be thrown away at any time, and every
 * refresh asks the disk which logs have changed. What has ended is read once.
 */
export interface Catalogue {
  /** Reads what has changed since the last time. Never blocks for longer than one run takes. */
  refresh(homes: readonly WorkspaceHome[]): Promise<void>;
  /** Looks at the logs of ended runs, too, in case somebody damaged one. */
  verify(): Promise<void>;
  /** Newest first. */
  entries(): readonly Entry[];
  find(home: WorkspaceHome, runId: string): Entry | undefined;
  revision(): number;
  /** What was removed behind a revision. */
  removedSince(revision: number): readonly { home: WorkspaceHome; runId: string; revision: number }[];
  /** Keeps what is known for the next process. */
  save(): void;
}

/** A new shape of what is kept is a new number; a file of another number is not read. */
const shape = 4;
/** A file system may date two changes alike; what changed so shortly ago is looked at again. */
const doubtMs = 3_000;
const mostRemoved = 1_000;
/** After so many logs somebody else may be served. */
const breatheEvery = 200;

export function openCatalogue(): Catalogue {
  const shelves = new Map<string, Shelf>();
  const removed: { home: WorkspaceHome; runId: string; revision: number }[] = [];
  let revision = 0;
  let sorted: readonly Entry[] | null = null;
  let last: Promise<void> = Promise.resolve();

  const put = (shelf: Shelf, runId: string, known: Known): void => {
    shelf.entries.set(runId, { ...known, home: shelf.home, runId, revision: ++revision });
    if (known.summary?.ended) shelf.open.delete(runId);
    else shelf.open.add(runId);
    shelf.isChanged ||= known.summary?.ended !== null;
    sorted = null;
  };
  const drop = (shelf: Shelf, runId: string): void => {
    shelf.followers.delete(runId);
    shelf.open.delete(runId);
    if (!shelf.entries.delete(runId)) return;
    removed.push({ home: shelf.home, runId, revision: ++revision });
    if (removed.length > mostRemoved) removed.splice(0, mostRemoved / 2);
    shelf.isChanged = true;
    sorted = null;
  };

  async function refreshShelf(shelf: Shelf): Promise<void> {
    const names = shelf.namesIfChanged();
    if (names !== null) for (const gone of shelf.missing(names)) drop(shelf, gone);
    // One that is being made has no log yet.
    for (const name of names ?? []) if (!shelf.entries.has(name)) shelf.open.add(name);
    await lookAt(shelf, [...shelf.open]);
  }

  async function lookAt(shelf: Shelf, runIds: readonly string[]): Promise<void> {
    for (const [at, runId] of runIds.entries()) {
      if (at % breatheEvery === breatheEvery - 1) await breathe();
      const path = join(shelf.home.runs, runId, 'log.jsonl');
      const known = shelf.entries.get(runId);
      const log = statOf(path);
      if (typeof log === 'string') {
        const damage = `cannot read the log ${path} (${log}); check whose it is and its permissions`;
        if (known?.damage !== damage) put(shelf, runId, { summary: null, damage, bytes: 0, writtenMs: 0 });
        continue;
      }
      if (log === null) {
        if (known) drop(shelf, runId);
        continue;
      }
      if (known && known.bytes === log.size && known.writtenMs === log.mtimeMs) continue;
      const read = await shelf.read(runId, log, known);
      if (read) put(shelf, runId, read);
      else if (known) drop(shelf, runId);
      await breathe();
    }
  }

  async function refreshAll(homes: readonly WorkspaceHome[]): Promise<void> {
    for (const home of homes) {
      let shelf = shelves.get(home.dir);
      if (!shelf) {
        shelf = makeShelf(home);
        shelves.set(home.dir, shelf);
        for (const [runId, known] of readKept(home)) put(shelf, runId, known);
        shelf.isChanged = false;
        // What was kept is checked against the disk at once.
        await lookAt(shelf, [...shelf.entries.keys()]);
      }
      await refreshShelf(shelf);
    }
    const here = new Set(homes.map(({ dir }) => dir));
    for (const [dir, shelf] of shelves) {
      if (here.has(dir)) continue;
      for (const runId of shelf.entries.keys()) drop(shelf, runId);
      shelves.delete(dir);
    }
  }

  return {
    refresh(homes) {
      // One after the other: whoever comes while another is under way may know of something that it passed by.
      last = last.catch(() => undefined).then(() => refreshAll(homes));
      return last;
    },
    async verify() {
      for (const shelf of shelves.values()) await lookAt(shelf, [...shelf.entries.keys()]);
    },
    entries() {
      sorted ??= [...shelves.values()].flatMap((shelf) => [...shelf.entries.values()]).toSorted(newestFirst);
      return sorted;
    },
    find: ({ dir }, runId) => shelves.get(dir)?.entries.get(runId),
    revision: () => revision,
    removedSince: (since) => removed.filter((one) => one.revision > since),
    save() {
      for (const shelf of shelves.values()) if (shelf.isChanged) keep(shelf);
    },
  };
}

interface Shelf {
  home: WorkspaceHome;
  entries: Map<string, Entry>;
  followers: Map<string, Follower>;
  /** Runs whose logs may still grow. */
  open: Set<string>;
  /** What is kept on the disk is no longer all that is known. */
  isChanged: boolean;
  namesIfChanged(): string[] | null;
  missing(names: readonly string[]): string[];
  read(runId: string, log: Stats, known: Known | undefined): Promise<Known | null>;
}

function makeShelf(home: WorkspaceHome): Shelf {
  const entries = new Map<string, Entry>();
  const followers = new Map<string, Follower>();
  const open = new Set<string>();
  let datedMs = -1;
  return {
    home,
    entries,
    followers,
    open,
    isChanged: false,
    namesIfChanged() {
      const dir = statSync(home.runs, { throwIfNoEntry: false });
      if (dir === undefined) return [];
      if (dir.mtimeMs === datedMs) return null;
      datedMs = Date.now() - dir.mtimeMs < doubtMs ? -1 : dir.mtimeMs;
      return readdirSync(home.runs).filter((name) => !name.startsWith('.'));
    },
    missing(names) {
      const here = new Set(names);
      return [...new Set([...entries.keys(), ...open])].filter((runId) => !here.has(runId));
    },
    /** One that grows while it is known is at work: from then on only what is new is read. */
    async read(runId, log, before) {
      const stamp = { bytes: log.size, writtenMs: log.mtimeMs };
      // One that ended, or is shorter than it was, may have lost something.
      const isAtWork = before !== undefined && log.size >= before.bytes && !before.summary?.ended;
      if (!isAtWork) {
        followers.delete(runId);
        return readRun(home, runId, stamp);
      }
      const follower = followers.get(runId) ?? follow(home, runId);
      const known = follower === null ? null : follower.readOn(stamp);
      if (known === null) {
        followers.delete(runId);
        return readRun(home, runId, stamp);
      }
      if (known.summary?.ended) followers.delete(runId);
      else if (follower) followers.set(runId, follower);
      return known;
    },
  };
}

const startOf = ({ summary }: Entry): string => summary?.startedAt ?? '';

function newestFirst(one: Entry, other: Entry): number {
  const [a, b] = [startOf(one), startOf(other)];
  if (a !== b) return a < b ? 1 : -1;
  return one.runId < other.runId ? 1 : -1;
}

/** Null where there is nothing; the error's code where that is not ours to know, as after a run with sudo. */
function statOf(path: string): Stats | string | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

const keptAt = ({ dir }: WorkspaceHome): string => join(dir, 'catalogue.json');

/** What an earlier process knew; nothing of it is believed without a look at the log's size and date. */
function readKept(home: WorkspaceHome): [string, Known][] {
  try {
    const kept = JSON.parse(readFileSync(keptAt(home), 'utf8')) as { shape: number; runs: [string, Known][] };
    return kept.shape === shape && Array.isArray(kept.runs) ? kept.runs : [];
  } catch {
    // There is none, or a crash cut it short: then the logs are read.
    return [];
  }
}

function keep(shelf: Shelf): void {
  const runs = [...shelf.entries.values()].flatMap(({ runId, summary, damage, bytes, writtenMs }) =>
    summary === null || damage !== null ? [] : [[runId, { summary, damage, bytes, writtenMs }]],
  );
  try {
    systemDisk.put(keptAt(shelf.home), JSON.stringify({ shape, name: basename(shelf.home.dir), runs }));
    shelf.isChanged = false;
  } catch {
    // A full or closed disk costs only time: the logs are read again.
  }
}
