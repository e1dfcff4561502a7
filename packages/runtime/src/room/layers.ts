import { execFile } from 'node:child_process';
import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '../make-folder.ts';
import { cacheFolders } from './caches.ts';
import { mountRoom, removeArgv } from './mount.ts';
import { shownRepositories, type Repositories } from './repositories.ts';
import { makeRoom, type Room } from './room.ts';

export interface LayersPlace {
  /** The folder of what is written; two rooms may be open beside each other. */
  name: string;
  root: string;
  /** Our folder; the layers lie in it. */
  room: string;
  bwrap: string;
  hide: readonly string[];
  repositories: Repositories;
}

export interface Opened {
  room: Room;
  /** Ends the mounts, lets the caller take what it wants of what was written, and throws the rest away. */
  keep(take: (upper: string) => void): Promise<void>;
}

/** Mounts layers, the topmost first, with a fresh one over them that takes what is written. */
export async function openLayers(place: LayersPlace, layers: readonly string[]): Promise<Opened> {
  const { name, root, room: dir, bwrap, hide, repositories } = place;
  await sweep(dir, name);
  const caches = cacheFolders(dir, root);
  const mounted = await mountRoom({
    dir,
    name,
    lower: layers.filter((layer) => existsSync(join(dir, layer))),
    root,
    shown: shownRepositories(root, dir, repositories),
    caches,
  }).catch(async (error: unknown) => {
    await sweep(dir, name);
    throw error;
  });
  const tmp = join(dir, name, 'tmp');
  makeFolder(tmp);
  const keep = async (take: (upper: string) => void) => {
    await mounted.close();
    take(join(dir, name, 'upper'));
    await sweep(dir, name);
  };
  return { room: makeRoom({ root, bwrap, mounted, tmp, hide, caches, close: () => keep(() => {}) }), keep };
}

const OLD = /^old-\d+$/;
const run = promisify(execFile);
let count = 0;

/** Removes what this and earlier rooms wrote, also those of a process that was killed. */
async function sweep(dir: string, now: string): Promise<void> {
  makeFolder(dir, 0o700);
  if (existsSync(join(dir, now))) renameSync(join(dir, now), join(dir, `old-${Date.now()}${count++}`));
  for (const old of readdirSync(dir).filter((one) => OLD.test(one))) {
    const [program, ...args] = removeArgv(join(dir, old));
    // What cannot be removed now is tried again by the next room.
    await run(program, args, { timeout: 120_000 }).catch(() => {});
  }
}
