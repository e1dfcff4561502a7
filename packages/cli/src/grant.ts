import { FaultError, fault, type ProtectedChange, type RunState } from '@agentgate/core';
import { resumeRun } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { driveRun } from './drive-run.ts';
import { exitCode } from './exit-code.ts';
import { isHeld, openRun } from './wire.ts';

export interface GrantFlags extends CommonFlags {
  file?: readonly string[];
  note?: string;
  quiet?: boolean;
}

/**
 * Allows the protected files that a run has changed to be as they are now, and has the gates judged again without
 * the agent. A run that is at work hears of it and goes on.
 */
export async function grantFiles(
  context: Context,
  flags: GrantFlags,
  name: string | undefined,
  by: string,
): Promise<number> {
  const { home, store, runId, state } = await openRun(context, flags, name);
  const files = chosen(changedIn(state), flags.file, runId).map(({ path, oid }) => ({ path, oid }));
  const grant = { files, by, ...(flags.note === undefined ? {} : { note: flags.note }) };
  if (await isHeld(home, store, runId)) {
    store.request(runId, { kind: 'grant', ...grant });
    if (flags.json) context.terminal.out(JSON.stringify({ kind: 'granted', runId, ...grant }));
    else context.terminal.out(`Granted to run ${runId}: ${files.map((one) => one.path).join(', ')}.`);
    return exitCode.ok;
  }
  if (state.ended && state.ended.code !== 'integrity.needs-grant') {
    const why = `run ${runId} ended as ${state.ended.status} (${state.ended.code}), not for want of a grant`;
    throw new FaultError(fault('usage', `${why}; agentgate explain ${runId} says what it lacked`));
  }
  return driveRun(context, flags, (door) =>
    resumeRun({ home, version: context.version, ...door }, runId, {}, { grant }),
  );
}

const changedIn = ({ current, lastClosed }: RunState): readonly ProtectedChange[] =>
  (current?.integrity ?? lastClosed?.integrity)?.changed ?? [];

function chosen(
  changed: readonly ProtectedChange[],
  named: readonly string[] | undefined,
  runId: string,
): readonly ProtectedChange[] {
  if (changed.length === 0)
    throw new FaultError(
      fault('usage', `run ${runId} has changed no protected file; there is nothing to grant`),
    );
  if (named === undefined || named.length === 0) return changed;
  const unknown = named.find((path) => !changed.some((one) => one.path === path));
  if (unknown === undefined) return changed.filter((one) => named.includes(one.path));
  const all = changed.map((one) => one.path).join(', ');
  throw new FaultError(fault('usage', `run ${runId} did not change ${unknown}; it changed ${all}`));
}
