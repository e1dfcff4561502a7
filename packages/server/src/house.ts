import { basename } from 'node:path';
import { FaultError, fault, type Waiting } from '@agentgate/core';
import {
  type Catalogue,
  type Entry,
  isDrivenNow,
  listHomes,
  openStored,
  openCatalogue,
  ownerOf,
  isHeldNow,
  standingOf,
  type StoredRun,
  type WorkspaceHome,
} from '@agentgate/runtime';
import type { RunRow, Standing } from './contract/index.ts';
import { makeRunShelf } from './shelf.ts';

/** What the server shows: every workspace of one state, with its runs. A reader of logs; it keeps nothing of its own. */
export interface House {
  version: string;
  env: NodeJS.ProcessEnv;
  startedAt: string;
  homes(): readonly WorkspaceHome[];
  home(workspace: string): WorkspaceHome;
  catalogue: Catalogue;
  /** Brings the catalogue up to date. */
  refresh(): Promise<void>;
  entry(workspace: string, runId: string): Promise<Entry>;
  /** To say something to a run. */
  open(workspace: string, runId: string): Promise<StoredRun>;
  /** To show it; what is the same for all who look is read once. */
  look(workspace: string, runId: string): Promise<StoredRun>;
  standing(entry: Entry): Standing;
  /** The run that went on in the place of this one; null for one that nobody went on from. */
  wentOnAs(entry: Entry): string | null;
  row(entry: Entry): RunRow;
  /** The same as JSON; kept for as long as nothing of it changes. */
  rowText(entry: Entry): string;
  save(): void;
}

export const workspaceId = ({ dir }: WorkspaceHome): string => basename(dir);

/** Who asks again so soon gets what was seen just before. */
const freshMs = 200;

export function openHouse({ version, env }: { version: string; env: NodeJS.ProcessEnv }): House {
  const catalogue = openCatalogue();
  const look = makeRunShelf();
  const homes = remember(() => listHomes(env));
  const owned = remember(
    () => new Set(homes().flatMap((home) => (ownerOf(home) === null ? [] : [home.dir]))),
  );
  const texts = new WeakMap<Entry, { standing: string; next: string | null; text: string }>();
  let nexts = { revision: -1, of: new Map<string, string>() };
  let refreshing: { promise: Promise<void>; atMs: number } | null = null;

  const home = (workspace: string): WorkspaceHome => {
    const named = (one: WorkspaceHome) => workspaceId(one) === workspace;
    // One that has just come is newer than what is remembered.
    const found = homes().find(named) ?? listHomes(env).find(named);
    if (found) return found;
    throw new FaultError(fault('workspace.unknown', `there is no workspace ${workspace} here`));
  };
  const standing = (entry: Entry): Standing => {
    const driven = isOpen(entry) && owned().has(entry.home.dir) && isDrivenNow(entry.home, entry.runId);
    const as = standingOf(entry, driven);
    return as === 'held' && !isHeldNow(entry.runId, env) ? 'cut-short' : as;
  };
  const wentOnAs = ({ home, runId }: Entry): string | null => {
    const revision = catalogue.revision();
    if (nexts.revision !== revision) nexts = { revision, of: nextOf(catalogue.entries()) };
    return nexts.of.get(placeOf(home, runId)) ?? null;
  };
  const row = (entry: Entry, as = standing(entry), next = wentOnAs(entry)): RunRow => ({
    ...(entry.summary ?? unread(entry)),
    waiting: waitingNow(entry, as, next),
    workspace: workspaceId(entry.home),
    standing: as,
    wentOnAs: next,
    damage: entry.damage,
  });
  const refresh = (): Promise<void> => {
    const nowMs = performance.now();
    if (refreshing === null || nowMs - refreshing.atMs > freshMs)
      refreshing = { promise: catalogue.refresh(homes()), atMs: nowMs };
    return refreshing.promise;
  };
  return {
    version,
    env,
    startedAt: new Date().toISOString(),
    homes,
    home,
    catalogue,
    refresh,
    async entry(workspace, runId) {
      const at = home(workspace);
      const known = catalogue.find(at, runId);
      // One that has just begun may be newer than the newest refresh.
      if (known === undefined) await catalogue.refresh(listHomes(env));
      else await refresh();
      const found = catalogue.find(at, runId);
      if (found) return found;
      throw new FaultError(fault('run.unknown', `there is no run ${runId} of ${at.root}`));
    },
    open: (workspace, runId) => openStored(home(workspace), runId),
    look: (workspace, runId) => look(home(workspace), runId),
    standing,
    wentOnAs,
    row: (entry) => row(entry),
    rowText(entry) {
      const as = standing(entry);
      const next = wentOnAs(entry);
      const known = texts.get(entry);
      if (known?.standing === as && known.next === next) return known.text;
      const text = JSON.stringify(row(entry, as, next));
      texts.set(entry, { standing: as, next, text });
      return text;
    },
    save: () => catalogue.save(),
  };
}

const isOpen = ({ summary }: Entry): boolean => !summary?.ended;

/**
 * A run that nobody drives asks again when it is resumed; what ended with a question waits for its answer, until it
 * went on.
 */
export const waitingNow = ({ summary }: Entry, as: Standing, next: string | null): Waiting[] =>
  summary && next === null && (summary.ended || as === 'running') ? summary.waiting : [];

const placeOf = (home: WorkspaceHome, runId: string): string => `${home.dir} ${runId}`;

/** Each run that went on, with the newest one that took its place. */
function nextOf(entries: readonly Entry[]): Map<string, string> {
  const next = new Map<string, string>();
  for (const { home, runId, summary } of entries) {
    if (!summary?.inPlaceOf) continue;
    const place = placeOf(home, summary.inPlaceOf);
    if (!next.has(place)) next.set(place, runId);
  }
  return next;
}

/** What of a list still holds for a run that cannot be read. */
function unread({ home, runId }: Entry): Omit<RunRow, 'workspace' | 'standing' | 'wentOnAs' | 'damage'> {
  return {
    runId,
    root: home.root,
    task: '',
    agent: '',
    strategy: '',
    begunAt: '',
    startedAt: '',
    lastAt: '',
    parent: null,
    inPlaceOf: null,
    ended: null,
    open: null,
    isLeft: false,
    iterations: 0,
    mostIterations: 0,
    trend: [],
    gates: [],
    used: { activeMs: 0, tokens: null, costUsd: null },
    limits: { activeMs: 0, tokens: null, costUsd: null },
    waiting: [],
    askedAt: null,
  };
}

function remember<T>(read: () => T): () => T {
  let kept: { value: T; atMs: number } | null = null;
  return () => {
    const nowMs = performance.now();
    if (kept === null || nowMs - kept.atMs > freshMs) kept = { value: read(), atMs: nowMs };
    return kept.value;
  };
}
