import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import picomatch from 'picomatch';

const skippedFolders = ['.git', 'node_modules'];

/** Whether a path holds wildcards. */
export function isGlob(path: string): boolean {
  return picomatch.scan(path).isGlob;
}

/** The folder above the first wildcard. */
export function folderOf(glob: string): string {
  return picomatch.scan(glob).base;
}

/**
 * The files and folders under the root that a glob matches, as they are met. Links are entries, never followed;
 * `.git` and `node_modules` are entered only when the glob names them.
 */
export async function* findMatches(root: string, glob: string): AsyncGenerator<string> {
  const matches = picomatch(glob, { dot: true });
  const skipped = skippedFolders.filter((name) => !glob.split('/').includes(name));
  for await (const path of walk(root, folderOf(glob), skipped)) {
    if (matches(path)) yield path;
  }
}

async function* walk(root: string, folder: string, skipped: readonly string[]): AsyncGenerator<string> {
  const entries = await opendir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
    // The glob's folder may be absent, and a folder may go while we walk.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  for await (const entry of entries) {
    if (skipped.includes(entry.name)) continue;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    yield path;
    if (entry.isDirectory()) yield* walk(root, path, skipped);
  }
}
