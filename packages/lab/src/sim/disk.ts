import type { Disk, OpenFile } from '@agentgate/runtime';

/** A file as programs see it, and as a power cut leaves it. */
interface File {
  live: Buffer;
  synced: Buffer;
  /** Whether the name is on the disk, too. */
  named: boolean;
  writtenMs: number;
}

/** What the world does to a disk while it is written to. */
export interface DiskTrouble {
  /** A point at which the machine may fail; throws when it does. */
  point(site: string): void;
  /** The part of the bytes that is written before the disk is full or the machine fails; null for all of them. */
  shortWrite(bytes: number): { written: number; code: 'ENOSPC' | 'crash' } | null;
  failsToSync(): boolean;
  isFull(): boolean;
  /** The room that was set aside is free to use. */
  slack: boolean;
  nowMs(): number;
}

export interface SimDisk extends Disk {
  /** A file that some other process makes, and never syncs. */
  touch(path: string): void;
  /** What was not synced is lost: of each file the given share of its newest bytes stays, and so does a new name or not. */
  loseUnsynced(share: number): void;
  contents(): Iterable<[string, Buffer]>;
  readonly bytes: number;
}

export function makeDisk(trouble: DiskTrouble): SimDisk {
  const files = new Map<string, File>();
  const dirs = new Set<string>();
  const stamps = new WeakMap<Buffer, string>();
  let changes = 0;
  /** What lies in each directory. */
  const names = new Map<string, Set<string>>();
  const enter = (path: string): void => {
    const at = path.lastIndexOf('/');
    const dir = path.slice(0, at);
    const there = names.get(dir);
    if (there) there.add(path.slice(at + 1));
    else names.set(dir, new Set([path.slice(at + 1)]));
  };
  const leave = (path: string): void => {
    const at = path.lastIndexOf('/');
    names.get(path.slice(0, at))?.delete(path.slice(at + 1));
    files.delete(path);
  };
  const fileAt = (path: string): File => {
    const file = files.get(path);
    if (!file) throw errorOf('ENOENT');
    return file;
  };
  const make = (path: string): File => {
    const file = { live: none, synced: none, named: false, writtenMs: trouble.nowMs() };
    files.set(path, file);
    enter(path);
    return file;
  };
  return {
    exists: (path) => files.has(path) || dirs.has(path),
    makeDir(path) {
      trouble.point('mkdir');
      if (trouble.isFull()) throw errorOf('ENOSPC');
      for (let dir = path; dir !== ''; dir = dir.slice(0, dir.lastIndexOf('/'))) {
        dirs.add(dir);
        enter(dir);
      }
      trouble.point('mkdir done');
    },
    read(path, most) {
      const { live } = fileAt(path);
      return most === undefined ? live : live.subarray(0, most);
    },
    list: (dir) => [...(names.get(dir) ?? [])],
    settle(dir) {
      for (const name of names.get(dir) ?? []) {
        const file = files.get(`${dir}/${name}`);
        if (file) file.named = true;
      }
    },
    put(path, content) {
      trouble.point('put');
      // Room that is set aside is none until it is given up.
      if (path.endsWith('.reserve')) trouble.slack = false;
      if (trouble.isFull()) throw errorOf('ENOSPC');
      if (trouble.failsToSync()) throw errorOf('EIO');
      const bytes = Buffer.from(content);
      files.set(path, { live: bytes, synced: bytes, named: false, writtenMs: trouble.nowMs() });
      enter(path);
      trouble.point('put renamed');
      fileAt(path).named = true;
      trouble.point('put done');
    },
    note(path, text, durable) {
      // What is overwritten in place needs no new room.
      if (trouble.isFull() && !files.has(path)) throw errorOf('ENOSPC');
      const file = files.get(path) ?? make(path);
      file.live = Buffer.from(text);
      file.writtenMs = trouble.nowMs();
      if (!durable) return;
      file.synced = file.live;
      file.named = true;
    },
    remove(path) {
      trouble.point('remove');
      leave(path);
      if (path.endsWith('.reserve')) trouble.slack = true;
      trouble.point('remove done');
    },
    writtenMs: (path) => fileAt(path).writtenMs,
    // Every change puts another buffer in the place of the one before it.
    stamp(path) {
      const { live } = fileAt(path);
      if (!stamps.has(live)) stamps.set(live, String((changes += 1)));
      return stamps.get(live)!;
    },
    open(path) {
      trouble.point('open');
      const file = files.get(path) ?? make(path);
      file.named = true;
      return openFile(file, trouble, () => files.get(path) === file);
    },
    touch: (path) => void make(path),
    loseUnsynced(share) {
      for (const [path, file] of files) {
        if (!file.named && share < 0.5) leave(path);
        file.live = afterPowerCut(file, share);
        file.synced = file.live;
      }
    },
    contents: () => [...files].map(([path, { live }]): [string, Buffer] => [path, live]),
    get bytes() {
      return [...files.values()].reduce((sum, { live }) => sum + live.length, 0);
    },
  };
}

const none = Buffer.alloc(0);

function openFile(file: File, trouble: DiskTrouble, isThere: () => boolean): OpenFile {
  return {
    size: () => file.live.length,
    isThere,
    append(bytes) {
      const site = `append ${/"kind":"([a-z.]+)"/.exec(String(Buffer.from(bytes.subarray(0, 200))))?.[1] ?? ''}`;
      trouble.point(site);
      const short = trouble.shortWrite(bytes.length);
      file.live = Buffer.concat([file.live, short ? bytes.subarray(0, short.written) : bytes]);
      file.writtenMs = trouble.nowMs();
      if (short?.code === 'ENOSPC') throw errorOf('ENOSPC');
      trouble.point(`${site} done`);
    },
    cut(size) {
      trouble.point('cut');
      file.live = file.live.subarray(0, size);
      trouble.point('cut done');
    },
    sync() {
      trouble.point('sync');
      if (trouble.failsToSync()) throw errorOf('EIO');
      file.synced = file.live;
      trouble.point('synced');
    },
    close: () => undefined,
  };
}

/** A tail that only grew may survive in part; what was overwritten or cut is as it was, or as it is. */
function afterPowerCut({ live, synced }: File, share: number): Buffer {
  const grew = live.length >= synced.length && live.subarray(0, synced.length).equals(synced);
  if (!grew) return share < 0.5 ? synced : live;
  return live.subarray(0, synced.length + Math.floor((live.length - synced.length) * share));
}

function errorOf(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(code), { code });
}
