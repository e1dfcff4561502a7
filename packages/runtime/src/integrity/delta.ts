import type { TreeFile, TreeReader } from './checked.ts';
import { textOf } from './text.ts';

/** One path that is not the same in two trees; null where it is not there. */
export interface Delta {
  path: string;
  before: TreeFile | null;
  after: TreeFile | null;
}

/** A file that went from one path and came at another, the same or nearly so. */
export interface Move {
  from: string;
  to: string;
  /** Not a byte differs. */
  exact: boolean;
}

/** The paths that differ. Nothing is read: equal objects have equal names. */
export function compareTrees(base: readonly TreeFile[], now: readonly TreeFile[]): Delta[] {
  const before = new Map(base.map((file) => [file.path, file]));
  const deltas: Delta[] = [];
  for (const after of now) {
    const was = before.get(after.path);
    before.delete(after.path);
    if (was === undefined) deltas.push({ path: after.path, before: null, after });
    else if (was.oid !== after.oid || was.mode !== after.mode)
      deltas.push({ path: after.path, before: was, after });
  }
  for (const was of before.values()) deltas.push({ path: was.path, before: was, after: null });
  return deltas;
}

/** Reading more than this to find moves would cost more than knowing them is worth. */
const mostPairs = 10_000;
const mostBytes = 512 * 1024;
const alike = 0.6;

/** Which added files were somewhere else before: by their content, else by a name and most of their lines. */
export async function findMoves(deltas: readonly Delta[], reader: TreeReader): Promise<Move[]> {
  const gone = new Map<string, TreeFile>();
  const come = new Map<string, TreeFile>();
  for (const { path, before, after } of deltas) {
    if (after === null && isPlain(before)) gone.set(path, before);
    if (before === null && isPlain(after)) come.set(path, after);
  }
  const moves: Move[] = [];
  const take = (from: string, to: string, exact: boolean): void => {
    gone.delete(from);
    come.delete(to);
    moves.push({ from, to, exact });
  };
  for (const [from, to] of exactPairs(gone, come)) take(from, to, true);
  if (gone.size * come.size > mostPairs) return moves;
  const lines = makeLines(reader);
  for (const [from, before] of gone) {
    const best = { to: '', share: alike };
    for (const [to, after] of come) {
      if (endingOf(from) !== endingOf(to) || !isNear(before.size, after.size)) continue;
      const share =
        shareOf(await lines(before), await lines(after)) + (nameOf(from) === nameOf(to) ? 0.1 : 0);
      if (share > best.share) Object.assign(best, { to, share });
    }
    if (best.to !== '') take(from, best.to, false);
  }
  return moves;
}

const mostLeft = 0.5;

/** Values and words that were taken out of code are no code. */
const noCode = /\.(?:json\w?|jsonl|ya?ml|csv|tsv|toml|txt|md|html?|css|svg|xml)$/i;

/** Files that are still there and have left most of their lines to a new one. */
export async function findStubs(deltas: readonly Delta[], reader: TreeReader): Promise<Move[]> {
  const come = deltas.filter((one) => one.before === null && isPlain(one.after) && !noCode.test(one.path));
  const kept = deltas.filter((one) => isPlain(one.before) && isPlain(one.after));
  if (come.length * kept.length > mostPairs) return [];
  const lines = makeLines(reader);
  const stubs: Move[] = [];
  for (const { path: from, before, after } of kept) {
    if (come.length === 0) break;
    const [was, is] = [await lines(before!), await lines(after!)];
    const left = new Set([...was].filter((line) => !is.has(line)));
    if (left.size < 3 || left.size < mostLeft * was.size) continue;
    for (const { path: to, after: file } of come) {
      const there = await lines(file!);
      const both = [...left].filter((line) => there.has(line)).length;
      if (both >= alike * left.size) stubs.push({ from, to, exact: false });
    }
  }
  return stubs;
}

function exactPairs(
  gone: ReadonlyMap<string, TreeFile>,
  come: ReadonlyMap<string, TreeFile>,
): [string, string][] {
  const byOid = new Map<string, string[]>();
  // All empty files are the same, and none of them was moved.
  for (const [path, { oid, size }] of come) if (size > 0) byOid.set(oid, [...(byOid.get(oid) ?? []), path]);
  const pairs: [string, string][] = [];
  for (const [from, { oid }] of gone) {
    const paths = byOid.get(oid) ?? [];
    const to = paths.find((path) => nameOf(path) === nameOf(from)) ?? paths[0];
    if (to === undefined) continue;
    byOid.set(
      oid,
      paths.filter((path) => path !== to),
    );
    pairs.push([from, to]);
  }
  return pairs;
}

function makeLines(reader: TreeReader): (file: TreeFile) => Promise<ReadonlySet<string>> {
  const known = new Map<string, ReadonlySet<string>>();
  return async ({ oid, size }) => {
    let lines = known.get(oid);
    if (lines === undefined) {
      const text = size > mostBytes ? '' : textOf(await reader.read(oid));
      lines = new Set(
        text
          .split('\n')
          .map((line) => line.trim())
          .filter((line) => line.length > 2),
      );
      known.set(oid, lines);
    }
    return lines;
  };
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let both = 0;
  for (const line of a) if (b.has(line)) both++;
  return both === 0 ? 0 : both / Math.max(a.size, b.size);
}

const isNear = (a: number, b: number): boolean =>
  Math.min(a, b) * 3 >= Math.max(a, b) || Math.max(a, b) < 200;

const isPlain = (file: TreeFile | null): file is TreeFile => file?.mode.startsWith('100') === true;

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const endingOf = (path: string): string => /\.[^./]*$/.exec(path)?.[0] ?? '';
