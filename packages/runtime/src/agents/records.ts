import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { group, type Loose } from './programs/values.ts';

/** No more of a transcript is read than its last part. */
const mostBytes = 16 * 1024 * 1024;

/** The entries of a transcript from a place on, one JSON object a line; half a line at either end is none. */
export function recordsIn(path: string | null, fromByte: number): Loose[] {
  const words = path === null ? '' : tailOf(path, fromByte);
  return words.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [group(JSON.parse(line))] : [];
    } catch {
      return [];
    }
  });
}

function tailOf(path: string, fromByte: number): string {
  let fd: number;
  try {
    // A pipe in its place would never be opened, or never end.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return '';
  }
  try {
    const stat = fstatSync(fd);
    if (!stat.isFile()) return '';
    const { size } = stat;
    const from = Math.max(fromByte, size - mostBytes, 0);
    const bytes = Buffer.alloc(Math.max(0, size - from));
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, from));
  } catch {
    return '';
  } finally {
    closeSync(fd);
  }
}
