import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it that are missing, or throws what the system says. Gives the first one that was
 * made; undefined where there was nothing to make. The recursive one of Node tries for ever, and hears no signal, where
 * the system says that there is no such folder though the one above is there: so it is below /proc.
 */
export function makeFolder(path: string, mode?: number): string | undefined {
  if (isFolder(path)) return undefined;
  const above = dirname(path);
  const first = above === path ? undefined : makeFolder(above, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Somebody else was faster.
    if (isFolder(path)) return first;
    throw error;
  }
  return first ?? path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // Making it says why.
    return false;
  }
}
