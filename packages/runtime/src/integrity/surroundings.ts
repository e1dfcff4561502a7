import { posix } from 'node:path';
import type { ProtectRules, TreeFile, TreeReader } from './checked.ts';
import type { Delta, Move } from './delta.ts';
import { isProtected } from './protected.ts';
import type { Surroundings } from './standing.ts';

/** Gathers what is asked about both trees, and only when it is. */
export function surroundingsOf(known: {
  before: readonly TreeFile[];
  after: readonly TreeFile[];
  deltas: readonly Delta[];
  moves: readonly Move[];
  reader: TreeReader;
  rules: ProtectRules;
}): Surroundings {
  const { before, after, deltas, reader, rules } = known;
  const folders = once(() => foldersOf(before));
  const twins = once(() => twinsOf(deltas, before, after));
  const names = once(() => namesOf([...before, ...after]));
  const there = once(() => new Set([...after.map((file) => file.path), ...foldersOf(after)]));
  return {
    reader,
    rules,
    hadFolder: (folder) => folders().has(folder),
    besideOf: (path) => (relative) => there().has(posix.join(posix.dirname(path), relative)),
    hasName: (name) => names().has(name),
    twinOf: (path) => {
      const twin = twins().get(plain(path));
      return twin === undefined || isProtected(twin, rules) === null ? null : twin;
    },
    moves: new Map(known.moves.map((move) => [move.from, move])),
  };
}

function foldersOf(files: readonly TreeFile[]): Set<string> {
  const folders = new Set<string>();
  for (const { path } of files) {
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const folder = path.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/** Every part of every path, and every ending as `*.log`. */
function namesOf(files: readonly TreeFile[]): Set<string> {
  const parts = new Set(files.flatMap(({ path }) => path.toLowerCase().split('/')));
  return new Set([...parts, ...[...parts].map((part) => `*${posix.extname(part)}`)]);
}

/** Files that are still there, by what a careless file system sees of the path of a new one. */
function twinsOf(
  deltas: readonly Delta[],
  before: readonly TreeFile[],
  after: readonly TreeFile[],
): Map<string, string> {
  const come = new Set(deltas.filter((one) => one.before === null).map((one) => plain(one.path)));
  const alike = before.filter((file) => come.has(plain(file.path)));
  const there = new Set(alike.length === 0 ? [] : after.map((file) => file.path));
  return new Map(alike.filter(({ path }) => there.has(path)).map(({ path }) => [plain(path), path]));
}

function plain(path: string): string {
  // Normalising is slow, and most paths need none.
  return (/^[ -~]*$/.test(path) ? path : path.normalize('NFC')).toLowerCase();
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}
