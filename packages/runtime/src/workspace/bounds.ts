import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import picomatch from 'picomatch';
import { ancestors, toBytes, toText } from './path.ts';

/** Which paths the spec and our own directories put beyond, or bring within, what is captured. */
export interface Bounds {
  /** Our own directories: never captured, never named. */
  isOurs(path: string): boolean;
  isExcluded(path: string): boolean;
  isIncluded(path: string): boolean;
  /** Whether an included path could lie in this directory. */
  mayInclude(dir: string): boolean;
  /** Ours or excluded, itself or by a directory above it. Restore leaves such a path alone. */
  isBeyond(path: string): boolean;
}

export function makeBounds(options: {
  root: string;
  ours: readonly string[];
  exclude: readonly string[];
  include: readonly string[];
}): Bounds {
  const ours = new Set(options.ours.flatMap((path) => pathInside(options.root, path) ?? []));
  const isExcluded = makeMatcher(options.exclude);
  const bases = options.include.map((glob) => toBytes(picomatch.scan(glob).base));
  const isEdge = (path: string) => ours.has(path) || isExcluded(path);
  const hasEdges = ours.size > 0 || options.exclude.length > 0;
  return {
    isOurs: (path) => ours.has(path),
    isExcluded,
    isIncluded: makeMatcher(options.include),
    mayInclude: (dir) => bases.some((base) => base === '' || isWithin(dir, base) || isWithin(base, dir)),
    isBeyond: (path) => hasEdges && (isEdge(path) || [...ancestors(path)].some(isEdge)),
  };
}

/** Matches paths of this room against globs written by people. */
export function makeMatcher(globs: readonly string[]): (path: string) => boolean {
  if (globs.length === 0) return () => false;
  const matches = picomatch([...globs], { dot: true });
  return (path) => matches(toText(path));
}

function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(`${dir}/`);
}

function pathInside(root: string, path: string): string | null {
  const inside = relative(root, readRealPath(resolve(path)));
  return inside === '' || inside === '..' || inside.startsWith('../') ? null : toBytes(inside);
}

function readRealPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Not made yet, so it is no link either.
  }
}
