import type { RunState } from '@agentgate/core';
import { openRunWorkspace } from '../driver/session.ts';
import type { WorkspaceHome } from '../store/index.ts';

/** What changed between two trees of a run. */
export async function diffTrees(
  home: WorkspaceHome,
  { spec }: RunState,
  { from, to }: { from: string; to: string },
  how: { stat: boolean; color: boolean },
): Promise<string> {
  const workspace = await openRunWorkspace(home, spec!);
  try {
    return await workspace.diff(from, to, how);
  } finally {
    await workspace.close();
  }
}
