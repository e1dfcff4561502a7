import { findGrant, resumeRun } from '@agentgate/runtime';
import type { CommonFlags, Context } from './context.ts';
import { driveRun } from './drive-run.ts';
import { exitCode } from './exit-code.ts';
import { refuseInside } from './inside.ts';
import { openRun } from './wire.ts';

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
  const opened = await openRun(context, flags, name);
  const { home, store, runId } = opened;
  refuseInside(context, home, 'changes are granted');
  const { grant, alive } = await findGrant(opened, flags.file, { by, note: flags.note });
  if (alive) {
    store.request(runId, { kind: 'grant', ...grant });
    if (flags.json) context.terminal.out(JSON.stringify({ kind: 'granted', runId, ...grant }));
    else context.terminal.out(`Granted to run ${runId}: ${grant.files.map((one) => one.path).join(', ')}.`);
    return exitCode.ok;
  }
  return driveRun(context, flags, home, (door) =>
    resumeRun({ home, version: context.version, ...door }, runId, {}, { grant }),
  );
}
