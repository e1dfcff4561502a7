import { invariant } from '@agentgate/core';
import type { Workspace } from '@agentgate/core';
import { runGit, safeEnv } from './git.ts';
import { toText } from './path.ts';
import type { Reader } from './reader.ts';
import { readChanges } from './since.ts';
import { statusOf } from './snapshot.ts';

export interface DiffOptions {
  /** Only how much changed in which file. */
  stat?: boolean;
  color?: boolean;
  paths?: readonly string[];
  /** The beginning of a patch that is longer. */
  mostBytes?: number;
}

/** The patch between two trees, for people. Runs no program of the user's. */
export async function readDiff(
  gitDir: string,
  from: string,
  to: string,
  options: DiffOptions,
): Promise<string> {
  const args = [
    '--literal-pathspecs',
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    options.color ? '--color=always' : '--color=never',
    ...(options.stat ? ['--stat'] : []),
    checkedTree(from),
    checkedTree(to),
    '--',
    ...(options.paths ?? []),
  ];
  const bound = options.mostBytes === undefined ? {} : { mostBytes: options.mostBytes };
  return (await runGit({ args, cwd: gitDir, env: safeEnv(gitDir), ...bound })).toString('utf8');
}

type ChangedPaths = Awaited<ReturnType<Workspace['changedPaths']>>;

export async function readChangedPaths(gitDir: string, from: string, to: string): Promise<ChangedPaths> {
  const changes = await readChanges(gitDir, checkedTree(from), checkedTree(to));
  return changes.map((change) => ({ path: toText(change.path), status: statusOf(change) }));
}

/** A file of a tree, a link as its target; null when the tree has no such file. */
export async function readTreeFile(
  gitDir: string,
  reader: Reader,
  tree: string,
  path: string,
): Promise<Buffer | null> {
  const args = ['ls-tree', '-z', '--full-tree', checkedTree(tree), '--', path];
  const listing = await runGit({ args, cwd: gitDir, env: safeEnv(gitDir) });
  const oid = /^\d+ blob ([0-9a-f]+)\t/.exec(listing.toString('latin1'))?.[1];
  return oid === undefined || path.endsWith('/') ? null : ((await reader.read(oid))?.body ?? null);
}

export async function hasTree(reader: Reader, tree: string): Promise<boolean> {
  return isTreeId(tree) && (await reader.read(tree))?.kind === 'tree';
}

/** A tree id goes into a command line, so it must not be anything else. */
export function checkedTree(tree: string): string {
  invariant(isTreeId(tree), `a tree is named by its id, and ${tree} is none`);
  return tree;
}

function isTreeId(tree: string): boolean {
  return /^[0-9a-f]{40}$/.test(tree);
}
