import { invariant } from '@agentgate/core';
import type { ObjectKind } from './objects.ts';

export type Mode = '100644' | '100755' | '120000';

export interface File {
  readonly mode: Mode;
  readonly oid: string;
}

/** A captured directory, with what the scan remembers about the names in it that are not captured. */
export interface Dir {
  readonly parent: Dir | null;
  /** Null when something below changed since the tree object was written; then it is null upwards too. */
  oid: string | null;
  readonly files: Map<string, File>;
  readonly dirs: Map<string, Dir>;
  readonly passed: Map<string, Verdict>;
  /** The ignore rules under which `passed` holds. */
  rules: string;
}

/** Why a name is not captured. `wanted`: by its name it would be, so look at the file again each time. */
export type Verdict = { kind: 'ignored' } | { kind: 'left-out'; why: string } | { kind: 'wanted' };

export const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

export function makeDir(parent: Dir | null): Dir {
  return { parent, oid: EMPTY_TREE, files: new Map(), dirs: new Map(), passed: new Map(), rules: '' };
}

/** Reads the answer of `git ls-tree -r -t -z`. */
export function parseTree(oid: string, listing: Buffer): Dir {
  const root = makeDir(null);
  root.oid = oid;
  for (const line of listing.toString('latin1').split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const [mode, kind, id] = line.slice(0, tab).split(' ') as [Mode, string, string];
    const place = findPlace(root, line.slice(tab + 1));
    invariant(place, 'git lists a directory before what is in it');
    if (kind === 'tree') place.dir.dirs.set(place.name, { ...makeDir(place.dir), oid: id });
    else place.dir.files.set(place.name, { mode, oid: id });
  }
  return root;
}

/** Where a path is, when its directory is known. */
export function findPlace(root: Dir, path: string): { dir: Dir; name: string } | null {
  let dir: Dir | undefined = root;
  let start = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', start)) {
    dir = dir.dirs.get(path.slice(start, at));
    if (dir === undefined) return null;
    start = at + 1;
  }
  return { dir, name: path.slice(start) };
}

export function findFile(root: Dir, path: string): File | null {
  const place = findPlace(root, path);
  return place?.dir.files.get(place.name) ?? null;
}

/** Puts a file, or takes it away with null, and marks what has to be written again. */
export function setFile(dir: Dir, name: string, file: File | null): void {
  if (file === null) dir.files.delete(name);
  else dir.files.set(name, file);
  markChanged(dir);
}

export function markChanged(dir: Dir): void {
  for (let at: Dir | null = dir; at !== null && at.oid !== null; at = at.parent) at.oid = null;
}

/** Puts the tree objects that changed and gives the id of the whole. */
export function writeTree(dir: Dir, put: (kind: ObjectKind, body: Buffer) => string): string {
  if (dir.oid !== null) return dir.oid;
  const rows: { key: string; row: string; oid: string }[] = [];
  for (const [name, { mode, oid }] of dir.files) rows.push({ key: name, row: `${mode} ${name}\0`, oid });
  for (const [name, sub] of dir.dirs) {
    const oid = writeTree(sub, put);
    // Git sorts a directory as if its name ended in a slash. It does not know empty ones.
    if (oid !== EMPTY_TREE) rows.push({ key: `${name}/`, row: `40000 ${name}\0`, oid });
  }
  rows.sort((a, b) => (a.key < b.key ? -1 : 1));
  const parts = rows.flatMap(({ row, oid }) => [Buffer.from(row, 'latin1'), Buffer.from(oid, 'hex')]);
  dir.oid = put('tree', Buffer.concat(parts));
  return dir.oid;
}
