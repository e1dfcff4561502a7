import type { Dirent } from 'node:fs';
import { readNames } from './names.ts';
import { isText, join, onDisk, toBytes } from './path.ts';
import type { Rulebook } from './rulebook.ts';
import type { Rules, Unknown } from './rules.ts';
import { readMark } from './stamp.ts';
import { type Dir, EMPTY_TREE, type File, makeDir, markChanged, setFile, type Verdict } from './tree.ts';

export interface LeftOut {
  path: string;
  why: string;
}

/** A name in a directory of the tree. */
export interface Place {
  dir: Dir;
  name: string;
  path: string;
}

export interface Scan {
  /** Names that are to be captured and are not yet. */
  found: Place[];
  /** Captured files that are no longer there, taken out of the tree. */
  gone: { path: string; file: File }[];
  leftOut: LeftOut[];
  nested: string[];
}

/** Reads which names there are, takes what is gone out of the tree, and gives what is new. Opens no file. */
export async function scan(
  tree: Dir,
  root: string,
  book: Rulebook,
  also: ReadonlySet<string>,
): Promise<Scan> {
  const walk: Walk = {
    root: toBytes(root),
    also,
    found: [],
    gone: [],
    leftOut: [],
    nested: [],
    unknown: [],
    repositories: [],
  };
  walk.repositories.push({ dir: tree, path: '' });
  for (let at = walk.repositories.pop(); at !== undefined; at = walk.repositories.pop()) {
    const rules = await book.read(at.path, also);
    if (rules.trouble !== null) walk.leftOut.push({ path: join(at.path, '.git/index'), why: rules.trouble });
    walkDir(walk, at.dir, at.path, rules, rules.signature);
    await judgeUnknown(walk, rules);
  }
  return walk;
}

interface Walk extends Scan {
  readonly root: string;
  readonly also: ReadonlySet<string>;
  unknown: (Place & Unknown)[];
  /** Nested ones have rules of their own and are walked apart. */
  repositories: { dir: Dir; path: string }[];
}

function walkDir(walk: Walk, dir: Dir, path: string, rules: Rules, inherited: string): void {
  const names = readNames(walk.root, path);
  if (names.kind !== 'open') {
    if (names.kind === 'closed') walk.leftOut.push({ path: `${path}/`, why: 'cannot be read' });
    return dropAll(walk, dir, path);
  }
  if (names.hasGit && path !== rules.base) {
    walk.nested.push(path);
    // Git cannot be started in a directory whose name is no text; the rules around it then hold inside too.
    if (isText(path)) return void walk.repositories.push({ dir, path });
  }
  const gitignore = join(walk.root, join(path, '.gitignore'));
  renewRules(dir, names.hasGitignore ? `${inherited}|${path}=${readMark(onDisk(gitignore))}` : inherited);
  let captured = 0;
  for (const entry of names.entries) {
    if (isCaptured(walk, dir, entry, path, rules)) captured++;
    else if (entry.name !== '.git') meet(walk, dir, entry.name, join(path, entry.name), entry.isDirectory());
  }
  if (captured < dir.files.size + dir.dirs.size) dropMissing(walk, dir, path, names.entries);
  if (dir.passed.size > names.entries.length) dir.passed.clear();
}

/** Whether the tree has the name as what it still is. What it no longer is goes out of the tree. */
function isCaptured(walk: Walk, dir: Dir, entry: Dirent, path: string, rules: Rules): boolean {
  const { name } = entry;
  if (dir.files.has(name)) {
    if (entry.isFile() || entry.isSymbolicLink()) return true;
    dropFile(walk, dir, name, path);
  }
  const sub = dir.dirs.get(name);
  if (sub === undefined) return false;
  if (entry.isDirectory()) walkDir(walk, sub, join(path, name), rules, dir.rules);
  else dropDir(walk, dir, name, path);
  return entry.isDirectory();
}

function meet(walk: Walk, dir: Dir, name: string, path: string, isDir: boolean): void {
  const verdict = walk.also.has(path) ? undefined : dir.passed.get(passedKey(name, isDir));
  if (verdict === undefined) walk.unknown.push({ dir, name, path, isDir });
  else if (verdict.kind === 'wanted') walk.found.push({ dir, name, path });
  else if (verdict.kind === 'left-out') walk.leftOut.push({ path: passedKey(path, isDir), why: verdict.why });
}

async function judgeUnknown(walk: Walk, rules: Rules): Promise<void> {
  while (walk.unknown.length > 0) {
    const batch = walk.unknown;
    walk.unknown = [];
    const gitignored = batch.some(({ dir }) => dir.rules !== rules.signature);
    const verdicts = await rules.judge(batch, gitignored);
    batch.forEach((place, at) => settle(walk, place, verdicts[at] as Verdict, rules));
  }
}

function settle(walk: Walk, place: Place & Unknown, verdict: Verdict, rules: Rules): void {
  const { dir, name, path, isDir } = place;
  if (isDir && (verdict.kind === 'wanted' || (verdict.kind === 'ignored' && rules.mayHold(path)))) {
    const sub = makeDir(dir);
    dir.dirs.set(name, sub);
    walkDir(walk, sub, path, rules, dir.rules);
    return;
  }
  if (verdict.kind === 'wanted') walk.found.push(place);
  else dir.passed.set(passedKey(name, isDir), verdict);
  if (verdict.kind === 'left-out') walk.leftOut.push({ path: passedKey(path, isDir), why: verdict.why });
}

/** A rule may mean directories alone, so a verdict on one is none on a file of that name. */
function passedKey(name: string, isDir: boolean): string {
  return isDir ? `${name}/` : name;
}

function renewRules(dir: Dir, rules: string): void {
  if (dir.rules === rules) return;
  dir.rules = rules;
  dir.passed.clear();
  // A directory that holds nothing captured has to be judged again too.
  for (const [name, sub] of dir.dirs) if (sub.oid === EMPTY_TREE) dir.dirs.delete(name);
}

function dropMissing(walk: Walk, dir: Dir, path: string, entries: readonly Dirent[]): void {
  const there = new Set(entries.map(({ name }) => name));
  for (const name of dir.files.keys()) if (!there.has(name)) dropFile(walk, dir, name, path);
  for (const name of dir.dirs.keys()) if (!there.has(name)) dropDir(walk, dir, name, path);
}

function dropFile(walk: Walk, dir: Dir, name: string, path: string): void {
  const file = dir.files.get(name);
  if (file === undefined) return;
  setFile(dir, name, null);
  walk.gone.push({ path: join(path, name), file });
}

function dropDir(walk: Walk, dir: Dir, name: string, path: string): void {
  const sub = dir.dirs.get(name);
  if (sub !== undefined) dropAll(walk, sub, join(path, name));
  dir.dirs.delete(name);
  markChanged(dir);
}

function dropAll(walk: Walk, dir: Dir, path: string): void {
  for (const name of dir.files.keys()) dropFile(walk, dir, name, path);
  for (const name of dir.dirs.keys()) dropDir(walk, dir, name, path);
}
