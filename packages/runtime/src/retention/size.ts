import { lstatSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** A look at sizes goes so far and no further. */
const mostEntries = 500_000;

/** The bytes that a file or folder takes on the disk; of an enormous one those that were seen. */
export function bytesOf(path: string, most = mostEntries): number {
  let bytes = 0;
  let seen = 0;
  const paths = [path];
  for (let one = paths.pop(); one !== undefined && seen < most; one = paths.pop()) {
    const stat = statOf(one);
    if (!stat) continue;
    seen += 1;
    bytes += stat.blocks * 512;
    if (stat.isDirectory()) for (const name of namesIn(one)) paths.push(join(one, name));
  }
  return bytes;
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Below something that is no folder, or not ours to read.
    return undefined;
  }
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch {
    // Gone meanwhile, or not ours to read.
    return [];
  }
}
