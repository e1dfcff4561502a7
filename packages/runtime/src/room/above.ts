import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';

/** So many names are somebody's heap of files, and no place for settings. */
const mostNames = 500;

/** What lies in the folders above the workspace. Programs look there for packages and settings. */
export function namesAbove(root: string): string[] {
  return foldersAbove(root).flatMap((folder) => {
    const names = namesIn(folder);
    return names.length > mostNames ? [] : names.map((name) => join(folder, name));
  });
}

/** What has come there since, and could be taken in by a program that works below. */
export function comeAbove(root: string, known: readonly string[]): string[] {
  const before = new Set(known);
  return foldersAbove(root).flatMap((folder) => {
    // Nobody looked at this one.
    if (!namesIn(folder).some((name) => before.has(join(folder, name)))) return [];
    const isOwn = isBelow(homedir(), folder);
    return namesIn(folder)
      .filter((name) => !before.has(join(folder, name)) && (isOwn || takenIn.test(name)))
      .map((name) => join(folder, name))
      .slice(0, mostNames);
  });
}

/** Names that a program takes up from a folder above. Tools that were installed meanwhile are none. */
const takenIn =
  /^(?:node_modules|package\.json|pnpm-workspace\.yaml|[jt]sconfig[\w.-]*\.json|pyproject\.toml|setup\.cfg|tox\.ini|\.?pytest\.\w+|conftest\.py|go\.work|Cargo\.toml|\.(?:eslint|babel|mocha|prettier|nyc|npm|yarn|swc|c8)\w*(?:\.\w+)?|[\w.-]+\.config\.\w+|[\w.-]+\.d\.[cm]?ts)$/;

function foldersAbove(root: string): string[] {
  const found: string[] = [];
  for (let folder = dirname(root); dirname(folder) !== folder; folder = dirname(folder))
    if (folder !== '/tmp' && folder !== '/var/tmp') found.push(folder);
  return found;
}

function isBelow(above: string, path: string): boolean {
  const way = relative(above, path);
  return way !== '' && !way.startsWith('..');
}

function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    // Closed to us, and so to the gates.
    return [];
  }
}
