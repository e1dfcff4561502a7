import { FaultError, fault } from '@agentgate/core';
import type { Change } from '../workspace/capture.ts';
import { readLast } from '../workspace/git-dir.ts';
import { toText } from '../workspace/path.ts';
import { openReader } from '../workspace/reader.ts';
import { readChanges } from '../workspace/since.ts';
import { EMPTY_TREE, type File } from '../workspace/tree.ts';
import { type Clean, makeClean } from './clean.ts';
import { isSame, type Listing, readListing } from './listing.ts';
import { naming, selectChanges } from './selection.ts';
import type { Source, Target } from './target.ts';

export interface ChoiceRequest extends Source {
  /** The tree before the agent began, and the one to deliver. */
  baseTree: string;
  tree: string;
  isGateWrite: (path: string) => boolean;
}

/** The paths that the run changed and a commit may hold, in the form in which the repository stores them. */
export async function chooseChanges(
  request: ChoiceRequest,
  target: Target | null,
): Promise<{ changes: Change[]; notes: string[] }> {
  const { gitDir, tree } = request;
  const repository = target?.repository ?? null;
  const prefix = target?.prefix ?? '';
  const listing = await readListing(repository?.gitDir ?? gitDir, target?.head ?? null);
  // Where nothing was ever committed, the changes alone would be no project: everything goes in.
  const all = await readChanges(gitDir, target?.head ? request.baseTree : EMPTY_TREE, tree);
  const isAtHand = readLast(gitDir) === tree;
  const place = { repository, prefix, listing };
  const selected = await selectChanges(request, place, all, { isGateWrite: request.isGateWrite, isAtHand });
  const others = othersIn(await readListing(gitDir, tree), place, all);
  const paths = [...selected.changes, ...others].map(({ path }) => prefix + path);
  const reader = openReader(gitDir);
  try {
    const clean = repository === null ? asItIs : await makeClean(request, repository, reader, paths);
    const changes = await cleanChanges(selected.changes, place, clean);
    const before = await uncommitted(others, place, clean);
    const unseen =
      before.length === 0
        ? []
        : [`the gates also saw what was changed before the run and is not committed: ${naming(before)}`];
    return { changes, notes: [...(target?.notes ?? []), ...selected.notes, ...unseen] };
  } finally {
    reader.close();
  }
}

const asItIs: Clean = async (_path, file) => file;

interface Place {
  prefix: string;
  listing: Listing;
}

async function cleanChanges(
  selected: readonly Change[],
  { prefix, listing }: Place,
  clean: Clean,
): Promise<Change[]> {
  const changes: Change[] = [];
  for (const change of selected) {
    const after = change.after && (await clean(prefix + change.path, change.after));
    if (change.after !== null && after === null) throw filtered(change.path);
    if (!isSame(listing.get(prefix + change.path), after)) changes.push({ ...change, after });
  }
  return changes;
}

interface Other {
  path: string;
  file: File;
}

/** Paths of the judged tree that the run left alone and that the commit does not hold byte for byte. */
function othersIn(judged: Listing, { prefix, listing }: Place, all: readonly Change[]): Other[] {
  const changed = new Set(all.map(({ path }) => path));
  return [...judged].flatMap(([path, entry]) =>
    changed.has(path) || isSame(listing.get(prefix + path), entry) ? [] : [{ path, file: entry as File }],
  );
}

/** Where line ends are converted every path may differ, and looking closer at each would take for ever. */
const mostLooks = 500;

async function uncommitted(
  others: readonly Other[],
  { prefix, listing }: Place,
  clean: Clean,
): Promise<string[]> {
  const found: string[] = [];
  for (const { path, file } of others.slice(0, mostLooks)) {
    const cleaned = await clean(prefix + path, file);
    if (cleaned !== null && !isSame(listing.get(prefix + path), cleaned)) found.push(path);
  }
  return found;
}

function filtered(path: string): FaultError {
  const what = `cannot deliver ${toText(path)}: git stores it through a filter of yours, and no program of yours is run`;
  return new FaultError(fault('deliver.filter', `${what}; commit the work by hand`));
}
