import { type Event, FaultError } from '@agentgate/core';
import { findHome, listHomes, openRunStore, readHistory, type WorkspaceHome } from '@agentgate/runtime';
import { type CommonFlags, type Context } from './context.ts';
import { rootOf } from './wire.ts';

/** A stored run with all of its history. */
export interface StoredRun {
  home: WorkspaceHome;
  runId: string;
  events: readonly Event[];
  /** Another run goes on from it. */
  isParent: boolean;
}

/** Whose runs are read, and how many of a workspace at most, the newest first. */
export interface Reach extends CommonFlags {
  all?: boolean;
  newest?: number;
}

/** Every run of this workspace, or of all of them, and why some could not be read. */
export async function readRuns(
  context: Context,
  flags: Reach,
): Promise<{ runs: StoredRun[]; unread: string[] }> {
  const homes = flags.all ? listHomes(context.env) : [findHome(rootOf(context, flags), context.env)];
  const unread: string[] = [];
  const runs = (await Promise.all(homes.map((home) => runsOf(home, unread, flags.newest)))).flat();
  return { runs, unread };
}

async function runsOf(home: WorkspaceHome, unread: string[], newest?: number): Promise<StoredRun[]> {
  const store = openRunStore(home.runs);
  const runs: StoredRun[] = [];
  for (const runId of store.list().slice(0, newest)) {
    try {
      const events = await readHistory(store, runId);
      if (events.length > 0) runs.push({ home, runId, events, isParent: false });
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      // One damaged log must not hide the others; one that was removed since it was listed is no run any more.
      if (store.list().includes(runId)) unread.push(`run ${runId} of ${home.root}: ${error.fault.message}`);
    }
  }
  const parents = new Set(runs.map(({ events }) => parentOf(events)));
  return runs.map((run) => ({ ...run, isParent: parents.has(run.runId) }));
}

function parentOf(events: readonly Event[]): string | undefined {
  const started = events.findLast((one) => one.kind === 'run.started');
  return started?.kind === 'run.started' ? started.parent?.runId : undefined;
}
