import { createHash } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { gateEnvironment, supervise } from '../process/index.ts';
import { runGit, safeEnv } from '../workspace/git.ts';
import { dependencyKind, isLockFile } from './dependency-folders.ts';
import type { Room } from './room.ts';

/** How dependencies are installed from the lock files of a tree. */
export interface Prepare {
  run: string | readonly string[];
  timeoutMs: number;
  marker: string;
  signal?: AbortSignal;
}

/** Names the layer that a command makes of the lock files of a tree. */
export async function preparedName(gitDir: string, tree: string, { run }: Prepare): Promise<string> {
  const locks = await locksOf(gitDir, tree);
  return createHash('sha256').update(JSON.stringify(run)).update(`\n${locks}`).digest('hex').slice(0, 24);
}

/** Runs the command with network in an open room. What it cannot do says nothing about the work. */
export async function runPrepare(room: Room, root: string, prepare: Prepare): Promise<void> {
  const words = typeof prepare.run === 'string' ? ['/bin/sh', '-c', prepare.run] : prepare.run;
  const ran = await supervise({
    argv: room.argv(words, 'network'),
    cwd: root,
    env: gateEnvironment(process.env),
    marker: prepare.marker,
    timeoutMs: prepare.timeoutMs,
    ...(prepare.signal === undefined ? {} : { signal: prepare.signal }),
  });
  if (ran.end.kind === 'exited' && ran.end.code === 0) return;
  const how =
    ran.end.kind === 'exited'
      ? `ended with ${ran.end.code}`
      : ran.end.kind === 'timed-out'
        ? 'took too long'
        : 'could not run';
  const said = ran.output.trim().split('\n').slice(-3).join(' / ').slice(0, 400);
  const text = typeof prepare.run === 'string' ? prepare.run : prepare.run.join(' ');
  throw new FaultError(
    fault(
      'room.prepare',
      `the lock files changed and \`${text}\` ${how}: ${said}; run it yourself, or correct prepare`,
    ),
  );
}

/** Takes the dependency folders out of what was written and makes them a layer; the rest is thrown away. */
export function keepPrepared(upper: string, tree: string, layer: string): void {
  const making = `${layer}.new`;
  rmSync(making, { recursive: true, force: true });
  makeFolder(making);
  for (const path of dependenciesIn(upper, tree, '')) {
    makeFolder(dirname(join(making, path)));
    renameSync(join(upper, path), join(making, path));
  }
  renameSync(making, layer);
}

function dependenciesIn(upper: string, tree: string, dir: string): string[] {
  return readdirSync(join(upper, dir), { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    // The manifest that tells a dependency folder from another one lies in the tree.
    if (dependencyKind(tree, path) !== null || existsSync(join(upper, path, 'pyvenv.cfg'))) return [path];
    return entry.isDirectory() && entry.name !== '.git' ? dependenciesIn(upper, tree, path) : [];
  });
}

async function locksOf(gitDir: string, tree: string): Promise<string> {
  const args = ['ls-tree', '-r', '-z', '--full-tree', tree];
  const listing = await runGit({ args, cwd: gitDir, env: safeEnv(gitDir) });
  return listing
    .toString('latin1')
    .split('\0')
    .filter((row) => isLockFile(row.slice(row.indexOf('\t') + 1)))
    .join('\n');
}
