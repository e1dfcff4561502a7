import { relative } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { QUIET, runGit, safeEnv } from '../workspace/git.ts';
import { findRepository, findRepositoryAbove, type Repository } from '../workspace/repository.ts';
import { EMPTY_TREE } from '../workspace/tree.ts';
import type { Base } from './result.ts';

/** Where people's work usually starts from, when nothing says so. */
const mainBranches = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master', 'trunk'];

/** The repository around a workspace, and the commit that its work is compared with. Reads, and runs nothing of it. */
export async function findBase(
  root: string,
  since: string | undefined,
): Promise<{ base: Base; repository: Repository }> {
  const repository = findRepository(root) ?? findRepositoryAbove(root);
  if (repository === null) throw usage(`${root} is in no git repository; an audit compares with a commit`);
  const git = makeGit(repository);
  const head = await git.commit('HEAD');
  if (head === null) throw usage(`${repository.top} has no commit yet; an audit compares with one`);
  const chosen = since === undefined ? await byDefault(git, head) : await asAsked(git, since);
  return { repository, base: { ...chosen, tree: await treeOf(git, repository, root, chosen.commit) } };
}

type Chosen = Omit<Base, 'tree'>;

async function asAsked(git: Git, since: string): Promise<Chosen> {
  const commit = await git.commit(since);
  if (commit === null) throw usage(`there is no commit ${since}; give a commit, a branch or a tag`);
  return { commit, how: `as --since ${since} says` };
}

/** Where the work left its upstream, else the main branch; else the last commit. */
async function byDefault(git: Git, head: string): Promise<Chosen> {
  const upstream = await git.name('@{upstream}');
  for (const name of [...(upstream === null ? [] : [upstream]), ...mainBranches]) {
    const other = await git.commit(name);
    const commit = other === null ? null : await git.mergeBase(head, other);
    if (commit === null) continue;
    const how = commit === head ? `HEAD, which ${name} has too` : `where the work left ${name}`;
    return { commit, how };
  }
  return { commit: head, how: 'HEAD; there is no upstream and no main branch' };
}

async function treeOf(git: Git, { top }: Repository, root: string, commit: string): Promise<string> {
  const folder = relative(top, root);
  if (commit.length !== 40) {
    const why = 'its objects are named by SHA-256, which cannot be compared yet';
    throw new FaultError(fault('audit.unable', `cannot audit the repository ${top}: ${why}`));
  }
  const tree = await git.object(folder === '' ? `${commit}^{tree}` : `${commit}:${folder}`);
  // The whole folder may be new.
  return tree ?? EMPTY_TREE;
}

interface Git {
  commit(name: string): Promise<string | null>;
  object(name: string): Promise<string | null>;
  name(ref: string): Promise<string | null>;
  mergeBase(one: string, other: string): Promise<string | null>;
}

function makeGit({ gitDir, top }: Repository): Git {
  // Replaced objects would let somebody put another commit in the place of the base.
  const env = { ...safeEnv(gitDir, top), GIT_NO_REPLACE_OBJECTS: '1' };
  const ask = async (...args: string[]): Promise<string | null> => {
    const answer = await runGit({ args: [...QUIET, ...args], cwd: top, env, answers: [0, 1, 128] });
    return answer.toString('utf8').trim().split('\n')[0] || null;
  };
  return {
    commit: (name) => ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`),
    object: (name) => ask('rev-parse', '--verify', '--quiet', '--end-of-options', name),
    name: (ref) => ask('rev-parse', '--abbrev-ref', '--quiet', '--verify', ref),
    mergeBase: (one, other) => ask('merge-base', one, other),
  };
}

const usage = (message: string): FaultError => new FaultError(fault('usage', message));
