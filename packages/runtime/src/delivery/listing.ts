import { QUIET, runGit, safeEnv } from '../workspace/git.ts';

/** What a tree has at each path: mode and id. A link to another repository has the mode 160000. */
export type Listing = ReadonlyMap<string, Entry>;

export interface Entry {
  mode: string;
  oid: string;
}

/** Reads a whole tree or commit of a git directory. */
export async function readListing(gitDir: string, name: string | null): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  if (name === null) return found;
  const args = [...QUIET, 'ls-tree', '-r', '-z', '--full-tree', name];
  const listing = await runGit({ args, cwd: gitDir, env: safeEnv(gitDir) });
  for (const row of listing.toString('latin1').split('\0')) {
    const tab = row.indexOf('\t');
    if (tab < 0) continue;
    const [mode, , oid] = row.slice(0, tab).split(' ') as [string, string, string];
    found.set(row.slice(tab + 1), { mode, oid });
  }
  return found;
}

export const isSame = (a: Entry | undefined, b: Entry | null): boolean =>
  a?.mode === b?.mode && a?.oid === b?.oid;
