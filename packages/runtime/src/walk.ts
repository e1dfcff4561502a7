import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** What a look over a directory found, as far as it went. */
export interface Walk {
  /** Paths below the root, those near to it first. */
  files: string[];
  /** Directories below the root that are repositories of their own. */
  repositories: string[];
  /** False when there was more than the look was allowed to see. */
  whole: boolean;
}

/**
 * Looks over a directory without opening a file. What is installed, built or hidden is passed over, and links are
 * not followed.
 */
export function walk(root: string, mostEntries: number): Walk {
  const found: Walk = { files: [], repositories: [], whole: true };
  let seen = 0;
  const dirs = [''];
  for (let dir = dirs.shift(); dir !== undefined; dir = dirs.shift()) {
    const entries = readEntries(join(root, dir));
    if (dir !== '' && entries.some(({ name }) => name === '.git')) found.repositories.push(dir);
    if (entries.some(({ name }) => name === 'pyvenv.cfg')) continue;
    for (const entry of entries) {
      if (++seen > mostEntries) return { ...found, whole: false };
      const path = dir === '' ? entry.name : `${dir}/${entry.name}`;
      if (entry.isDirectory() && !isPassedOver(entry.name)) dirs.push(path);
      else if (entry.isFile()) found.files.push(path);
    }
  }
  return found;
}

const passedOver = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'target',
  'dist',
  'build',
  'out',
  'coverage',
  '__pycache__',
  'site-packages',
  '_build',
  'deps',
]);

const isPassedOver = (name: string): boolean => name.startsWith('.') || passedOver.has(name);

function readEntries(path: string): Dirent[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Gone meanwhile, or not ours to read: it shows nothing.
    return [];
  }
}
