import { FaultError, fault } from '@agentgate/core';
import { QUIET, runGit, safeEnv } from '../workspace/git.ts';
import type { Repository } from '../workspace/repository.ts';
import { type Forge, forgeEnv } from './commit.ts';
import { readGit } from './target.ts';

/** Below so many objects they are written one by one, as git's own fetch does. */
const looseAtMost = 100;

/** The commit that a branch of this name already is, when its tree is the same. Refuses a name that is taken. */
export async function findBranch(
  repository: Repository,
  branch: string,
  tree: string,
): Promise<string | null> {
  const ref = `refs/heads/${branch}`;
  await refuseBadName(repository, branch, ref);
  const commit = await readGit(repository, ['rev-parse', '--verify', '-q', `${ref}^{commit}`], [0, 1, 128]);
  if (commit !== '') {
    const has = await readGit(repository, ['rev-parse', '--verify', '-q', `${ref}^{tree}`], [0, 1, 128]);
    if (has === tree) return commit;
    throw refused('deliver.exists', `the branch ${branch} is there already with other work`);
  }
  await refuseCheckedOut(repository, branch, ref);
  return null;
}

/** Brings the commit into the user's store and gives it a new branch. Nothing else of the repository is touched. */
export async function makeBranch(
  forge: Forge & { repository: Repository },
  branch: string,
  { commit, head }: { commit: string; head: string | null },
): Promise<void> {
  const { repository } = forge;
  const pack = await runGit({
    args: ['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset'],
    cwd: forge.gitDir,
    env: forgeEnv(forge),
    input: Buffer.from(`${commit}\n${head === null ? '' : `^${head}\n`}`),
  });
  const few = pack.readUInt32BE(8) <= looseAtMost;
  const zeros = '0'.repeat(40);
  try {
    await writeGit(repository, few ? ['unpack-objects', '-q'] : ['index-pack', '--stdin'], pack);
    // With zeros as its old value a ref is made and never moved.
    await writeGit(repository, ['update-ref', '--no-deref', `refs/heads/${branch}`, commit, zeros]);
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'git.failed') throw error;
    const why = (error.fault.cause ?? error.message).split('\n')[0];
    throw refused('deliver.denied', `cannot make the branch ${branch} in ${repository.top}: ${why}`);
  }
}

/** Writes objects or a ref into the user's repository: no hooks, no reflog, no settings of theirs but the repository's own. */
function writeGit({ gitDir, top }: Repository, args: readonly string[], input?: Buffer): Promise<Buffer> {
  return runGit({
    args: [...QUIET, '-c', 'core.logAllRefUpdates=false', ...args],
    cwd: top,
    env: safeEnv(gitDir),
    ...(input === undefined ? {} : { input }),
  });
}

async function refuseBadName(repository: Repository, branch: string, ref: string): Promise<void> {
  const good = await readGit(repository, ['check-ref-format', ref]).then(
    () => !branch.startsWith('-') && branch !== 'HEAD',
    () => false,
  );
  if (!good) throw refused('deliver.name', `${JSON.stringify(branch)} is no name for a branch`);
}

/** A branch that is checked out but has no commit yet would become a commit under the user's feet. */
async function refuseCheckedOut(repository: Repository, branch: string, ref: string): Promise<void> {
  const list = await readGit(repository, ['worktree', 'list', '--porcelain']);
  if (!list.split('\n').includes(`branch ${ref}`)) return;
  throw refused('deliver.checked-out', `the branch ${branch} is checked out`);
}

function refused(code: string, why: string): FaultError {
  return new FaultError(
    fault(code, `${why}; give another name with --branch, or keep the work with --as commit`),
  );
}
