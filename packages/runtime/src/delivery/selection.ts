import { existsSync } from 'node:fs';
import type { Change } from '../workspace/capture.ts';
import { isAgentsOwn } from '../workspace/keys.ts';
import { ancestors, join, onDisk, toBytes, toText } from '../workspace/path.ts';
import type { Repository } from '../workspace/repository.ts';
import { looksSecret } from '../workspace/secret.ts';
import { readStamp } from '../workspace/stamp.ts';
import type { Listing } from './listing.ts';
import { readIgnoredPaths, type Source } from './target.ts';

export interface Selection {
  changes: Change[];
  notes: string[];
}

/**
 * Chooses what of a run's changes belongs into a commit. What HEAD tracks always does; of the rest, whatever is
 * ignored, secret by shape, or written for themselves by agents, gates and package managers does not.
 */
export async function selectChanges(
  source: Source,
  place: { repository: Repository | null; prefix: string; listing: Listing },
  changes: readonly Change[],
  options: { isGateWrite: (path: string) => boolean; isAtHand: boolean },
): Promise<Selection> {
  const { listing, prefix } = place;
  const isNested = makeNested(source.root, listing, prefix);
  const left = new Map<string, string[]>();
  const leave = (why: string, path: string) => void left.set(why, [...(left.get(why) ?? []), path]);
  const kept: Change[] = [];
  const fresh: Change[] = [];
  for (const change of changes) {
    const { path, after } = change;
    if (isNested(path)) leave('in a repository of its own, which keeps its own history', path);
    else if (listing.has(prefix + path)) {
      const there = after === null && options.isAtHand && isThere(source.root, path);
      if (there) leave('not captured, so it stays as it is in HEAD', path);
      else kept.push(change);
    } else if (after !== null) fresh.push(change);
  }
  const ignored = await readIgnoredPaths(
    source,
    place.repository,
    fresh.map(({ path }) => path),
  );
  for (const change of fresh) {
    const why = ignored.has(change.path) ? 'ignored by git' : unwanted(change.path, options.isGateWrite);
    if (why === null) kept.push(change);
    else leave(why, change.path);
  }
  return { changes: kept, notes: [...left].map(([why, paths]) => `left out, ${why}: ${naming(paths)}`) };
}

function unwanted(path: string, isGateWrite: (path: string) => boolean): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (looksSecret(name)) return 'looks like a secret';
  if (isAgentsOwn(path)) return 'kept by an agent for itself';
  if (isGateWrite(toText(path))) return 'written by the gates';
  return junk.test(path) ? 'made by a tool' : null;
}

/** What tools leave behind in projects whose ignore rules forgot it. */
const junk =
  /(?:^|\/)(?:node_modules|__pycache__|\.venv|\.tox|\.(?:pytest|mypy|ruff)_cache)\/|(?:^|\/)(?:\.DS_Store|Thumbs\.db)$|\.pyc$/;

/** Whether a path lies in a repository inside this one: a submodule of HEAD, or any directory with a `.git`. */
function makeNested(root: string, listing: Listing, prefix: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isRepository = (dir: string): boolean => {
    const before = known.get(dir);
    if (before !== undefined) return before;
    const found =
      listing.get(prefix + dir)?.mode === '160000' ||
      existsSync(onDisk(join(join(toBytes(root), dir), '.git')));
    known.set(dir, found);
    return found;
  };
  return (path) => listing.get(prefix + path)?.mode === '160000' || [...ancestors(path)].some(isRepository);
}

function isThere(root: string, path: string): boolean {
  return readStamp(join(toBytes(root), path))?.stat.isDirectory() === false;
}

/** A few names and how many more there are. */
export function naming(paths: readonly string[], most = 5): string {
  const shown = paths.slice(0, most).map(toText);
  return paths.length > most ? `${shown.join(', ')} and ${paths.length - most} more` : shown.join(', ');
}
