import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, invariant } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { probeSandbox } from '../sandbox/index.ts';
import { writeRef } from '../workspace/git-dir.ts';
import { EMPTY_TREE } from '../workspace/tree.ts';
import { comeAbove, namesAbove } from './above.ts';
import { copyAdded } from './added.ts';
import { type Captured, captureDependencies, captureIgnored, type Passed } from './dependencies.ts';
import { isLockFile, isManifest } from './dependency-folders.ts';
import { readKept, writeKept } from './kept.ts';
import { type LayersPlace, openLayers } from './layers.ts';
import { leakFault } from './leaks.ts';
import { keepPrepared, type Prepare, preparedName, runPrepare } from './prepare.ts';
import { bringTo, openPristine } from './pristine.ts';
import { keepSettings, type Repositories } from './repositories.ts';
import type { Room } from './room.ts';
import { type Sealed, type SealedTree, sealTree } from './sealed-tree.ts';
import { findTouched, forgetTouched } from './untouched.ts';

export interface RoomsOptions {
  /** Our own folder for this workspace's rooms. */
  home: { room: string };
  gitDir: string;
  /** The real path of the workspace. */
  root: string;
  /** What lies in the workspace and is in no snapshot. */
  workspace: { passed(): Promise<Passed[]> };
  /** Host paths that gates must not see, such as the directory of our state. */
  hide?: readonly string[];
}

export interface OpenRequest {
  sealed?: Sealed;
  /** Some gate is on a rung that shows the other ignored files. */
  ignored?: boolean;
  prepare?: Prepare;
}

/** The rooms of one workspace. Two may be open at once: of one tree, with and without the other ignored files. */
export interface Rooms {
  kind: 'rooms';
  /** Keeps the dependencies and the settings of the repositories as they are now, before anyone works. */
  capture(repositories: Repositories): Promise<Captured>;
  /** The same for the other ignored files; asked for only when a gate does not agree without them. */
  captureIgnored(): Promise<Captured>;
  /**
   * Shows a captured tree, with what is sealed in its place, and nothing that anyone wrote since. Throws a fault
   * when the room would leak, or when its dependencies cannot be installed.
   */
  open(tree: string, request?: OpenRequest): Promise<OpenedRoom>;
  /** A room with nothing in it; it may be open beside another one. */
  openEmpty(): Promise<Room>;
}

export interface OpenedRoom extends Room {
  /** Packages that were not there before anyone worked. */
  added: string[];
}

/** Finds out whether rooms can be had here, by mounting one; where not, says why. */
export async function openRooms(options: RoomsOptions): Promise<Rooms | { kind: 'none'; why: string }> {
  const sandbox = await probeSandbox();
  if (sandbox.kind === 'none') return sandbox;
  const { root, home, gitDir } = options;
  makeFolder(join(home.room, 'empty'), 0o700);
  // Read once: from here on our own memory of it counts.
  let kept = readKept(home.room);
  const place = (name = 'now'): LayersPlace => ({
    name,
    root,
    room: home.room,
    bwrap: sandbox.path,
    hide: [...(options.hide ?? []), ...comeAbove(root, kept.above)],
    repositories: kept.repositories,
  });
  try {
    await (await openLayers({ ...place('probe'), repositories: [] }, ['empty'])).room.close();
  } catch (error) {
    if (error instanceof FaultError) return { kind: 'none', why: error.message };
    throw error;
  }
  const pristine = openPristine({ dir: home.room, gitDir, root });
  const open = new Map<string, string>();
  return {
    kind: 'rooms',
    async capture(repositories) {
      await forgetTouched(home.room, 'deps', kept.capturedMs['deps']);
      const captured = await captureDependencies(root, home.room, await options.workspace.passed());
      keepSettings(root, home.room, repositories);
      kept = {
        repositories,
        leaks: captured.leaks,
        capturedMs: { deps: capturedNow() },
        above: namesAbove(root),
      };
      writeKept(home.room, kept);
      return captured;
    },
    openEmpty: async () => (await openLayers({ ...place('nothing'), repositories: [] }, ['empty'])).room,
    async captureIgnored() {
      await forgetTouched(home.room, 'ignored', kept.capturedMs['ignored']);
      const captured = await captureIgnored(root, home.room, await options.workspace.passed());
      kept = { ...kept, capturedMs: { ...kept.capturedMs, ignored: capturedNow() } };
      writeKept(home.room, kept);
      return captured;
    },
    async open(tree, request = {}) {
      if (kept.leaks.length > 0) throw new FaultError(leakFault(kept.leaks));
      const name = request.ignored ? 'now-ignored' : 'now';
      const isBeside = open.size > 0;
      invariant(!open.has(name), 'a room is closed before the next one of its kind is opened');
      let changed: string[] = [];
      const seal = async () => {
        if (request.sealed === undefined) return tree;
        const made = await sealTree(gitDir, tree, request.sealed);
        changed = made.changed;
        writeRef(gitDir, 'room', made.tree);
        return made.tree;
      };
      const show = () => (isBeside ? seal() : bringTo(pristine, seal));
      const [shown] = await Promise.all([show(), refuseTouched(home.room, kept.capturedMs)]);
      // The checkout is the lowest layer of what is mounted, and must lie still while it is.
      invariant(
        [...open.values()].every((one) => one === shown),
        'open rooms show one tree',
      );
      const { layers, added } = await layersFor(
        options,
        place(`${name}-prepare`),
        { tree: shown, changed },
        request,
      );
      const below = [...layers, ...(request.ignored ? ['ignored'] : []), 'empty'];
      const { room } = await openLayers(place(name), below);
      open.set(name, shown);
      return {
        ...room,
        added,
        async close() {
          if (open.delete(name)) await room.close();
        },
      };
    },
  };
}

/** The clock counts whole milliseconds, and what was copied last may have been so in the one that is not over. */
const capturedNow = (): number => Date.now() + 1;

async function refuseTouched(room: string, capturedMs: Record<string, number>): Promise<void> {
  for (const [layer, atMs] of Object.entries(capturedMs)) {
    const touched = await findTouched(room, layer, atMs);
    if (touched !== null) throw new FaultError(touched);
  }
}

/** What lies under the written layer: the tree over its dependencies, and over those what was installed since. */
async function layersFor(
  { home, gitDir, root, workspace }: RoomsOptions,
  place: LayersPlace,
  { tree, changed }: SealedTree,
  { sealed, prepare }: OpenRequest,
): Promise<{ layers: string[]; added: string[] }> {
  const plain = { layers: ['tree', 'deps'], added: [] };
  if (sealed === undefined || tree === EMPTY_TREE) return plain;
  if (prepare !== undefined) {
    if (!changed.some(isLockFile)) return plain;
    const name = await preparedName(gitDir, tree, prepare);
    const layer = `prepared-${name}`;
    if (!existsSync(join(home.room, layer))) await makePrepared(place, layer, prepare);
    forgetPrepared(home.room, layer);
    return { layers: [layer, ...plain.layers], added: [] };
  }
  if (!changed.some(isManifest)) return plain;
  const added = await copyAdded(root, home.room, await workspace.passed());
  if (added.leaks.length > 0) throw new FaultError(leakFault(added.leaks));
  return { layers: [...plain.layers, 'added'], added: added.paths };
}

async function makePrepared(place: LayersPlace, layer: string, prepare: Prepare): Promise<void> {
  const opened = await openLayers(place, ['tree', 'deps', 'empty']);
  let isDone = false;
  try {
    await runPrepare(opened.room, place.root, prepare);
    isDone = true;
  } finally {
    await opened.keep((upper) => {
      if (isDone) keepPrepared(upper, join(place.room, 'tree'), join(place.room, layer));
    });
  }
}

/** Each lock file of an agent's attempts would leave its whole installation behind. */
function forgetPrepared(room: string, kept: string): void {
  const others = readdirSync(room).filter((name) => name.startsWith('prepared-') && name !== kept);
  const byAge = others.map((name) => ({ name, atMs: statSync(join(room, name)).mtimeMs }));
  byAge.sort((a, b) => b.atMs - a.atMs);
  for (const { name } of byAge.slice(1)) rmSync(join(room, name), { recursive: true, force: true });
}
