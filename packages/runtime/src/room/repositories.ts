import { cpSync, existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';

/** The repositories of a workspace whose git directories gates may read: the folder of each, '' for the workspace. */
export type Repositories = readonly string[];

const KEPT = ['config', 'config.worktree', 'info', 'hooks'];

/** Keeps the settings of the repositories as they are before anyone works: they name programs that git starts. */
export function keepSettings(root: string, room: string, repositories: Repositories): void {
  rmSync(join(room, 'git'), { recursive: true, force: true });
  for (const [at, path] of repositories.entries()) {
    const git = join(root, path, '.git');
    if (!isFolder(git)) continue;
    const into = join(room, 'git', String(at));
    makeFolder(into);
    for (const name of KEPT) {
      if (existsSync(join(git, name)))
        cpSync(join(git, name), join(into, name), { recursive: true, verbatimSymlinks: true });
    }
  }
}

/** What the room shows of the git directories, read-only: the live ones, with the settings that were kept. */
export function shownRepositories(
  root: string,
  room: string,
  repositories: Repositories,
): { from: string; at: string }[] {
  return repositories.flatMap((path, at) => {
    const git = join(path, '.git');
    if (!existsSync(join(root, git)) || !existsSync(join(room, 'tree', path))) return [];
    const kept = KEPT.map((name) => ({ from: join(room, 'git', String(at), name), at: join(git, name) }));
    return [
      { from: join(root, git), at: git },
      ...kept.filter(({ from, at: place }) => existsSync(from) && existsSync(join(root, place))),
    ];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
