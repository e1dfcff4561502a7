import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** Enough for any file that a person or an agent writes for us to read. */
const enoughBytes = 8 * 1024 * 1024;

/**
 * The text of a plain file, or null when there is none that can be read. A pipe, a device or a directory put in
 * its place is no file: it is neither waited for nor read without end.
 */
export function readRegularFile(path: string, mostBytes = enoughBytes): string | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Missing, a loop of links, or not ours to read: nothing to be had in either case.
    return null;
  }
  try {
    const { size } = fstatSync(fd);
    if (!fstatSync(fd).isFile() || size > mostBytes) return null;
    const bytes = Buffer.alloc(size);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, size, 0));
  } finally {
    closeSync(fd);
  }
}
