import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { diskKind, stateRoot } from '../store/index.ts';
import type { Remark } from './remark.ts';

const leastBytes = 20 * 1024 ** 2;
const scarceBytes = 1024 ** 3;

/** Where all state is kept, and whether there is room for it. */
export function lookAtState(env: NodeJS.ProcessEnv): Remark {
  const path = stateRoot(env);
  const place = nearest(path);
  const denied = whyNotWritable(place, place === path);
  if (denied !== null) {
    return {
      about: 'state',
      mark: 'bad',
      what: `${path} cannot be written: ${denied}`,
      next: 'allow it, or set AGENTGATE_STATE_DIR to a directory of yours',
      facts: { path, writable: false },
    };
  }
  return lookAtRoom(path, readDisk(place));
}

/** What is known of the disk that the state lies on. */
export interface Disk {
  freeBytes: number;
  name: string;
  network: boolean;
}

/** Whether a disk has the room and the kind that state needs; null when the system tells neither. */
export function lookAtRoom(path: string, disk: Disk | null): Remark {
  const about = 'state';
  if (disk === null) return { about, mark: 'good', what: path, facts: { path, writable: true } };
  const { freeBytes, name, network } = disk;
  const facts = { path, writable: true, freeBytes, fileSystem: name };
  const room = `${path}, ${showBytes(freeBytes)} free`;
  if (freeBytes < leastBytes) {
    return { about, mark: 'bad', what: `${room}: too little`, next: 'free some space', facts };
  }
  if (network) {
    return {
      about,
      mark: 'lacking',
      what: `${room}, on a network file system (${name}), where locks may not hold`,
      next: 'set AGENTGATE_STATE_DIR to a directory on a local disk',
      facts,
    };
  }
  if (freeBytes < scarceBytes) {
    return { about, mark: 'lacking', what: room, next: 'free some space before a long run', facts };
  }
  return { about, mark: 'good', what: room, facts };
}

function readDisk(place: string): Disk | null {
  try {
    const { bavail, bsize, type } = statfsSync(place);
    return { freeBytes: bavail * bsize, ...diskKind(type) };
  } catch {
    // Some systems do not tell; writing was tried, and that is what counts.
    return null;
  }
}

/** The directory itself, or the one in which it would be made. */
function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function whyNotWritable(place: string, itself: boolean): string | null {
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    // A full disk or a used-up quota shows only when something is written.
    if (itself) tryWriting(place);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function tryWriting(place: string): void {
  const dir = mkdtempSync(join(place, '.doctor-'));
  try {
    writeFileSync(join(dir, 'x'), 'x');
  } finally {
    rmSync(join(dir, 'x'), { force: true });
    rmdirSync(dir);
  }
}

function showBytes(bytes: number): string {
  const gib = bytes / 1024 ** 3;
  return gib >= 1 ? `${gib.toFixed(gib >= 10 ? 0 : 1)} GiB` : `${Math.floor(bytes / 1024 ** 2)} MiB`;
}
