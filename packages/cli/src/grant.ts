import { FaultError, fault, grantableFiles } from '@agentgate/core';
import { resumeRun } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { driveRun } from './drive-run.ts';
import { exitCode } from './exit-code.ts';
import { refuseInside } from './inside.ts';
import { isHeld, openRun } from './wire.ts';

export interface GrantFlags extends CommonFlags {
  file?: readonly string[];
  note?: string;
  quiet?: boolean;
}

/**
 * Allows the files that a run has changed, and that stand in its way, to be as they are now, and has the gates judged again without
 * the agent. A run that is at work hears of it and goes on.
 */
export async function grantFiles(
  context: Context,
  flags: GrantFlags,
  name: string | undefined,
  by: string,
): Promise<number> {
  const { home, store, runId, state } = await openRun(context, flags, name);
  refuseInside(context, home, 'changes are granted');
  const judged = state.current?.integrity ? state.current : state.lastClosed;
  const files = chosen(judged ? grantableFiles(judged) : [], flags.file, runId);
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
  return driveRun(context, flags, home, (door) =>
    resumeRun({ home, version: context.version, ...door }, runId, {}, { grant }),
  );
}

type Granted = ReturnType<typeof grantableFiles>[number];

function chosen(changed: Granted[], named: readonly string[] | undefined, runId: string): Granted[] {
  if (changed.length === 0)
    throw new FaultError(fault('usage', `run ${runId} has changed nothing that needs a grant`));
  if (named === undefined || named.length === 0) return changed;
  const unknown = named.find((path) => !changed.some((one) => one.path === path));
  if (unknown === undefined) return changed.filter((one) => named.includes(one.path));
  const all = changed.map((one) => one.path).join(', ');
  throw new FaultError(fault('usage', `run ${runId} did not change ${unknown}; it changed ${all}`));
}
