import type { NamedGate } from '@agentgate/core';
import type { PastRun } from '@agentgate/lab';
import type { WorkspaceHome } from '@agentgate/runtime';
import type { Context } from './context.ts';
import { type Reach, readRuns } from './read-runs.ts';

/** A run of the history that shows something, with where it lies and the gates it had. */
export interface HistoryRun extends PastRun {
  home: WorkspaceHome;
  gates: readonly NamedGate[];
}

/**
 * The history as the lab sees it, the newest first: runs that are over and built something. Runs that go on from one
 * another are one, told by the last of them.
 */
export async function readHistoryRuns(
  context: Context,
  flags: Reach,
): Promise<{ runs: HistoryRun[]; unread: string[] }> {
  // Loaded here, so that no other command pays for it.
  const { traceOf } = await import('@agentgate/lab');
  const { runs, unread } = await readRuns(context, flags);
  const past = runs
    .filter((run) => !run.isParent)
    .flatMap(({ home, runId, events }) => {
      const trace = traceOf(events);
      const started = events.findLast((one) => one.kind === 'run.started');
      const gates = started?.kind === 'run.started' ? started.spec.gates : [];
      // Items of a plan that were worked on beside the workspace belong to it.
      return trace ? [{ home, runId, events, trace: { ...trace, source: home.root }, gates }] : [];
    });
  return { runs: past, unread };
}
