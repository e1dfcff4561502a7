import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { PlanState } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { entriesBelow, mirror } from '../room/mirror.ts';
import { dependencyKind } from '../room/dependency-folders.ts';
import type { WorkspaceHome } from '../store/index.ts';
import { envWithoutGit, QUIET, runGit } from '../workspace/git.ts';
import { openGitDir, writeRef } from '../workspace/git-dir.ts';
import { openWorkspace } from '../workspace/index.ts';
import { findRepository, findRepositoryAbove } from '../workspace/repository.ts';

/** Folders of worktrees lie outside of the state, so that nothing of the state is in a workspace. */
export function worktreesDir(home: WorkspaceHome, env: NodeJS.ProcessEnv = process.env): string {
  const cache = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache');
  return join(cache, 'agentgate', 'worktrees', basename(home.dir));
}

/** Where the worktree of an item is or would be. Its runs are runs of the workspace itself. */
export function worktreeHome(
  home: WorkspaceHome,
  planId: string,
  item: string,
  env?: NodeJS.ProcessEnv,
): WorkspaceHome {
  const dir = join(home.dir, 'items', `${planId}-${item}`);
  return {
    root: join(worktreesDir(home, env), planId, item),
    dir,
    runs: home.runs,
    plans: home.plans,
    gitDir: join(dir, 'git'),
    lock: join(dir, 'lock'),
  };
}

/** Makes the worktree of an item from a tree, or makes it that tree again. */
export async function makeWorktree(home: WorkspaceHome, own: WorkspaceHome, tree: string): Promise<void> {
  makeFolder(own.root);
  makeFolder(own.dir, 0o700);
  openGitDir(own.gitDir);
  // What is in the snapshots of the workspace is not copied.
  makeFolder(join(own.gitDir, 'objects', 'info'));
  writeFileSync(join(own.gitDir, 'objects', 'info', 'alternates'), `${join(home.gitDir, 'objects')}\n`);
  const workspace = await openWorkspace({ root: own.root, gitDir: own.gitDir });
  try {
    await workspace.restore(tree, 'worktree/before');
  } finally {
    await workspace.close();
  }
  await copyDependencies(home.root, own.root);
  if (findRepository(home.root) ?? findRepositoryAbove(home.root)) await initRepository(own.root);
  writeFileSync(readyMark(own), '');
}

/** Whether it was made to the end; a crash may have left half of one. */
export const isReady = (own: WorkspaceHome): boolean => existsSync(readyMark(own)) && existsSync(own.root);

const readyMark = ({ dir }: WorkspaceHome): string => join(dir, 'ready');

/** What the tools of the project installed is in no snapshot, and the item needs it all the same. */
async function copyDependencies(from: string, to: string): Promise<void> {
  const wanted = [...ignoredBelow(from, '')];
  await mirror(
    from,
    to,
    wanted.flatMap((path) => [...entriesBelow(from, path)]),
    {},
  );
}

/** Dependency folders of the project, at every level; nothing below one of them is looked at. */
function* ignoredBelow(root: string, folder: string): Generator<string> {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.name === '.git') continue;
    if (dependencyKind(root, path) !== null) yield path;
    else if (entry.isDirectory()) yield* ignoredBelow(root, path);
  }
}

/** A repository of its own for the agent: what it does there reaches nobody's branches. */
async function initRepository(root: string): Promise<void> {
  if (existsSync(join(root, '.git'))) return;
  const env = {
    ...envWithoutGit(),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'agentgate',
    GIT_AUTHOR_EMAIL: 'agentgate@localhost',
    GIT_COMMITTER_NAME: 'agentgate',
    GIT_COMMITTER_EMAIL: 'agentgate@localhost',
  };
  const git = (...args: string[]) => runGit({ args: [...QUIET, ...args], cwd: root, env });
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'the tree before this item');
}

/** Brings the trees of a run from the git directory of a worktree into that of the workspace. */
export function adoptTrees(home: WorkspaceHome, own: WorkspaceHome, runId: string): void {
  const objects = join(own.gitDir, 'objects');
  for (const name of readdirSync(objects))
    if (name !== 'info')
      // Objects are named by their content: one that is there is the same.
      cpSync(join(objects, name), join(home.gitDir, 'objects', name), {
        recursive: true,
        force: false,
        errorOnExist: false,
      });
  const refs = join(own.gitDir, 'refs', 'agentgate', 'runs', runId);
  if (existsSync(refs))
    cpSync(refs, join(home.gitDir, 'refs', 'agentgate', 'runs', runId), { recursive: true, force: true });
}

/** Keeps a tree in the workspace's own git directory under the name of a plan's item. */
export function keepTree(home: WorkspaceHome, name: string, tree: string): void {
  openGitDir(home.gitDir);
  writeRef(home.gitDir, `plans/${name}`, tree);
}

export function removeWorktree(own: WorkspaceHome): void {
  rmSync(own.root, { recursive: true, force: true });
  rmSync(own.dir, { recursive: true, force: true });
  // The folders of the plan and of the workspace around it go with the last one.
  for (const folder of [dirname(own.root), dirname(dirname(own.root))]) {
    if (existsSync(folder) && readdirSync(folder).length > 0) return;
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Worktrees whose items are settled, or no longer there, are not needed: what they held is in the workspace's git. */
export function removeIdle(
  home: WorkspaceHome,
  { planId, records }: PlanState,
  env?: NodeJS.ProcessEnv,
): void {
  const items = join(home.dir, 'items');
  if (!existsSync(items)) return;
  for (const name of readdirSync(items)) {
    if (!name.startsWith(`${planId}-`)) continue;
    const item = name.slice(planId.length + 1);
    if (records.get(item)?.status !== 'in-progress') removeWorktree(worktreeHome(home, planId, item, env));
  }
}
