import { FaultError, fault, grantableFiles } from '@agentgate/core';
import { isHeld } from './held.ts';
import { refuseLinked } from './linked.ts';
import type { StoredRun } from './open.ts';

interface Grant {
  files: { path: string; oid: string | null }[];
  by: string;
  note?: string;
}

/**
 * The grant of the files that a run has changed and that stand in its way, all or some of them. `alive`: whoever drives
 * the run hears it. Refused for a run that ended for another reason.
 */
export async function findGrant(
  run: StoredRun,
  named: readonly string[] | undefined,
  { by, note }: { by: string; note?: string | undefined },
): Promise<{ grant: Grant; alive: boolean }> {
  refuseLinked(run);
  const { home, store, runId, state } = run;
  const judged = state.current?.integrity ? state.current : state.lastClosed;
  const files = chosen(judged ? grantableFiles(judged) : [], named, runId);
  const grant = { files, by, ...(note === undefined ? {} : { note }) };
  if (await isHeld(home, store, runId)) return { grant, alive: true };
  if (state.ended && state.ended.code !== 'integrity.needs-grant') {
    const why = `run ${runId} ended as ${state.ended.status} (${state.ended.code}), not for want of a grant`;
    throw new FaultError(fault('usage', `${why}; agentgate explain ${runId} says what it lacked`));
  }
  return { grant, alive: false };
}

type Granted = Grant['files'][number];

function chosen(changed: Granted[], named: readonly string[] | undefined, runId: string): Granted[] {
  if (changed.length === 0)
    throw new FaultError(fault('usage', `run ${runId} has changed nothing that needs a grant`));
  if (named === undefined || named.length === 0) return changed;
  const unknown = named.find((path) => !changed.some((one) => one.path === path));
  if (unknown === undefined) return changed.filter((one) => named.includes(one.path));
  const all = changed.map((one) => one.path).join(', ');
  throw new FaultError(fault('usage', `run ${runId} did not change ${unknown}; it changed ${all}`));
}
