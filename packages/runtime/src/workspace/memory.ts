import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError } from '@agentgate/core';
import type { Bounds } from './bounds.ts';
import { runGit, safeEnv } from './git.ts';
import { readLast } from './git-dir.ts';
import { type Fact, foldIndex } from './index-file.ts';
import { join as joinPath } from './path.ts';
import { isSettledForGit, type Stamp } from './stamp.ts';
import { type Dir, findFile, makeDir, markChanged, parseTree, setFile } from './tree.ts';

/** What we know about the workspace since the snapshot before. */
export interface Memory {
  /** The snapshot before; null before the first. */
  last: string | null;
  tree: Dir;
  /**
   * Paths for which the index does not speak, with what we saw of them. Every other captured path is in the
   * index with its content, so that a change to it is reported by `git diff-files`.
   */
  fresh: Map<string, Stamp | null>;
}

/** Reads the snapshot before, also one of another process that was killed at any moment. */
export async function readMemory(gitDir: string, bounds: Bounds): Promise<Memory> {
  const last = readLast(gitDir);
  const found = last === null ? null : await readTree(gitDir, last);
  if (last === null || found === null) {
    rmSync(indexPath(gitDir), { force: true });
    return { last: null, tree: makeDir(null), fresh: new Map() };
  }
  const { listing, unlike } = found;
  const tree = parseTree(last, listing);
  dropBeyond(tree, '', bounds);
  return { last, tree, fresh: new Map(unlike.map((path) => [path, null])) };
}

/** Hands over to the index what it can be trusted with, when that is more than `atLeast`. */
export function foldMemory(gitDir: string, memory: Memory, atLeast: number): void {
  if (memory.fresh.size <= atLeast) return;
  const facts = new Map<string, Fact | null>();
  let settled = 0;
  for (const [path, stamp] of memory.fresh) {
    const file = findFile(memory.tree, path);
    const fact = file !== null && stamp !== null && isSettledForGit(stamp) ? { file, stamp } : null;
    if (fact !== null || file === null) settled++;
    facts.set(path, fact);
  }
  if (settled <= atLeast) return;
  foldIndex(indexPath(gitDir), facts);
  for (const [path, fact] of facts) {
    if (fact !== null || findFile(memory.tree, path) === null) memory.fresh.delete(path);
  }
}

export function indexPath(gitDir: string): string {
  return join(gitDir, 'index');
}

/** Null for a tree that a power cut took: then nothing is remembered, and every file is captured anew. */
async function readTree(gitDir: string, tree: string): Promise<{ listing: Buffer; unlike: string[] } | null> {
  const args = ['ls-tree', '-r', '-t', '-z', '--full-tree', tree];
  const [listing, unlike] = await Promise.all([
    unlessFailed(runGit({ args, cwd: gitDir, env: safeEnv(gitDir) })),
    unlessFailed(readUnlikeIndex(gitDir, tree)),
  ]);
  return listing === null || unlike === null ? null : { listing, unlike };
}

const unlessFailed = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (!(error instanceof FaultError) || error.fault.code !== 'git.failed') throw error;
    return null;
  });

async function readUnlikeIndex(gitDir: string, tree: string): Promise<string[]> {
  const args = ['diff-index', '--cached', '--name-only', '--no-renames', '-z', tree];
  const call = { args, cwd: gitDir, env: safeEnv(gitDir) };
  const listing = await runGit(call).catch((error: unknown) => {
    // A damaged index is only a lost cache: without it every file is read once more.
    if (!(error instanceof FaultError) || error.fault.code !== 'git.failed') throw error;
    rmSync(indexPath(gitDir), { force: true });
    return runGit(call);
  });
  return listing.toString('latin1').split('\0').slice(0, -1);
}

/** What the spec now excludes is out of the tree, whoever captured it before. */
function dropBeyond(dir: Dir, path: string, bounds: Bounds): void {
  for (const name of dir.files.keys()) {
    if (bounds.isBeyond(joinPath(path, name))) setFile(dir, name, null);
  }
  for (const [name, sub] of dir.dirs) {
    const at = joinPath(path, name);
    if (!bounds.isBeyond(at)) dropBeyond(sub, at, bounds);
    else if (dir.dirs.delete(name)) markChanged(dir);
  }
}
