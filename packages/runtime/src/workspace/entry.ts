import { type BigIntStats, closeSync, constants, fstatSync, openSync, readlinkSync, readSync } from 'node:fs';
import { onDisk } from './path.ts';
import { isSameStat, readStamp, type Stamp } from './stamp.ts';
import type { Mode } from './tree.ts';

/** What lies at a path. */
export type Entry =
  | {
      kind: 'content';
      mode: Mode;
      body: Buffer /** Null when it changed under our eyes. */;
      stamp: Stamp | null;
    }
  | { kind: 'left-out'; why: string }
  | { kind: 'gone' };

/** Reads a file or a link whole. Never follows a link, never waits for a pipe. */
export function readEntry(path: string): Entry {
  try {
    const stamp = readStamp(path);
    if (stamp === null || stamp.stat.isDirectory()) return { kind: 'gone' };
    if (stamp.stat.isSymbolicLink()) return readLink(path, stamp);
    if (!stamp.stat.isFile()) return { kind: 'left-out', why: 'is not a regular file' };
    if (stamp.stat.size > MOST_BYTES) return { kind: 'left-out', why: 'is larger than 50 MB' };
    return readContent(path, stamp);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (GONE.has(code)) return { kind: 'gone' };
    if (code === 'EACCES' || code === 'EPERM') return { kind: 'left-out', why: 'cannot be read' };
    throw error;
  }
}

const MOST_BYTES = 50n * 1024n * 1024n;

// ELOOP and EINVAL: a file became a link, or a link a file, since we looked. ENXIO: it became a socket.
// The next snapshot sees what it is then.
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EINVAL', 'ENXIO']);

function readLink(path: string, stamp: Stamp): Entry {
  const body = readlinkSync(onDisk(path), 'buffer');
  return { kind: 'content', mode: '120000', body, stamp };
}

function readContent(path: string, stamp: Stamp): Entry {
  // Not blocking, in case the file has just been replaced by a pipe.
  const fd = openSync(onDisk(path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isSameStat(fstatSync(fd, { bigint: true }), stamp.stat)) return readAnyway(fd);
    const body = readUpTo(fd, Number(stamp.stat.size));
    const isWhole = isSameStat(fstatSync(fd, { bigint: true }), stamp.stat);
    return { kind: 'content', mode: modeOf(stamp.stat), body, stamp: isWhole ? stamp : null };
  } finally {
    closeSync(fd);
  }
}

/** The file was changed or replaced since we looked, so what is read now may be changing still. */
function readAnyway(fd: number): Entry {
  const stat = fstatSync(fd, { bigint: true });
  if (!stat.isFile() || stat.size > MOST_BYTES) return { kind: 'gone' };
  return { kind: 'content', mode: modeOf(stat), body: readUpTo(fd, Number(stat.size)), stamp: null };
}

function readUpTo(fd: number, size: number): Buffer {
  const body = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(fd, body, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return body.subarray(0, length);
}

function modeOf(stat: BigIntStats): Mode {
  return (stat.mode & 0o100n) === 0n ? '100644' : '100755';
}
