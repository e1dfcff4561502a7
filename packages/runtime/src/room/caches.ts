import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative } from 'node:path';

/**
 * Folders of the user in which tools keep what they need again. Gates may write there; what they write is thrown
 * away with the room.
 */
export function cacheFolders(room: string, root: string, home: string = homedir()): string[] {
  return NAMES.map((name) => join(home, name)).filter(
    (path) =>
      existsSync(path) &&
      !/[,:\\]/.test(path) &&
      !holds(path, room) &&
      !holds(path, root) &&
      !holds(root, path),
  );
}

const NAMES = [
  '.cache',
  '.cargo',
  '.gradle',
  '.m2',
  '.ivy2',
  '.npm',
  '.pnpm-store',
  '.local/share/pnpm',
  '.yarn',
  '.bun',
  '.deno',
  '.nuget',
  '.dotnet',
  '.gem',
  '.bundle',
  '.composer',
  '.hex',
  '.mix',
  '.cabal',
  '.stack',
  '.pub-cache',
  'go/pkg',
];

function holds(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
