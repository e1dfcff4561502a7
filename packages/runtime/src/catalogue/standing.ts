import type { RunSummary, Status } from '@agentgate/core';
import { ownerOf } from '../driver/owner.ts';
import { isBeating } from '../steer/held.ts';
import { openRunStore, type WorkspaceHome } from '../store/index.ts';

/** How a run stands for whoever looks at it: its ending, or how it lies open. */
export type RunStanding = Status | 'running' | 'held' | 'paused' | 'cut-short' | 'damaged';

/** How the run of a summary stands; null is one that cannot be read. */
export function standingOf(
  { summary, damage }: { summary: RunSummary | null; damage: string | null },
  driven: boolean,
): RunStanding {
  if (summary === null || damage !== null) return 'damaged';
  if (summary.ended) return summary.ended.status;
  if (driven) return 'running';
  return summary.open === 'held' || summary.open === 'paused' ? summary.open : 'cut-short';
}

/** Whether the living owner of a workspace drives this run, itself or as an item of a plan. Changes nothing. */
export function isDrivenNow(home: WorkspaceHome, runId: string): boolean {
  const owner = ownerOf(home);
  if (owner === null) return false;
  // A plan has the workspace under its own name, and its items have worktrees beside it.
  return owner.runId === runId || isBeating(openRunStore(home.runs), runId);
}
