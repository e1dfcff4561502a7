import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { unsealLine } from './log-read.ts';

/** What a look at a log showed. `restarted`: it is not what it was before, and is read from its first event on. */
export type Look = 'same' | 'grown' | 'restarted' | 'gone';

/** Some events as they were written, and the number of the last of them. */
export interface Chunk {
  texts: string[];
  last: number;
}

/** A log that is followed while others write it: each byte is read and hashed once. Never holds an event in memory. */
export interface LogTail {
  /** Reads what was appended since the last look. */
  look(): Look;
  /** How many good events there are as of the last look. */
  count(): number;
  /** What is wrong with the line behind the last good event; null where nothing is. */
  damage(): string | null;
  /** The events behind number `after`, at least one where there is one, and not many more bytes than `mostBytes`. */
  chunk(after: number, mostBytes: number): Chunk;
}

const blockBytes = 1 << 20;

export function openLogTail(path: string): LogTail {
  let ends: number[] = [];
  let hash = '';
  let damage: string | null = null;
  const forget = () => {
    ends = [];
    hash = '';
    damage = null;
  };
  const size = () => ends.at(-1) ?? 0;

  /** Reads on as far as the log is good and whole. */
  function advance(fd: number, bytes: number): void {
    for (;;) {
      const lines = wholeLines(fd, size(), bytes);
      if (lines.length === 0) return;
      let at = size();
      for (const line of lines) {
        const opened = unsealLine(line, hash);
        if (typeof opened === 'string') {
          damage = opened;
          return;
        }
        at += line.length + 1;
        hash = opened.hash;
        ends.push(at);
      }
    }
  }

  return {
    count: () => ends.length,
    damage: () => damage,
    look() {
      const fd = openToRead(path);
      if (fd === null) return 'gone';
      try {
        const before = ends.length;
        const bytes = fstatSync(fd).size;
        if (bytes === size() && damage === null) return 'same';
        if (bytes >= size()) advance(fd, bytes);
        // An append that failed half-way was taken back after it had been read, or somebody damaged the file.
        const isOther = bytes < size() || damage !== null;
        if (!isOther) return ends.length > before ? 'grown' : 'same';
        forget();
        advance(fd, bytes);
        return damage !== null && ends.length === before ? 'same' : 'restarted';
      } finally {
        closeSync(fd);
      }
    },
    chunk(after, mostBytes) {
      const fd = after < ends.length ? openToRead(path) : null;
      if (fd === null) return { texts: [], last: after };
      try {
        const from = after === 0 ? 0 : ends[after - 1]!;
        let last = after + 1;
        while (last < ends.length && ends[last]! - from <= mostBytes) last++;
        const bytes = readFrom(fd, from, ends[last - 1]! - from);
        return { texts: textsIn(bytes), last };
      } finally {
        closeSync(fd);
      }
    },
  };
}

/** The lines that are complete, from a place on: at least one, however long it is, or none. */
function wholeLines(fd: number, from: number, size: number): Buffer[] {
  const left = Math.max(0, size - from);
  for (let most = blockBytes; ; most *= 2) {
    const bytes = readFrom(fd, from, Math.min(most, left));
    const end = bytes.lastIndexOf(10);
    if (end !== -1) return splitLines(bytes.subarray(0, end + 1));
    if (bytes.length < most) return [];
  }
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

const sealOf = /,"hash":"[0-9a-f]{64}"\}$/;

function textsIn(bytes: Buffer): string[] {
  return splitLines(bytes).map((line) => line.toString('utf8').replace(sealOf, '}'));
}

function readFrom(fd: number, from: number, most: number): Buffer {
  const bytes = Buffer.allocUnsafe(most);
  let read = 0;
  while (read < most) {
    const some = readSync(fd, bytes, read, most - read, from + read);
    if (some === 0) break;
    read += some;
  }
  return bytes.subarray(0, read);
}

/** Null for one that was removed. */
function openToRead(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
