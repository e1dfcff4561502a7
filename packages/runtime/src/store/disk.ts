import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/**
 * What the store needs of a file system. Everything that is written is durable when the call returns: the same code
 * runs on the disk of this machine and on the simulated one, which crashes, fills up and forgets what was not synced.
 */
export interface Disk {
  exists(path: string): boolean;
  makeDir(path: string): void;
  /** The whole of a file, or its first bytes. */
  read(path: string, most?: number): Buffer;
  list(dir: string): string[];
  /** Makes the names in a directory durable, whoever has put them there. */
  settle(dir: string): void;
  /** Puts a whole file in its place at once: afterwards it is there with all of its content, or not at all. */
  put(path: string, content: string | Uint8Array): void;
  /** Overwrites a short file in place. After a power cut it may be as old as its last `durable` writing. */
  note(path: string, text: string, durable: boolean): void;
  remove(path: string): void;
  /** When the file was last written, in milliseconds since the epoch; for display. */
  writtenMs(path: string): number;
  /**
   * Something that is another for every content a file has had; null for a file that was changed so lately that a
   * further change might not show.
   */
  stamp(path: string): string | null;
  /** Opens a file for appending, and makes it where it is missing. */
  open(path: string): OpenFile;
}

export interface OpenFile {
  size(): number;
  /** Whether its name still leads to it: nobody has removed it, or put another file in its place. */
  isThere(): boolean;
  append(bytes: Uint8Array): void;
  cut(size: number): void;
  sync(): void;
  close(): void;
}

const sureAfterMs = 1_000;

export const systemDisk: Disk = {
  exists: existsSync,
  makeDir(path) {
    const first = makeFolder(path, 0o700);
    if (first === undefined) return;
    for (let made = path; made.length >= first.length; made = dirname(made)) syncDir(dirname(made));
  },
  read: (path, most) => (most === undefined ? readFileSync(path) : readHead(path, most)),
  list: (dir) => readdirSync(dir),
  settle: syncDir,
  put(path, content) {
    const part = `${path}.${randomBytes(4).toString('hex')}.part`;
    try {
      withFile(part, 'wx', (fd) => {
        writeAll(fd, Buffer.from(content));
        fdatasyncSync(fd);
      });
      renameSync(part, path);
    } catch (error) {
      rmSync(part, { force: true });
      throw error;
    }
    syncDir(dirname(path));
  },
  note(path, text, durable) {
    const isNew = !existsSync(path);
    withFile(path, isNew ? 'w' : 'r+', (fd) => {
      writeSync(fd, text, 0);
      if (durable) fdatasyncSync(fd);
    });
    if (isNew && durable) syncDir(dirname(path));
  },
  remove: (path) => rmSync(path, { force: true }),
  writtenMs: (path) => statSync(path).mtimeMs,
  stamp(path) {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(path, { bigint: true });
    // Clocks of file systems tick coarsely, and may be set.
    if (Math.abs(Date.now() - Number(ctimeMs)) < sureAfterMs || Number(ctimeMs) > Date.now()) return null;
    return [dev, ino, size, mtimeNs, ctimeNs].join(' ');
  },
  open(path) {
    const isNew = !existsSync(path);
    const fd = openSync(path, 'a', 0o600);
    if (isNew) syncDir(dirname(path));
    return {
      size: () => fstatSync(fd).size,
      isThere: () => isFileAt(path, fd),
      append: (bytes) => writeAll(fd, bytes),
      cut: (size) => ftruncateSync(fd, size),
      sync: () => fdatasyncSync(fd),
      close: () => closeSync(fd),
    };
  },
};

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
}

function isFileAt(path: string, fd: number): boolean {
  const there = statSync(path, { throwIfNoEntry: false });
  const { ino, dev } = fstatSync(fd);
  return there !== undefined && there.ino === ino && there.dev === dev;
}

/** A name is durable only once its directory is. */
function syncDir(dir: string): void {
  withFile(dir, 'r', fsyncSync);
}

function readHead(path: string, most: number): Buffer {
  const head = Buffer.alloc(most);
  return withFile(path, 'r', (fd) => head.subarray(0, readSync(fd, head)));
}

function withFile<T>(path: string, flags: string, use: (fd: number) => T): T {
  const fd = openSync(path, flags, 0o600);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}
