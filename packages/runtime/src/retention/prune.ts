import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { guardedState, removedMark, type WorkspaceHome } from '../store/index.ts';
import { dropRunRefs, dropUnreferenced, runsWithRefs } from '../workspace/tidy.ts';
import type { PrunePlan } from './plan.ts';
import { dropPlans } from './plans.ts';
import { bytesOf } from './size.ts';
import { reserveOf, roomOf } from './survey.ts';

/** What has gone, and what that freed. */
export interface Pruned {
  runIds: string[];
  planIds: string[];
  bytes: number;
}

/**
 * Removes what was planned, and what an earlier prune that was cut short left. Only the owner of the workspace may.
 * A run is gone for every reader at once; a crash at any moment leaves nothing but work for the next prune.
 */
export async function prune(home: WorkspaceHome, { runIds, planIds, room }: PrunePlan): Promise<Pruned> {
  // What is set aside is set aside again by the next run: nobody has more room for it.
  const before = bytesOf(home.dir) - bytesOf(reserveOf(home));
  await guardedState(home.dir, async () => {
    // The mark stays until git has let go of everything, so that a crash in between is known.
    writeFileSync(unfinished(home), '');
    for (const runId of runIds) renameSync(join(home.runs, runId), removed(home, runId));
    sweepFolders(home);
    for (const runId of runsWithRefs(home.gitDir))
      if (!existsSync(join(home.runs, runId))) dropRunRefs(home.gitDir, runId);
    dropPlans(home, planIds);
    // Set aside anew by the next run.
    rmSync(reserveOf(home), { force: true });
    if (room) rmSync(roomOf(home), { recursive: true, force: true });
    await tidyGit(home);
    rmSync(unfinished(home), { force: true });
  });
  return { runIds, planIds, bytes: Math.max(0, before - bytesOf(home.dir)) };
}

/** Whether an earlier prune was cut short, or left folders behind. */
export const isUnfinished = (home: WorkspaceHome): boolean =>
  existsSync(unfinished(home)) || leftFolders(home).length > 0;

const unfinished = ({ dir }: WorkspaceHome): string => join(dir, 'pruning');

const removed = ({ runs }: WorkspaceHome, runId: string): string => join(runs, `${removedMark}${runId}`);

const leftFolders = ({ runs }: WorkspaceHome): string[] =>
  existsSync(runs) ? readdirSync(runs).filter((name) => name.startsWith(removedMark)) : [];

function sweepFolders(home: WorkspaceHome): void {
  for (const name of leftFolders(home)) rmSync(join(home.runs, name), { recursive: true, force: true });
}

async function tidyGit({ gitDir, dir }: WorkspaceHome): Promise<void> {
  if (!existsSync(gitDir)) return;
  try {
    await dropUnreferenced(gitDir);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const what = `the runs are gone, but git could not drop their snapshots from ${gitDir}`;
    throw new FaultError(fault('prune.unable', `${what}: ${error.fault.message}`, error));
  }
  // What the kept checkout of the gates remembers may name what is gone; it is made anew.
  rmSync(join(dir, 'room', 'index'), { force: true });
}
