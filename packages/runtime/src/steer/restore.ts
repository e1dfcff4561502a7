import type { RunState } from '@agentgate/core';
import { ownWorkspace } from '../driver/owner.ts';
import { openRunWorkspace } from '../driver/session.ts';
import type { Holder } from '../process/index.ts';
import type { WorkspaceHome } from '../store/index.ts';

export interface Restored {
  kind: 'restored';
  tree: string;
  /** The tree that lay there before; it is kept. */
  before: string;
  written: number;
  deleted: number;
}

/** Brings a tree back into the workspace, which nobody else may work in. What is there is kept first. */
export async function restoreTree(
  home: WorkspaceHome,
  { runId, spec }: RunState,
  tree: string,
): Promise<Restored | { kind: 'busy'; holder: Holder | null }> {
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'busy') return lock;
  try {
    const workspace = await openRunWorkspace(home, spec!);
    try {
      const { safety, written, deleted } = await workspace.restore(tree, `restore/${Date.now()}`);
      return { kind: 'restored', tree, before: safety, written, deleted };
    } finally {
      await workspace.close();
    }
  } finally {
    lock.release();
  }
}
