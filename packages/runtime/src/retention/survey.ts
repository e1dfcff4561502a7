import { join } from 'node:path';
import { type Event, FaultError } from '@agentgate/core';
import { openRunStore, reserveName, type RunStore, type WorkspaceHome } from '../store/index.ts';
import type { KnownRun } from './choose.ts';
import { type KnownPlan, plansOf, runsOfOpenPlans } from './plans.ts';
import { bytesOf } from './size.ts';

/** A run with what it takes on the disk, beside its snapshots. */
export interface SizedRun extends KnownRun {
  bytes: number;
  /** Whether somebody may still go on from it. */
  canGoOn: boolean;
}

/** What the state of one workspace is made of, in bytes. */
export interface Survey {
  root: string;
  runs: SizedRun[];
  /** Null where one of them cannot be read. */
  plans: KnownPlan[] | null;
  runsBytes: number;
  snapshotBytes: number;
  /** Rooms of the gates, and the caches in them. */
  roomBytes: number;
  /** Set aside by the last run for a full disk; the next one does it anew. */
  reserveBytes: number;
  totalBytes: number;
}

/** Looks at the state of a workspace. Changes nothing. */
export async function survey(home: WorkspaceHome): Promise<Survey> {
  const store = openRunStore(home.runs);
  const known = await Promise.all(store.list().map((runId) => sizedRun(store, runId)));
  const parents = new Set(known.map((run) => run?.parent));
  const plans = plansOf(home);
  const needed = plans && runsOfOpenPlans(plans);
  const isNeeded = (runId: string) => !needed || needed.has(runId);
  const runs = known
    .filter((run) => run !== null)
    .map((run) => (isNeeded(run.runId) ? { ...run, endedMs: null, canGoOn: true } : run))
    .map((run) => ({ ...run, canGoOn: run.canGoOn && !parents.has(run.runId) }));
  const reserveBytes = bytesOf(reserveOf(home));
  return {
    root: home.root,
    runs,
    plans,
    runsBytes: bytesOf(home.runs) - reserveBytes,
    reserveBytes,
    snapshotBytes: bytesOf(home.gitDir),
    roomBytes: bytesOf(roomOf(home)),
    totalBytes: bytesOf(home.dir),
  };
}

export const reserveOf = ({ runs }: WorkspaceHome): string => join(runs, reserveName);

export const roomOf = ({ dir }: WorkspaceHome): string => join(dir, 'room');

async function sizedRun(store: RunStore, runId: string): Promise<SizedRun | null> {
  const bytes = bytesOf(store.dir(runId));
  try {
    return { runId, bytes, ...factsOf(await store.read(runId)) };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    // A damaged log says nothing about its end, so that nobody may take it for ended; one that is gone is no run.
    if (!store.list().includes(runId)) return null;
    return { runId, bytes, startedMs: 0, endedMs: null, parent: store.parentOf(runId), canGoOn: true };
  }
}

function factsOf(events: readonly Event[]): Pick<SizedRun, 'startedMs' | 'endedMs' | 'parent' | 'canGoOn'> {
  const [first] = events;
  const last = events.at(-1);
  return {
    startedMs: Date.parse(first?.at ?? ''),
    endedMs: last?.kind === 'run.ended' ? Date.parse(last.at) : null,
    parent: first?.kind === 'run.started' ? (first.parent?.runId ?? null) : null,
    canGoOn: last?.kind !== 'run.ended' || last.status !== 'converged',
  };
}
