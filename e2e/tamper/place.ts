import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Base, Edit } from './case.ts';
import { placeTool, python, root } from './tools.ts';

const run = promisify(execFile);

/** A home with a project in it, as people have them. */
export interface Home {
  workspace: string;
  env: Record<string, string>;
  remove(): Promise<void>;
}

/**
 * Where the homes are made: not in a folder for temporary files, which people do not work in and gates have of their
 * own, and not in this repository, whose own scripts a command without a manifest would find above it.
 */
const places = join(homedir(), '.cache', 'agentgate-tamper');

export async function makeHome(base: Base, changes: Edit): Promise<Home> {
  await mkdir(places, { recursive: true });
  const top = await mkdtemp(join(places, `${base.runner}-`));
  const home = join(top, 'home');
  const workspace = join(home, 'projects', 'shop');
  const own = join(home, '.local', 'bin');
  await Promise.all([workspace, own].map((path) => mkdir(path, { recursive: true })));
  await cp(join(root, 'e2e', 'tamper', 'held-out'), join(top, 'held-out'), { recursive: true });
  for (const [path, text] of Object.entries({ ...base.files, ...changes })) {
    if (text === null) continue;
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
  await placeTool(base.runner, workspace);
  const path = [own, python(), dirname(process.execPath), process.env['PATH']].filter(Boolean).join(':');
  const env = { PATH: path, HOME: home, NO_COLOR: '1', TERM: 'dumb', npm_config_update_notifier: 'false' };
  await commit(workspace, env);
  return { workspace, env, remove: () => removeAll(top, workspace) };
}

async function commit(cwd: string, env: Record<string, string>): Promise<void> {
  const who = ['-c', 'user.name=t', '-c', 'user.email=t@t'];
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', '.'],
    [...who, 'commit', '-qm', 'start'],
  ])
    await run('git', words, { cwd, env });
}

/** A process that an agent left behind may still write there; it ends when the repository is gone. */
async function removeAll(top: string, workspace: string): Promise<void> {
  await run('rm', ['-rf', join(workspace, '.git')]);
  await run('rm', ['-rf', top]).catch(() => run('rm', ['-rf', top]));
}
