import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { emptyState, FaultError, fault, fold } from '@agentgate/core';
import {
  findHome,
  openRunStore,
  readHistory,
  type RunStore,
  sourceOf,
  type StoredRun,
  type WorkspaceHome,
} from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';

export type OpenRun = StoredRun;

export const rootOf = (context: Context, flags: CommonFlags): string =>
  resolve(context.cwd, flags.directory ?? '.');

/** Finds the run that was named, by its id or the beginning of it, without reading it; the newest one when none was. */
export function findRun(
  context: Context,
  flags: CommonFlags,
  name: string | undefined,
): Pick<OpenRun, 'home' | 'store' | 'runId'> {
  const home = homeOf(context, flags, name);
  const store = openRunStore(home.runs);
  const runs = store.list();
  // Of one that was only begun nothing may be left after a power cut; the one before it is meant.
  const some = name === undefined ? runs.filter((runId) => hasEvents(store, runId)) : runs;
  return { home, store, runId: chooseRun(some.length > 0 ? some : runs, name, home.root) };
}

/**
 * Where a run that was named lies: here, or in the nearest folder around, as that of a session that is held where it works
 * in a folder of its project.
 */
function homeOf(context: Context, flags: CommonFlags, name: string | undefined): WorkspaceHome {
  const own = findHome(rootOf(context, flags), context.env);
  if (name === undefined) return own;
  for (let home = own; ; home = findHome(dirname(home.root), context.env)) {
    if (
      openRunStore(home.runs)
        .list()
        .some((run) => run.startsWith(name))
    )
      return home;
    if (home.root === dirname(home.root)) return own;
  }
}

function hasEvents(store: RunStore, runId: string): boolean {
  try {
    return statSync(join(store.dir(runId), 'log.jsonl')).size > 0;
  } catch {
    // Whatever is wrong with it is told by whoever opens it.
    return true;
  }
}

/** Opens the run that was named; of a damaged log what is good of it, with a warning, so that nothing is out of reach. */
export async function openGood(
  context: Context,
  flags: CommonFlags,
  name: string | undefined,
): Promise<OpenRun & { isDamaged: boolean }> {
  try {
    return { ...(await openRun(context, flags, name)), isDamaged: false };
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'log.damaged') throw error;
    const { home, store, runId } = findRun(context, flags, name);
    const good = sourceOf(home).log(runId)?.events.length ?? 0;
    // The damage is in a run that this one goes on from, or there is nothing to show.
    if (good === 0) throw error;
    const events = await readHistory(store, runId, good);
    context.terminal.err(`agentgate: ${error.fault.message}`);
    return { home, store, runId, events, state: fold(events, emptyState()), isDamaged: true };
  }
}

/** Finds the run that was named, and refuses a damaged one before anything is done for it. */
export async function findWhole(
  context: Context,
  flags: CommonFlags,
  name: string | undefined,
): Promise<Pick<OpenRun, 'home' | 'store' | 'runId'>> {
  const found = findRun(context, flags, name);
  await found.store.read(found.runId);
  tellTorn(context, found);
  return found;
}

/** Opens the run that was named. */
export async function openRun(
  context: Context,
  flags: CommonFlags,
  name: string | undefined,
): Promise<OpenRun> {
  const { home, store, runId } = findRun(context, flags, name);
  const events = await readHistory(store, runId);
  tellTorn(context, { store, runId });
  return { home, store, runId, events, state: fold(events, emptyState()) };
}

function tellTorn({ terminal }: Context, { store, runId }: Pick<OpenRun, 'store' | 'runId'>): void {
  if (store.isTorn(runId))
    terminal.err(`agentgate: the last event of run ${runId} was cut short by a crash and is left out`);
}

export function chooseRun(runs: readonly string[], name: string | undefined, root: string): string {
  if (name === undefined) {
    const newest = runs[0];
    if (newest) return newest;
    throw new FaultError(
      fault(
        'run.none',
        `there are no runs of ${root} yet; agentgate run starts one, agentgate list --all shows those of other directories`,
      ),
    );
  }
  const found = runs.filter((run) => run.startsWith(name));
  if (found.length === 1) return found[0]!;
  const why =
    found.length === 0
      ? `there is no run ${name} of ${root}`
      : `more than one run of ${root} begins with ${name}: ${found.join(', ')}`;
  throw new FaultError(fault('run.unknown', `${why}; agentgate list shows the runs`));
}
