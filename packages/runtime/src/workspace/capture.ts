import { setImmediate } from 'node:timers/promises';
import { type Entry, readEntry } from './entry.ts';
import { runGit, safeEnv } from './git.ts';
import { writeLast, writeRef } from './git-dir.ts';
import { foldMemory, type Memory } from './memory.ts';
import type { Objects } from './objects.ts';
import { join, toBytes } from './path.ts';
import type { Rulebook } from './rulebook.ts';
import { type LeftOut, type Place, scan } from './scan.ts';
import { isSameStat, isSettled, readStamp } from './stamp.ts';
import { type File, findPlace, setFile, writeTree } from './tree.ts';

/** One path in two trees; null where it is not there. */
export interface Change {
  path: string;
  before: File | null;
  after: File | null;
}

export interface Captured {
  tree: string;
  /** Against the capture before. */
  changes: Change[];
  leftOut: LeftOut[];
  nested: string[];
}

export interface Camera {
  root: string;
  gitDir: string;
  book: Rulebook;
  objects: Objects;
}

/** Brings the memory up to what lies in the directory now and stores it. `ref` keeps the tree alive. */
export async function capture(
  camera: Camera,
  memory: Memory,
  request: { ref: string | null; also: ReadonlySet<string> },
): Promise<Captured> {
  const { root, gitDir, book, objects } = camera;
  // Git asks for the files it knows while we read the names.
  const [modified, seen] = await Promise.all([
    readModified(root, gitDir),
    scan(memory.tree, root, book, request.also),
  ]);
  const changes = new Map<string, Change>();
  for (const { path, file } of seen.gone) {
    memory.fresh.set(path, null);
    note(changes, path, file, null);
  }
  const suspects = findSuspects(camera, memory, modified);
  for (const place of seen.found) suspects.set(place.path, place);
  let count = 0;
  for (const place of suspects.values()) {
    const why = take(camera, memory, changes, place, readEntry(join(toBytes(root), place.path)));
    if (why !== null) seen.leftOut.push({ path: place.path, why });
    if (objects.isHeavy()) await objects.flush();
    else if (++count % 500 === 0) await setImmediate();
  }
  const tree = writeTree(memory.tree, objects.put);
  await objects.flush();
  foldMemory(gitDir, memory, FOLD_AT);
  if (request.ref !== null) writeRef(gitDir, request.ref, tree);
  if (memory.last !== tree) writeLast(gitDir, tree);
  memory.last = tree;
  return { tree, changes: [...changes.values()], leftOut: seen.leftOut, nested: seen.nested };
}

// Each path we watch ourselves costs microseconds a snapshot, a fold of the index milliseconds.
const FOLD_AT = 300;

async function readModified(root: string, gitDir: string): Promise<string[]> {
  const args = ['diff-files', '--name-only', '--no-renames', '-z'];
  const listing = await runGit({ args, cwd: root, env: safeEnv(gitDir, root) });
  return listing.toString('latin1').split('\0').slice(0, -1);
}

/** The captured files that may have changed. */
function findSuspects(camera: Camera, memory: Memory, modified: readonly string[]): Map<string, Place> {
  const suspects = new Map<string, Place>();
  for (const path of modified) {
    const place = findPlace(memory.tree, path);
    if (place?.dir.files.has(place.name)) suspects.set(path, { ...place, path });
  }
  const root = toBytes(camera.root);
  for (const [path, seen] of memory.fresh) {
    const place = findPlace(memory.tree, path);
    if (!place?.dir.files.has(place.name)) continue;
    const now = seen !== null && isSettled(seen) ? readStamp(join(root, path)) : null;
    if (seen === null || now === null || !isSameStat(seen.stat, now.stat)) {
      suspects.set(path, { ...place, path });
    } else {
      suspects.delete(path);
      memory.fresh.set(path, now);
    }
  }
  return suspects;
}

/** Puts what lies at a place into the tree; gives the reason when it is left out. */
function take(
  { objects }: Camera,
  memory: Memory,
  changes: Map<string, Change>,
  { dir, name, path }: Place,
  entry: Entry,
): string | null {
  const before = dir.files.get(name) ?? null;
  if (entry.kind === 'content') {
    const after = { mode: entry.mode, oid: objects.put('blob', entry.body) };
    memory.fresh.set(path, entry.stamp);
    if (before?.oid === after.oid && before.mode === after.mode) return null;
    setFile(dir, name, after);
    note(changes, path, before, after);
    return null;
  }
  if (before !== null) {
    setFile(dir, name, null);
    memory.fresh.set(path, null);
    note(changes, path, before, null);
  }
  if (entry.kind === 'gone') return null;
  dir.passed.set(name, { kind: 'wanted' });
  return entry.why;
}

function note(changes: Map<string, Change>, path: string, before: File | null, after: File | null): void {
  const first = changes.get(path);
  changes.set(path, { path, before: first === undefined ? before : first.before, after });
}
