import { readFileSync, rmSync, statfsSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { replaceFile } from '../workspace/git-dir.ts';
import { dependencyKind } from './dependency-folders.ts';
import { type Leak, leaksOf } from './leaks.ts';
import { type Entry, entriesBelow, mirror, type Stamps } from './mirror.ts';

/** A path of the workspace that is in no snapshot. */
export interface Passed {
  path: string;
  isDir: boolean;
}

export interface Captured {
  /** The dependency paths that the room has. */
  paths: string[];
  leaks: Leak[];
  /** What was left out and why, one line each. */
  notes: string[];
}

const mostRebuilt = 2 * 1024 ** 3;
const mostIgnored = 1024 ** 3;
const spareBytes = 1024 ** 3;

/** Copies what the project's tools installed, as it is before anyone works. Only what changed is copied again. */
export function captureDependencies(
  root: string,
  room: string,
  passed: readonly Passed[],
): Promise<Captured> {
  return captureLayer({ root, room, layer: 'deps' }, passed, (path) => {
    const kind = dependencyKind(root, path);
    return kind === null ? null : { mostBytes: kind === 'rebuilt' ? mostRebuilt : null };
  });
}

/** Copies the other ignored files: what builds, tools and people left there before anyone works. */
export function captureIgnored(root: string, room: string, passed: readonly Passed[]): Promise<Captured> {
  return captureLayer({ root, room, layer: 'ignored' }, passed, (path) =>
    dependencyKind(root, path) === null ? { mostBytes: mostIgnored } : null,
  );
}

async function captureLayer(
  place: { root: string; room: string; layer: string },
  passed: readonly Passed[],
  choose: (path: string) => { mostBytes: number | null } | null,
): Promise<Captured> {
  const { root, room, layer } = place;
  const into = join(room, layer);
  const captured: Captured = { paths: [], leaks: [], notes: [] };
  const entries: Entry[] = [];
  for (const { path } of passed) {
    const wanted = isOurs(root, room, path) ? null : choose(path);
    if (wanted === null) continue;
    const below = [...entriesBelow(root, path)];
    const bytes = below.reduce((sum, { stat }) => sum + Number(stat.blocks) * 512, 0);
    if (wanted.mostBytes !== null && bytes > wanted.mostBytes) {
      captured.notes.push(
        `${path} is too large for the room (${Math.round(bytes / 1024 ** 2)} MB) and left out`,
      );
      continue;
    }
    captured.paths.push(path);
    captured.leaks.push(...below.flatMap((entry) => leaksOf(root, entry)));
    entries.push(...below);
  }
  const known = readStamps(room, layer);
  refuseFull(room, entries, known);
  // A kill in the middle leaves no stamps, and then everything is copied again.
  const file = stampsFile(room, layer);
  rmSync(file, { force: true });
  if (known === null) rmSync(into, { recursive: true, force: true });
  makeFolder(into);
  replaceFile(file, JSON.stringify(await mirror(root, into, entries, known ?? {})));
  return captured;
}

function stampsFile(room: string, layer: string): string {
  return join(room, `${layer}.json`);
}

function readStamps(room: string, layer: string): Stamps | null {
  try {
    return JSON.parse(readFileSync(stampsFile(room, layer), 'utf8')) as Stamps;
  } catch {
    // Never copied, or not to the end.
    return null;
  }
}

/** A copy that fills the disk would take the whole run down with it. */
function refuseFull(room: string, entries: readonly Entry[], known: Stamps | null): void {
  const fresh = known === null ? entries : entries.filter(({ path }) => !(path in known));
  const bytes = fresh.reduce((sum, { stat }) => sum + Number(stat.blocks) * 512, 0);
  const { bavail, bsize } = statfsSync(room);
  if (bytes === 0 || bytes + spareBytes <= bavail * bsize) return;
  const message = `the dependencies take ${Math.round(bytes / 1024 ** 2)} MB and the disk of ${room} has no room for a copy; free some, or let gates run in place`;
  throw new FaultError(fault('room.full', message));
}

function isOurs(root: string, room: string, path: string): boolean {
  const way = relative(join(root, path), room);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
