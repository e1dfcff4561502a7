import { FaultError, fault } from '@agentgate/core';
import { runAround, type WorkspaceHome } from '@agentgate/runtime';
import type { Context } from './context.ts';

/** Agents and gates of a workspace do not decide what persons decide there. */
export function refuseInside({ env }: Context, home: WorkspaceHome, what: string): void {
  const runId = runAround(home, env);
  if (runId === null) return;
  throw new FaultError(
    fault(
      'usage',
      `${what} by persons, and this was said from inside of run ${runId}; say it in another terminal`,
    ),
  );
}
