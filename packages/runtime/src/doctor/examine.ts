import { lookAtAgents } from './agents.ts';
import { lookAtGit } from './git.ts';
import { lookAtIsolation } from './isolation.ts';
import { lookAtLock } from './lock.ts';
import { lookAtNode } from './node.ts';
import type { Remark } from './remark.ts';
import { lookAtSize } from './size.ts';
import { lookAtSpec } from './spec.ts';
import { lookAtState } from './state.ts';
import { lookAtWorkspace } from './workspace.ts';

/** Everything that was looked at, and whether a run could start. */
export interface Diagnosis {
  able: boolean;
  remarks: Remark[];
}

/**
 * Looks at this machine and this project. Changes neither, and runs nothing that belongs to the project but a spec
 * that is written as code.
 */
export async function examine(root: string, env: NodeJS.ProcessEnv, config?: string): Promise<Diagnosis> {
  const state = lookAtState(env);
  const remarks = (
    await Promise.all([
      lookAtNode(),
      lookAtGit(root, env),
      state,
      lookAtSize(env),
      // A lock is tried where the state lies.
      ...(state.mark === 'bad' ? [] : [lookAtLock(root, env)]),
      lookAtWorkspace(root),
      lookAtIsolation(env),
      lookAtSpec(root, config),
      lookAtAgents(env),
    ])
  ).flat();
  return { able: remarks.every(({ mark }) => mark !== 'bad'), remarks };
}
