import { resolve } from 'node:path';
import { emptyState, type Event, FaultError, fault, fold, type RunState } from '@agentgate/core';
import {
  findHome,
  openRunStore,
  ownWorkspace,
  readHistory,
  type RunStore,
  type WorkspaceHome,
} from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';

/** A stored run with its folded state. */
export interface OpenRun {
  home: WorkspaceHome;
  store: RunStore;
  runId: string;
  events: Event[];
  state: RunState;
}

export const rootOf = (context: Context, flags: CommonFlags): string =>
  resolve(context.cwd, flags.directory ?? '.');

/** Opens the run that was named, by its id or the beginning of it; the newest one when none was. */
export async function openRun(
  context: Context,
  flags: CommonFlags,
  name: string | undefined,
): Promise<OpenRun> {
  const home = findHome(rootOf(context, flags), context.env);
  const store = openRunStore(home.runs);
  const runId = chooseRun(store.list(), name, home.root);
  const events = await readHistory(store, runId);
  if (store.isTorn(runId)) {
    context.terminal.err(
      `agentgate: the last event of run ${runId} was cut short by a crash and is left out`,
    );
  }
  return { home, store, runId, events, state: fold(events, emptyState()) };
}

/** An owner gives a sign of life every second. */
const silenceMs = 5_000;

/** Whether some process drives this run now. */
export function isDriven(store: RunStore, runId: string): boolean {
  return Date.now() - (store.lastBeat(runId) ?? 0) < silenceMs;
}

/** Whether a process owns the run's workspace now; asked of the lock itself, since signs of life may be late. */
export async function isHeld(home: WorkspaceHome, store: RunStore, runId: string): Promise<boolean> {
  const lock = await ownWorkspace(home, runId);
  // A run that goes on as a linked one is held under the name of the first; its own signs of life tell.
  if (lock.kind === 'busy') return lock.holder?.runId === runId || isDriven(store, runId);
  lock.release();
  return false;
}

function chooseRun(runs: readonly string[], name: string | undefined, root: string): string {
  if (name === undefined) {
    const newest = runs[0];
    if (newest) return newest;
    throw new FaultError(fault('run.none', `there are no runs of ${root} yet; agentgate run starts one`));
  }
  const found = runs.filter((run) => run.startsWith(name));
  if (found.length === 1) return found[0]!;
  const what = found.length === 0 ? 'there is no run' : 'more than one run begins with';
  throw new FaultError(fault('run.unknown', `${what} ${name} of ${root}; agentgate list shows the runs`));
}
