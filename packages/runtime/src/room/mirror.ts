import { execFileSync } from 'node:child_process';
import {
  type BigIntStats,
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';

/** What each path of a copied folder looked like when it was copied. */
export type Stamps = Record<string, string>;

export interface Entry {
  /** Relative to the folder that is copied from. */
  path: string;
  stat: BigIntStats;
}

/** Everything below a path, itself first, links not followed. Pipes, sockets and devices are passed over. */
export function* entriesBelow(from: string, path: string): Generator<Entry> {
  const stat = lstatSync(join(from, path), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined || !(stat.isDirectory() || stat.isFile() || stat.isSymbolicLink())) return;
  yield { path, stat };
  if (!stat.isDirectory()) return;
  for (const name of readdirSync(join(from, path))) yield* entriesBelow(from, join(path, name));
}

/**
 * Makes `to` a copy of these entries of `from`: bytes, modes and times. Shares blocks where the file system can, and
 * leaves alone what has not changed since `known`. Never leaves a hard link, since one could be written through.
 */
export async function mirror(
  from: string,
  to: string,
  entries: Iterable<Entry>,
  known: Stamps,
): Promise<Stamps> {
  const stamps: Stamps = {};
  let count = 0;
  for (const { path, stat } of entries) {
    const stamp = stampOf(stat);
    if (known[path] !== stamp) copyEntry(join(from, path), join(to, path), stat);
    stamps[path] = stamp;
    if (++count % 500 === 0) await setImmediate();
  }
  for (const path of Object.keys(known)) {
    if (!(path in stamps)) rmSync(join(to, path), { recursive: true, force: true });
  }
  return stamps;
}

// Of a directory only the mode counts: its other stamps change with every name in it.
function stampOf(stat: BigIntStats): string {
  if (stat.isDirectory()) return `d${stat.mode}`;
  return `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}.${stat.mode}`;
}

function copyEntry(from: string, to: string, stat: BigIntStats): void {
  const there = lstatSync(to, { throwIfNoEntry: false });
  if (there !== undefined && !(there.isDirectory() && stat.isDirectory()))
    rmSync(to, { recursive: true, force: true });
  mkdirSync(dirname(to), { recursive: true });
  if (stat.isDirectory()) {
    mkdirSync(to, { recursive: true });
    // A folder that may not be written is copied as one that we can fill and remove again.
    return chmodSync(to, Number(stat.mode & 0o777n) | 0o700);
  }
  if (stat.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else copyBytes(from, to, stat);
  lutimesSync(to, Number(stat.atimeMs) / 1_000, Number(stat.mtimeNs) / 1e9);
}

function copyBytes(from: string, to: string, stat: BigIntStats): void {
  const isSparse = stat.size > SPARSE_FROM && stat.blocks * 512n < stat.size;
  if (isSparse) execFileSync('cp', ['--sparse=always', '--reflink=auto', '--', from, to]);
  else copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, Number(stat.mode & 0o777n));
}

const SPARSE_FROM = 1_048_576n;
