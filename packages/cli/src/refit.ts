import { spawn } from 'node:child_process';
import type { RunState } from '@agentgate/core';
import type { WorkspaceHome } from '@agentgate/runtime';
import type { Context } from './context.ts';
import { showStrategy } from './strategy-names.ts';

/**
 * Has a process of its own learn from the run that is over, where its strategy learns. It belongs to nobody: the run
 * has ended, whatever becomes of it.
 */
export function refitAfter({ env }: Context, home: WorkspaceHome, { spec }: RunState): void {
  const command = process.argv[1];
  if (spec?.strategy.kind !== 'adaptive' || command === undefined) return;
  const words = ['lab', 'fit', '--background', '--strategy', showStrategy(spec.strategy), '-C', home.root];
  try {
    const child = spawn(process.execPath, [command, ...words], {
      cwd: '/',
      detached: true,
      stdio: 'ignore',
      env,
    });
    child.on('error', () => undefined);
    child.unref();
  } catch {
    // A machine without room for one more process learns after the next run.
  }
}
