import { existsSync, lutimesSync, lstatSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { makeFolder } from '../make-folder.ts';
import { runGit, safeEnv } from '../workspace/git.ts';
import { applyChanges } from '../workspace/apply.ts';
import type { Change } from '../workspace/capture.ts';
import { type FolderTimes, makeFolderTimes } from './folder-times.ts';
import { ancestors, join as joinPath, onDisk, toBytes } from '../workspace/path.ts';
import { openReader } from '../workspace/reader.ts';
import { parseChanges } from '../workspace/since.ts';

/** The kept checkout: where it lies, whose trees it shows, and the workspace whose times it takes over at first. */
export interface Pristine {
  /** Holds `tree`, the files, and `index`, what git knows about them. */
  dir: string;
  gitDir: string;
  root: string;
  folders: FolderTimes;
}

export function openPristine(place: { dir: string; gitDir: string; root: string }): Pristine {
  return { ...place, folders: makeFolderTimes(toBytes(join(place.dir, 'tree'))) };
}

/**
 * Makes the checkout exactly the tree that `choose` gives. Only what differs is written, so an unchanged file keeps
 * its time. Whatever a kill or anyone else left there is put right on the way: git looks at every file, and nothing
 * foreign stays.
 */
export async function bringTo(pristine: Pristine, choose: () => Promise<string>): Promise<string> {
  const { dir, gitDir } = pristine;
  const files = join(dir, 'tree');
  const index = join(dir, 'index');
  const isFirst = !existsSync(index);
  if (isFirst) rmSync(files, { recursive: true, force: true });
  rmSync(`${index}.lock`, { force: true });
  makeFolder(files);
  const env = { ...safeEnv(gitDir, files), GIT_INDEX_FILE: index };
  const git: Git = (args, input) =>
    runGit({ args: [...settings, ...args], cwd: files, env, ...(input === undefined ? {} : { input }) });
  if (!isFirst) return bringOn(pristine, git, choose);
  const tree = await choose();
  await git(['read-tree', '--reset', '-u', tree]);
  const paths = namesIn(await git(['ls-files', '-z']));
  await takeTimes(pristine, paths);
  // The times were changed behind the back of the index; this reads every file, once.
  await git(['update-index', '-q', '--refresh']);
  pristine.folders.readAll(paths);
  return tree;
}

type Git = (args: readonly string[], input?: Buffer) => Promise<Buffer>;

/** Looks for what is damaged or foreign while the tree is chosen, and then changes what differs. */
async function bringOn(
  { dir, gitDir, folders }: Pristine,
  git: Git,
  choose: () => Promise<string>,
): Promise<string> {
  const isForeign = !folders.areSame();
  const compare = async () => {
    const tree = await choose();
    return { tree, told: await git(['diff-index', '--cached', '-z', '--no-renames', tree]) };
  };
  const [{ tree, told }, damaged] = await Promise.all([
    compare(),
    git(['diff-files', '--name-only', '-z']),
    isForeign ? git(['clean', '-ffdxq']) : null,
  ]);
  // From the index to the tree, which git tells the other way round.
  const changes = parseChanges(told).map(({ path, before, after }) => ({
    path,
    before: after,
    after: before,
  }));
  const isDamaged = damaged.length > 0 || isTangled(changes);
  const paths = changes.map(({ path }) => path);
  if (isDamaged) {
    await git(['read-tree', '--reset', '-u', tree]);
  } else if (changes.length > 0) {
    const reader = openReader(gitDir);
    await applyChanges(toBytes(join(dir, 'tree')), changes, reader).finally(() => reader.close());
    const names = Buffer.from(paths.map((path) => `${path}\0`).join(''), 'latin1');
    await git(['update-index', '--add', '--remove', '-z', '--stdin'], names);
  }
  if (isForeign || isDamaged) folders.readAll(namesIn(await git(['ls-files', '-z'])));
  else folders.readAgain(paths);
  return tree;
}

/** A file where there was a directory, or the other way round: that is git's to sort out. */
function isTangled(changes: readonly Change[]): boolean {
  const paths = new Set(changes.map(({ path }) => path));
  return changes.some(({ path }) => [...ancestors(path)].some((dir) => paths.has(dir)));
}

const settings = ['-c', 'checkout.workers=2', '-c', 'index.skipHash=true'];

/** Incremental tools compare times, so the first checkout has those of the user's own files. */
async function takeTimes({ dir, root }: Pristine, paths: readonly string[]): Promise<void> {
  for (const [at, path] of paths.entries()) {
    const live = lstatSync(onDisk(joinPath(toBytes(root), path)), { throwIfNoEntry: false });
    const ours = onDisk(joinPath(toBytes(join(dir, 'tree')), path));
    if (live !== undefined && live.size === lstatSync(ours).size) lutimesSync(ours, live.atime, live.mtime);
    if (at % 2_000 === 1_999) await setImmediate();
  }
}

const namesIn = (listing: Buffer): string[] => listing.toString('latin1').split('\0').slice(0, -1);
