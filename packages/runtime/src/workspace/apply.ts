import { readdirSync } from 'node:fs';
import { FaultError, fault, invariant } from '@agentgate/core';
import type { Change } from './capture.ts';
import { ancestors, join, onDisk, toText } from './path.ts';
import type { Reader } from './reader.ts';
import { readStamp } from './stamp.ts';
import type { File } from './tree.ts';
import { removeEmptyDirs, removeFile, writeFile } from './write.ts';

/**
 * Makes the directory what `changes` lead to, touching nothing else. Looks first whether something that is
 * not captured lies in the way, and then throws a fault before anything is changed.
 */
export async function applyChanges(
  root: string,
  changes: readonly Change[],
  reader: Reader,
): Promise<{ written: number; deleted: number }> {
  const deletions = changes.filter(({ after }) => after === null).map(({ path }) => path);
  const writes = changes.flatMap(({ path, before, after }) =>
    after === null ? [] : [{ path, before, after }],
  );
  refuseBlocked(root, new Set(deletions), writes);
  for (const path of deletions) removeFile(join(root, path));
  const needed = new Set(writes.flatMap(({ path }) => [...ancestors(path)]));
  removeEmptyDirs(root, deletions, needed);
  for (const { path, before, after } of writes) {
    const isContentThere = before?.oid === after.oid && isSameKind(before, after);
    writeFile(join(root, path), after.mode, isContentThere ? null : await readBody(reader, after));
  }
  return { written: writes.length, deleted: deletions.length };
}

function isSameKind(a: File, b: File): boolean {
  return (a.mode === '120000') === (b.mode === '120000');
}

async function readBody(reader: Reader, file: File): Promise<Buffer> {
  const stored = await reader.read(file.oid);
  invariant(stored, `the store has the content ${file.oid} of a tree it has`);
  return stored.body;
}

function refuseBlocked(
  root: string,
  deletions: ReadonlySet<string>,
  writes: readonly { path: string; before: File | null }[],
): void {
  for (const { path, before } of writes) {
    const above = [...ancestors(path)].reverse();
    // Below what will be deleted, a link say, there is nothing yet that could be in the way.
    if (before !== null || above.some((dir) => deletions.has(dir))) continue;
    const wall = above.find((dir) => kindAt(root, dir) === 'other');
    if (wall !== undefined) throw blocked(wall);
    if (!isFree(root, path, deletions)) throw blocked(path);
  }
}

/** Whether the path will be free once the deletions are done. */
function isFree(root: string, path: string, deletions: ReadonlySet<string>): boolean {
  const kind = kindAt(root, path);
  if (kind === 'nothing' || deletions.has(path)) return true;
  if (kind === 'other') return false;
  const names = readdirSync(onDisk(join(root, path)), 'latin1');
  return names.every((name) => name !== '.git' && isFree(root, join(path, name), deletions));
}

function kindAt(root: string, path: string): 'nothing' | 'directory' | 'other' {
  const stat = readStamp(join(root, path))?.stat;
  return stat === undefined ? 'nothing' : stat.isDirectory() ? 'directory' : 'other';
}

function blocked(path: string): FaultError {
  const name = toText(path);
  const message = `cannot restore ${name}: something that is not captured lies there; move it away, then run resume`;
  return new FaultError(fault('workspace.blocked', message));
}
