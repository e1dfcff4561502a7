import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { StrategySpec } from '@agentgate/core';
import { openRunStore, unfinishedPath, type WorkspaceHome } from '@agentgate/runtime';
import type { Context } from './context.ts';
import { showStrategy } from './strategy-names.ts';

/**
 * Has a process of its own learn from the run that is over, where its strategy learns. It belongs to nobody: the run
 * has ended, whatever becomes of it.
 */
export function refitAfter(
  { env, terminal }: Context,
  home: WorkspaceHome,
  strategy: StrategySpec | undefined,
): void {
  const command = process.argv[1];
  if (strategy?.kind !== 'adaptive' || command === undefined) return;
  if (existsSync(unfinishedPath(home)))
    terminal.err(
      'agentgate: learning from the runs here took more than a minute the last time and was ended; agentgate lab fit takes the time it needs',
    );
  const words = ['lab', 'fit', '--background', '--strategy', showStrategy(strategy), '-C', home.root];
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

/** The same for a session with a plan, whose items all work under one spec. */
export async function refitAfterPlan(context: Context, home: WorkspaceHome): Promise<void> {
  const store = openRunStore(home.runs);
  const [newest] = store.list();
  const events = newest === undefined ? [] : await store.read(newest).catch(() => []);
  const [started] = events;
  if (started?.kind === 'run.started') refitAfter(context, home, started.spec.strategy);
}
