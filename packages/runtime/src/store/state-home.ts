import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { systemDisk } from './disk.ts';
import { storeFault } from './log-file.ts';
import { stateRoot } from './state-root.ts';

/** Where the state of one workspace lies, outside the workspace. */
export interface WorkspaceHome {
  root: string;
  dir: string;
  runs: string;
  plans: string;
  gitDir: string;
  lock: string;
}

/** The home of a workspace, keyed by its real path, made on first use. */
export function openHome(directory: string, env?: NodeJS.ProcessEnv): WorkspaceHome {
  const home = findHome(directory, env);
  try {
    makeFolder(home.runs, 0o700);
    const about = join(home.dir, 'workspace.json');
    if (rootIn(about) !== home.root)
      systemDisk.put(about, `${JSON.stringify({ root: home.root }, null, 2)}\n`);
  } catch (error) {
    throw new FaultError(storeFault(error, home.dir));
  }
  return home;
}

/** Where the home of a workspace is or would be. */
export function findHome(directory: string, env?: NodeJS.ProcessEnv): WorkspaceHome {
  const root = realPath(directory);
  const key = createHash('sha256').update(root).digest('hex').slice(0, 12);
  const name = basename(root).replace(/[^\w.-]+/g, '-') || 'root';
  return homeAt(root, join(stateRoot(env), 'workspaces', `${name}-${key}`));
}

/** Every workspace that has state here. */
export function listHomes(env?: NodeJS.ProcessEnv): WorkspaceHome[] {
  const parent = join(stateRoot(env), 'workspaces');
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .flatMap((dir) => {
      const root = rootIn(join(dir, 'workspace.json'));
      return root === null ? [] : [homeAt(root, dir)];
    });
}

/** Which workspace a file is about; null where it says nothing, as one that a crash left. */
function rootIn(about: string): string | null {
  try {
    const { root } = JSON.parse(readFileSync(about, 'utf8')) as { root?: unknown };
    return typeof root === 'string' ? root : null;
  } catch {
    return null;
  }
}

function homeAt(root: string, dir: string): WorkspaceHome {
  const below = (name: string) => join(dir, name);
  return {
    root,
    dir,
    runs: below('runs'),
    plans: below('plans'),
    gitDir: below('git'),
    lock: below('lock'),
  };
}

function realPath(directory: string): string {
  try {
    const path = realpathSync(resolve(directory));
    if (statSync(path).isDirectory()) return path;
    throw new Error('it is a file');
  } catch (error) {
    throw new FaultError(
      fault(
        'workspace.missing',
        `there is no directory ${resolve(directory)}; give an existing one with -C`,
        error,
      ),
    );
  }
}
