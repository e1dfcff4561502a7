import { FaultError, fault } from '@agentgate/core';
import { runGit, safeEnv } from '../workspace/git.ts';
import { checkedTree } from '../workspace/compare.ts';
import { toText } from '../workspace/path.ts';
import { openReader } from '../workspace/reader.ts';
import type { TreeFile, TreeReader } from './checked.ts';

export interface OpenTreeReader extends TreeReader {
  close(): void;
}

/** Reads captured trees from our own git directory. Runs nothing of the workspace's. */
export function openTreeReader(gitDir: string): OpenTreeReader {
  const reader = openReader(gitDir);
  // The baseline is asked for again with every tree that is judged.
  const known = new Map<string, Promise<TreeFile[]>>();
  const listOnce = (tree: string): Promise<TreeFile[]> => {
    const listing = known.get(tree) ?? readListing(gitDir, tree);
    known.delete(tree);
    known.set(tree, listing);
    for (const old of [...known.keys()].slice(0, -mostKnown)) known.delete(old);
    listing.catch(() => known.delete(tree)); // Whoever asked for it gets the error.
    return listing;
  };
  return {
    list: listOnce,
    async read(oid) {
      const stored = await reader.read(oid);
      if (stored?.kind !== 'blob') throw new FaultError(fault('git.failed', `the store has no file ${oid}`));
      return stored.body;
    },
    close: () => reader.close(),
  };
}

const mostKnown = 2;

async function readListing(gitDir: string, tree: string): Promise<TreeFile[]> {
  const args = ['ls-tree', '-r', '-l', '-z', '--full-tree', checkedTree(tree)];
  return parseListing(await runGit({ args, cwd: gitDir, env: safeEnv(gitDir) }));
}

/** Lines of `100644 blob <id> <size>`, a tab, and the path. */
function parseListing(listing: Buffer): TreeFile[] {
  const files: TreeFile[] = [];
  for (const line of listing.toString('latin1').split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const at = line.indexOf(' ', 7) + 1;
    const size = Number(line.slice(at + 40, tab));
    const [mode, oid] = [line.slice(0, 6), line.slice(at, at + 40)];
    files.push({ path: toText(line.slice(tab + 1)), mode, oid, size: Number.isNaN(size) ? 0 : size });
  }
  return files;
}
