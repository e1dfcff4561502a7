import { emptyState, type Event, fold, type RunState } from '@agentgate/core';
import { openRunStore, readHistory, type RunStore, type WorkspaceHome } from '../store/index.ts';

/** A stored run with its folded state. */
export interface StoredRun {
  home: WorkspaceHome;
  store: RunStore;
  runId: string;
  events: Event[];
  state: RunState;
}

/** The door by which a person steers a run, as the log names it. */
export type Door = 'command' | 'api';

/** Opens a run by its whole id. */
export async function openStored(home: WorkspaceHome, runId: string): Promise<StoredRun> {
  const store = openRunStore(home.runs);
  const events = await readHistory(store, runId);
  return { home, store, runId, events, state: fold(events, emptyState()) };
}
