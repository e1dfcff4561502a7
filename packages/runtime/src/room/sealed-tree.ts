import { invariant } from '@agentgate/core';
import { readChanges } from '../workspace/since.ts';
import { makeObjects, type Objects } from '../workspace/objects.ts';
import { toBytes, toText } from '../workspace/path.ts';
import { openReader, type Reader } from '../workspace/reader.ts';
import {
  type Dir,
  EMPTY_TREE,
  type File,
  makeDir,
  markChanged,
  type Mode,
  setFile,
  writeTree,
} from '../workspace/tree.ts';

/** What of the judged tree is not the agent's to decide. */
export interface Sealed {
  baseTree: string;
  /** Paths that come from the base: a deleted one comes back, an added one is left out. */
  fromBase: (path: string) => boolean;
  /** The contents of single files, whatever either tree has there. */
  replaced?: ReadonlyMap<string, string>;
}

export interface SealedTree {
  tree: string;
  /** The paths in which it differs from the base. */
  changed: string[];
}

/** Stores the tree that the room shows: the judged one with what is sealed put in its place. */
export async function sealTree(gitDir: string, tree: string, sealed: Sealed): Promise<SealedTree> {
  const objects = makeObjects(gitDir);
  const wanted = new Map<string, File | null>();
  const changed = new Set<string>();
  for (const { path, before } of await readChanges(gitDir, sealed.baseTree, tree)) {
    if (sealed.fromBase(toText(path))) wanted.set(path, before);
    else changed.add(toText(path));
  }
  for (const [path, text] of sealed.replaced ?? []) {
    wanted.set(toBytes(path), { mode: '100644', oid: objects.put('blob', Buffer.from(text)) });
    changed.add(path);
  }
  if (wanted.size === 0) return { tree, changed: [...changed] };
  const reader = openReader(gitDir);
  try {
    return { tree: await editTree(reader, objects, tree, wanted), changed: [...changed] };
  } finally {
    reader.close();
  }
}

/** Reads only the directories on the way to what changes. */
async function editTree(
  reader: Reader,
  objects: Objects,
  tree: string,
  wanted: ReadonlyMap<string, File | null>,
): Promise<string> {
  const root = await readDir(reader, tree, null);
  const edits: Edits = { reader, unread: root.unread };
  // Deletions first: a base file may stand where the agent made a directory, and the other way round.
  const inOrder = [...wanted].sort(([, a], [, b]) => Number(a !== null) - Number(b !== null));
  for (const [path, file] of inOrder) await putFile(edits, root.dir, path, file);
  const whole = writeTree(root.dir, objects.put);
  await objects.flush();
  return whole;
}

interface Edits {
  reader: Reader;
  /** Directories whose names are not read yet, by the object that holds them. */
  unread: Map<Dir, string>;
}

async function putFile(edits: Edits, root: Dir, path: string, file: File | null): Promise<void> {
  const parts = path.split('/');
  const name = parts.pop() as string;
  let dir = root;
  for (const part of parts) {
    const below = await enter(edits, dir, part, file !== null);
    if (below === null) return;
    dir = below;
  }
  if (file !== null && dir.dirs.delete(name)) markChanged(dir);
  setFile(dir, name, file);
}

async function enter(edits: Edits, dir: Dir, name: string, make: boolean): Promise<Dir | null> {
  const there = dir.dirs.get(name);
  if (there === undefined) {
    if (!make) return null;
    const made = makeDir(dir);
    dir.files.delete(name);
    dir.dirs.set(name, made);
    return made;
  }
  const oid = edits.unread.get(there);
  if (oid === undefined) return there;
  const read = await readDir(edits.reader, oid, dir);
  for (const [below, id] of read.unread) edits.unread.set(below, id);
  edits.unread.delete(there);
  dir.dirs.set(name, read.dir);
  return read.dir;
}

async function readDir(
  reader: Reader,
  oid: string,
  parent: Dir | null,
): Promise<{ dir: Dir; unread: Map<Dir, string> }> {
  const dir = { ...makeDir(parent), oid };
  const unread = new Map<Dir, string>();
  if (oid === EMPTY_TREE) return { dir, unread };
  const stored = await reader.read(oid);
  invariant(stored?.kind === 'tree', `the store has the tree ${oid} that it is asked for`);
  const { body } = stored;
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const end = body.indexOf(0, space);
    const mode = body.toString('latin1', at, space);
    const name = body.toString('latin1', space + 1, end);
    const id = body.toString('hex', end + 1, end + 21);
    at = end + 21;
    if (mode !== '40000') {
      dir.files.set(name, { mode: mode as Mode, oid: id });
      continue;
    }
    const below = { ...makeDir(dir), oid: id };
    dir.dirs.set(name, below);
    unread.set(below, id);
  }
  return { dir, unread };
}
