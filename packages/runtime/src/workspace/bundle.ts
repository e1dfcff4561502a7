import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QUIET, runGit, safeEnv } from './git.ts';
import { openGitDir } from './git-dir.ts';

/** All trees that are kept under these names, with their files, as one git bundle; null where there are none. */
export async function bundleTrees(gitDir: string, under: readonly string[]): Promise<Buffer | null> {
  const git = (...args: string[]) => runGit({ args: [...QUIET, ...args], cwd: gitDir, env: safeEnv(gitDir) });
  const prefixes = under.map((one) => `refs/agentgate/${one}/`);
  const refs = (await git('for-each-ref', '--format=%(refname)', ...prefixes)).toString().trim();
  return refs === '' ? null : git('bundle', 'create', '--quiet', '-', ...refs.split('\n'));
}

/** A git directory for the trees of a bundle, to be removed when they have been looked at. */
export async function openBundle(bundle: Buffer): Promise<{ gitDir: string; remove(): void }> {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-trees-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const gitDir = join(dir, 'git');
    openGitDir(gitDir);
    const file = join(dir, 'bundle');
    writeFileSync(file, bundle);
    await runGit({ args: [...QUIET, 'bundle', 'unbundle', file], cwd: gitDir, env: safeEnv(gitDir) });
    return { gitDir, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
