import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ancestorsOf, type Ancestor, holdsLock, readLivingHolder } from '../process/index.ts';
import type { WorkspaceHome } from '../store/index.ts';
import { itemLocks } from './owner.ts';

/**
 * The run of this workspace for which a process works, as an agent or as a gate; null for a person's. It goes by the
 * process and those above it: what these carry, and the lock that every process of a run shares. Where the system does
 * not tell of processes its own environment alone speaks. A notice's command is a person's own.
 */
export function runAround(home: WorkspaceHome, env: NodeJS.ProcessEnv = process.env): string | null {
  const locks = [home.lock, ...itemLocks(home)].filter((lock) => existsSync(lock));
  const holders = locks.map((lock) => ({ lock, holder: readLivingHolder(lock) }));
  const own: Ancestor = { pid: process.pid, env };
  for (const { pid, env: around } of [own, ...ancestorsOf(process.pid)]) {
    const named = runIn(home, around) ?? checkIn(holders, around);
    if (named !== null) return named;
    for (const { lock, holder } of holders)
      if (holder?.pid !== pid && holdsLock(pid, lock)) return holder?.runId ?? 'of this workspace';
  }
  return null;
}

/** A run of another workspace does not concern this one. */
function runIn(home: WorkspaceHome, env: NodeJS.ProcessEnv): string | null {
  const marked = /^agentgate-([\w-]+)/.exec(env['AGENTGATE_PROCESS'] ?? '')?.[1];
  const told = env['AGENTGATE_OUTCOME_FILE'] === undefined ? undefined : env['AGENTGATE_RUN_ID'];
  return [marked, told].find((one) => one !== undefined && existsSync(join(home.runs, one))) ?? null;
}

/** Gates that the owner of the workspace judges without a run. */
function checkIn(
  holders: readonly { holder: { pid: number; runId: string } | null }[],
  env: NodeJS.ProcessEnv,
): string | null {
  const pid = /^agentgate-check-(\d+)/.exec(env['AGENTGATE_PROCESS'] ?? '')?.[1];
  return holders.find(({ holder }) => String(holder?.pid) === pid)?.holder?.runId ?? null;
}
