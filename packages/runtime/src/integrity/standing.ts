import type { ProtectedChange, ProtectedKind } from '@agentgate/core';
import type { ProtectRules, TreeFile, TreeReader } from './checked.ts';
import { isCosmetic } from './cosmetic.ts';
import type { Delta, Move } from './delta.ts';
import { ignoresOnlyMore } from './git-ignore.ts';
import { compareInlineTests } from './inline-tests.ts';
import { lineDiff } from './line-diff.ts';
import { compareManifests, manifestKindOf } from './manifest/index.ts';
import { isCache } from './names/outside.ts';
import { isPythonShadow } from './names/python-modules.ts';
import { isDeclared, isProtected } from './protected.ts';
import { isBinary, shownPath, textOf } from './text.ts';

/** Where a differing path comes from in a sealed run: from the agent, from the baseline, or made of both. */
export type Origin = 'agent' | 'base' | { text: string };

export interface Standing {
  change: ProtectedChange | null;
  origin: Origin;
}

/** What is known about both trees when one path is looked at. */
export interface Surroundings {
  reader: TreeReader;
  rules: ProtectRules;
  /** Whether the baseline had anything in this folder. */
  hadFolder(folder: string): boolean;
  /** Tells what is there in the judged tree, by paths from the folder of this one. */
  besideOf(path: string): (relative: string) => boolean;
  /** Whether a file or folder of either tree is called so; `*.log` stands for an ending. */
  hasName(name: string): boolean;
  /** The path of the judged tree that some file systems cannot tell from this one. */
  twinOf(path: string): string | null;
  moves: ReadonlyMap<string, Move>;
}

const free: Standing = { change: null, origin: 'agent' };

/** Says whether a path that differs was protected, and how it is to be sealed. Lock files are looked at apart. */
export async function standingOf(delta: Delta, around: Surroundings): Promise<Standing> {
  const { path, before, after } = delta;
  const what = isProtected(path, around.rules);
  if (isGranted(path, after, around.rules)) return free;
  // Whoever runs a test leaves some, so they accuse nobody; a sealed run has none that the agent could have made.
  if (isCache(path)) return { change: null, origin: 'base' };
  if (await isTidying(delta, around)) return free;
  if (before === null && after !== null) return added(path, after, what, around);
  if (before === null) return free;
  if (what === null) return after === null ? free : inline(path, before, after, around);
  if (after === null) return gone(path, before, what, around);
  const status = before.oid === after.oid ? 'mode' : 'modified';
  const change = { path, status, what, oid: after.oid } as const;
  if (status === 'mode') return sealed({ ...change, diff: `mode ${before.mode} → ${after.mode}` });
  const plain = before.mode === after.mode && before.mode !== '120000';
  const [was, is] = await Promise.all([bodyOf(around.reader, before), bodyOf(around.reader, after)]);
  const kind = manifestKindOf(path);
  if (plain && kind !== null && what === 'config' && was !== null && is !== null) {
    const { differing, merged } = compareManifests(textOf(was), textOf(is), kind, around.besideOf(path));
    if (differing.length === 0) return free;
    return { change: { ...change, diff: bounded(differing) }, origin: { text: merged } };
  }
  const form = what === 'test' || what === 'config' || what === 'gate' || what === 'ci';
  if (plain && form && was !== null && is !== null && isCosmetic(path, textOf(was), textOf(is))) {
    return { change: null, origin: 'base' };
  }
  const modes = before.mode === after.mode ? '' : `mode ${before.mode} → ${after.mode}\n`;
  return sealed({ ...change, diff: `${modes}${diffOf(was, is)}` });
}

/** A list of what git ignores that has grown by nothing that is there. */
async function isTidying(
  { path, before, after }: Delta,
  { reader, rules, hasName }: Surroundings,
): Promise<boolean> {
  if (!/(?:^|\/)\.gitignore$/.test(path) || after?.mode !== '100644') return false;
  if (isDeclared(path, rules) || (before !== null && before.mode !== after.mode)) return false;
  const [was, is] = [
    before === null ? Buffer.alloc(0) : await bodyOf(reader, before),
    await bodyOf(reader, after),
  ];
  return was !== null && is !== null && ignoresOnlyMore(textOf(was), textOf(is), hasName);
}

/** New tests and sources are welcome; what a program takes up of itself, or what judges, is not. */
async function added(
  path: string,
  after: TreeFile,
  named: ProtectedKind | null,
  around: Surroundings,
): Promise<Standing> {
  const what = named ?? (isPythonShadow(path) ? 'auto-loaded' : null);
  const twin = around.twinOf(path);
  const change = { path, status: 'added', what: what ?? 'declared', oid: after.oid } as const;
  if (twin !== null) {
    const diff = `some file systems cannot tell it from ${shownPath(twin)}`;
    return sealed({ ...change, what: isProtected(twin, around.rules) ?? change.what, diff });
  }
  if (what === null || !(await counts(path, after, what, around))) return free;
  return sealed({ ...change, diff: diffOf(null, await bodyOf(around.reader, after)) });
}

async function counts(
  path: string,
  after: TreeFile,
  what: ProtectedKind,
  around: Surroundings,
): Promise<boolean> {
  const slash = path.lastIndexOf('/');
  const isOld = slash < 0 || around.hadFolder(path.slice(0, slash));
  switch (what) {
    case 'auto-loaded':
      return isOld || !/(?:^|\/)\.git(?:ignore|attributes|keep)$/i.test(path);
    case 'ci':
      return true;
    case 'gate':
      return isOld || around.rules.gateFiles.includes(path);
    case 'config': {
      const kind = manifestKindOf(path);
      // A folder of its own has settings of its own, which reach nothing else.
      if (!isOld || kind === null) return isOld;
      const body = await bodyOf(around.reader, after);
      if (body === null || compareManifests('', textOf(body), kind).differing.length > 0) return true;
      // Names that files around it load are looked up in the manifest that is nearest to them.
      return slash >= 0 && kind === 'package.json' && /"imports"\s*:/.test(textOf(body));
    }
    case 'declared':
      return around.rules.protect.some((glob) => glob.replace(/^\.\//, '') === path);
    case 'test':
      // Python runs it before every test of its folder.
      return isOld && after.size > 0 && /(?:^|\/)__init__\.py$/i.test(path);
    case 'fixture':
    case 'snapshot':
    case 'lock':
      return false;
  }
}

async function gone(
  path: string,
  before: TreeFile,
  what: ProtectedKind,
  around: Surroundings,
): Promise<Standing> {
  const move = around.moves.get(path);
  const was = await bodyOf(around.reader, before);
  if (move === undefined) {
    return sealed({ path, status: 'deleted', what, oid: null, diff: diffOf(was, null) });
  }
  const diff = `renamed to ${shownPath(move.to)}${move.exact ? ', nothing else changed' : ''}`;
  // A test that was moved as it is runs where it is now; whether it does is seen by its name.
  const stays = move.exact && isProtected(move.to, around.rules) === what;
  return {
    change: { path, status: 'renamed', what, oid: null, diff },
    origin: stays ? 'agent' : 'base',
  };
}

async function inline(
  path: string,
  before: TreeFile,
  after: TreeFile,
  { reader }: Surroundings,
): Promise<Standing> {
  if (!path.endsWith('.rs') || before.mode === '120000' || after.mode === '120000') return free;
  const [was, is] = await Promise.all([bodyOf(reader, before), bodyOf(reader, after)]);
  if (was === null || is === null) return free;
  const found = compareInlineTests(path, textOf(was), textOf(is));
  if (found === null || found.differing.length === 0) return free;
  const diff = bounded([...found.differing, lineDiff(textOf(was), textOf(is))]);
  return {
    change: { path, status: 'modified', what: 'test', oid: after.oid, diff },
    origin: { text: found.merged },
  };
}

function isGranted(path: string, after: TreeFile | null, { grants }: ProtectRules): boolean {
  return grants.some((grant) => grant.path === path && grant.oid === (after?.oid ?? null));
}

const sealed = (change: ProtectedChange): Standing => ({ change, origin: 'base' });

const mostBytes = 2 * 1024 * 1024;

/** A commit of another repository, which holds nothing here. */
const isRepository = (file: TreeFile): boolean => file.mode === '160000';

/** What a file holds; null when it is too large to look at. */
export async function bodyOf(
  reader: TreeReader,
  file: TreeFile,
  most: number = mostBytes,
): Promise<Buffer | null> {
  return file.size > most || isRepository(file) ? null : reader.read(file.oid);
}

/** Null stands for a file that is not there, or is too large to show. */
function diffOf(was: Buffer | null, is: Buffer | null): string {
  if (was === null && is === null) return 'too large to show';
  if ((was !== null && isBinary(was)) || (is !== null && isBinary(is))) {
    return `${was === null ? 'nothing' : `${was.length} bytes`} → ${is === null ? 'nothing' : `${is.length} bytes`}, no text`;
  }
  return lineDiff(was === null ? '' : textOf(was), is === null ? '' : textOf(is));
}

const mostDiff = 8_000;

function bounded(lines: readonly string[]): string {
  const text = lines.join('\n');
  return text.length > mostDiff ? `${text.slice(0, mostDiff)}…` : text;
}
