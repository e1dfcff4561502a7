import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { QUIET, runGit, safeEnv } from '../workspace/git.ts';

/** Two trees that grew from one, put together. With conflicts, the tree has both sides between marks. */
export interface Merged {
  tree: string;
  conflicts: string[];
  /** Names both sides of every conflict, and what they grew from: the same twice is the same conflict. */
  fingerprint: string;
}

/** A folder that seems renamed is a guess, and one that could leave no mark. */
const plain = ['-c', 'merge.directoryRenames=false'];

/** Merges in our own git directory; nothing of the user's is read or written. */
export async function mergeTrees(
  gitDir: string,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): Promise<Merged> {
  const env = {
    ...safeEnv(gitDir),
    GIT_AUTHOR_NAME: 'agentgate',
    GIT_AUTHOR_EMAIL: 'agentgate@localhost',
    GIT_AUTHOR_DATE: '2000-01-01T00:00:00Z',
    GIT_COMMITTER_NAME: 'agentgate',
    GIT_COMMITTER_EMAIL: 'agentgate@localhost',
    GIT_COMMITTER_DATE: '2000-01-01T00:00:00Z',
  };
  const git = (args: string[], answers?: number[]) =>
    runGit({ args: [...QUIET, ...plain, ...args], cwd: gitDir, env, ...(answers ? { answers } : {}) });
  const commit = async (tree: string, ...parents: string[]) =>
    (await git(['commit-tree', tree, ...parents.flatMap((one) => ['-p', one]), '-m', 'merge']))
      .toString()
      .trim();
  const root = await commit(base);
  const [mine, other] = [await commit(ours, root), await commit(theirs, root)];
  const said = (await git(['merge-tree', '--write-tree', '-z', mine, other], [0, 1])).toString('utf8');
  const [tree, ...rest] = said.split('\0');
  if (!tree || !/^[0-9a-f]{40,64}$/.test(tree))
    throw new FaultError(fault('git.failed', `git merge-tree gave no tree: ${said.slice(0, 200)}`));
  // One entry for each side, `mode object stage<tab>path`; they end at an empty one, and messages for people follow.
  const end = rest.indexOf('');
  const sides = rest.slice(0, end === -1 ? rest.length : end).filter((one) => one !== '');
  const conflicts = [...new Set(sides.map((one) => one.slice(one.indexOf('\t') + 1)))];
  return { tree, conflicts, fingerprint: hashOf(sides) };
}

/** One tree with whatever another has otherwise, but for some paths, which stay as they are. */
export async function takeOver(
  gitDir: string,
  { tree, from, but }: { tree: string; from: string; but: readonly string[] },
): Promise<string> {
  const scratch = mkdtempSync(join(gitDir, 'index-'));
  const env = { ...safeEnv(gitDir), GIT_INDEX_FILE: join(scratch, 'index') };
  const git = async (args: string[], input?: string) => {
    const call = { args: [...QUIET, ...args], cwd: gitDir, env };
    return (
      await runGit(input === undefined ? call : { ...call, input: Buffer.from(input, 'latin1') })
    ).toString('latin1');
  };
  try {
    const raw = (
      await git(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', tree, from])
    ).split('\0');
    const stays = new Set(but.map((path) => Buffer.from(path).toString('latin1')));
    const lines: string[] = [];
    for (let at = 0; at + 1 < raw.length; at += 2) {
      const [, mode, , object] = raw[at]!.split(' ');
      const path = raw[at + 1]!;
      if (!stays.has(path)) lines.push(`${mode === '000000' ? '0' : mode} ${object}\t${path}\0`);
    }
    await git(['read-tree', tree]);
    await git(['update-index', '--add', '--replace', '-z', '--index-info'], lines.join(''));
    return (await git(['write-tree'])).trim();
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A name for what does not fit, whatever else lies in the trees. */
export const hashOf = (parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);

/** Whether the git that is here can put trees together without a checkout. */
export async function canMerge(gitDir: string): Promise<boolean> {
  try {
    const said = (await runGit({ args: ['version'], cwd: gitDir, env: safeEnv(gitDir) })).toString();
    const [major = 0, minor = 0] = (/(\d+)\.(\d+)/.exec(said) ?? []).slice(1).map(Number);
    return major > 2 || (major === 2 && minor >= 38);
  } catch {
    return false;
  }
}
