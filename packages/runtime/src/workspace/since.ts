import type { Change } from './capture.ts';
import { runGit, safeEnv } from './git.ts';
import { type Dir, type File, findFile, type Mode } from './tree.ts';

/** How the tree in memory differs from the first one of the run, kept up with every capture. */
export interface Since {
  readonly base: string;
  /** The paths that differ, with what the base has there. */
  readonly paths: Map<string, File | null>;
}

/** Reads which paths differ between two stored trees. */
export async function readChanges(gitDir: string, from: string, to: string): Promise<Change[]> {
  if (from === to) return [];
  const args = ['diff-tree', '-r', '-z', '--no-renames', from, to];
  return parseChanges(await runGit({ args, cwd: gitDir, env: safeEnv(gitDir) }));
}

/** Reads the raw answer of git's plumbing commands that compare. */
export function parseChanges(listing: Buffer): Change[] {
  const fields = listing.toString('latin1').split('\0');
  const changes: Change[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [fromMode, toMode, fromOid, toOid] = (fields[at] as string).slice(1).split(' ') as [
      Mode,
      Mode,
      string,
      string,
    ];
    const path = fields[at + 1] as string;
    changes.push({ path, before: makeFile(fromMode, fromOid), after: makeFile(toMode, toOid) });
  }
  return changes;
}

export function makeSince(base: string, changes: readonly Change[]): Since {
  return { base, paths: new Map(changes.map(({ path, before }) => [path, before])) };
}

/** Takes the changes of one more capture in. */
export function addChanges(since: Since, changes: readonly Change[]): void {
  for (const { path, before, after } of changes) {
    const base = since.paths.has(path) ? (since.paths.get(path) ?? null) : before;
    if (base?.oid === after?.oid && base?.mode === after?.mode) since.paths.delete(path);
    else since.paths.set(path, base);
  }
}

export function listSince(since: Since, tree: Dir): Change[] {
  return [...since.paths].map(([path, before]) => ({ path, before, after: findFile(tree, path) }));
}

function makeFile(mode: Mode, oid: string): File | null {
  return /^0+$/.test(mode) ? null : { mode, oid };
}
