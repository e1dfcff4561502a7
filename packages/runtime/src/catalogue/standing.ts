import type { RunSummary, Status } from '@agentgate/core';
import { isOwned } from '../driver/owner.ts';
import type { WorkspaceHome } from '../store/index.ts';

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

/** Whether the living owner of a workspace, or of an item beside it, drives this run. Asks nobody and changes nothing. */
export const isDrivenNow = (home: WorkspaceHome, runId: string): boolean => isOwned(home, runId);
