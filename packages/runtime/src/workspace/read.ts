import { constants, readFileSync } from 'node:fs';

/** The whole file, or null when there is none that we may read. */
export function readIfThere(path: string): Buffer | null {
  try {
    // Not blocking, so that a pipe put there cannot hold us up.
    return readFileSync(path, { flag: FLAGS });
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}

// The type knows only the flags that have a name.
const FLAGS = (constants.O_RDONLY | constants.O_NONBLOCK) as unknown as string;
const ABSENT = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'EISDIR', 'ELOOP', 'EAGAIN', 'ENXIO']);
