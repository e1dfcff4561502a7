import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../find-program.ts';
import { takeLock } from '../process/index.ts';
import { readLivingHolder } from '../process/lock-holder.ts';
import { findHome, stateRoot } from '../store/index.ts';
import type { Remark } from './remark.ts';

/** Whether a lock keeps a second run out here, and whether one holds this workspace now. */
export async function lookAtLock(root: string, env: NodeJS.ProcessEnv): Promise<Remark> {
  const holder = readLivingHolder(findHome(root, env).lock);
  if (holder !== null) {
    const { runId, pid, since } = holder;
    return {
      about: 'lock',
      mark: 'bad',
      what: `this workspace is held by run ${runId} (process ${pid}, since ${since})`,
      next: 'wait for it, or end it with agentgate stop',
      facts: { runId, pid, since },
    };
  }
  const trouble = await tryLock(env);
  if (trouble !== null) {
    return {
      about: 'lock',
      mark: 'bad',
      what: trouble,
      next: 'set AGENTGATE_STATE_DIR to a directory on a local disk',
    };
  }
  const locker = ['flock', 'perl'].find((program) => findProgram(program, '/', env) !== null) ?? null;
  if (locker === null) {
    return {
      about: 'lock',
      mark: 'lacking',
      what: 'neither flock nor perl is here, so a file that names its owner has to do',
      next: 'install flock (util-linux)',
      facts: { locker },
    };
  }
  return { about: 'lock', mark: 'good', what: `works, by ${locker}`, facts: { locker } };
}

/** Takes a lock of its own twice, on the disk where the real one lies: the second must be refused. */
async function tryLock(env: NodeJS.ProcessEnv): Promise<string | null> {
  const state = stateRoot(env);
  const holder = { pid: process.pid, runId: 'doctor', since: new Date().toISOString() };
  let dir: string | null = null;
  try {
    dir = mkdtempSync(join(existsSync(state) ? state : tmpdir(), '.doctor-'));
    const first = await takeLock(join(dir, 'lock'), holder);
    if (first.kind === 'busy') return 'a new lock is busy at once';
    const second = await takeLock(join(dir, 'lock'), holder);
    first.release();
    if (second.kind === 'busy') return null;
    second.release();
    return 'a lock that is held can be taken a second time';
  } catch (error) {
    return `no lock can be taken: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    if (dir !== null) rmSync(dir, { recursive: true, force: true });
  }
}
