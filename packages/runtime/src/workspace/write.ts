import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { ancestors, join, onDisk } from './path.ts';
import type { Mode } from './tree.ts';

/** Puts a file or a link in place of what is there. With a null body only the executable bit is set. */
export function writeFile(path: string, mode: Mode, body: Buffer | null): void {
  const before = lstatSync(onDisk(path), { throwIfNoEntry: false });
  if (body === null) return chmodSync(onDisk(path), withMode(before?.mode ?? 0o666, mode));
  if (before?.isDirectory()) removeHollow(path);
  else if (before !== undefined) unlinkSync(onDisk(path));
  else mkdirSync(onDisk(path.slice(0, path.lastIndexOf('/'))), { recursive: true });
  if (mode === '120000') return symlinkSync(body, onDisk(path));
  writeFileSync(onDisk(path), body, { flag: 'wx', mode: mode === '100755' ? 0o777 : 0o666 });
  // Who could read the old file may read the new one, and nobody else.
  if (before?.isFile()) chmodSync(onDisk(path), withMode(before.mode, mode));
}

export function removeFile(path: string): void {
  rmSync(onDisk(path), { force: true });
}

/** Removes the directories that the deletions left empty, unless they are needed again. */
export function removeEmptyDirs(root: string, deleted: readonly string[], needed: ReadonlySet<string>): void {
  const dirs = new Set(deleted.flatMap((path) => [...ancestors(path)]));
  const deepestFirst = [...dirs].filter((dir) => !needed.has(dir)).sort((a, b) => b.length - a.length);
  for (const dir of deepestFirst) removeIfEmpty(join(root, dir));
}

/** Removes a directory in which there are only empty directories. */
function removeHollow(path: string): void {
  for (const name of readdirSync(onDisk(path), 'latin1')) removeHollow(join(path, name));
  rmdirSync(onDisk(path));
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(onDisk(dir));
  } catch (error) {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Whoever may read an executable may run it. */
function withMode(present: number, mode: Mode): number {
  const bits = present & 0o666;
  return mode === '100755' ? bits | ((bits & 0o444) >> 2) : bits;
}
