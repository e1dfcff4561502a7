import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { QUIET, runGit, safeEnv } from '../workspace/git.ts';
import { readIgnored } from '../workspace/ignored.ts';
import { toBytes } from '../workspace/path.ts';
import {
  findRepository,
  findRepositoryAbove,
  type Repository,
  readExcludesFile,
} from '../workspace/repository.ts';

/** The user's repository that a delivery is made for, as it is read; nothing of it is written here. */
export interface Target {
  repository: Repository;
  /** Where the workspace lies in it: empty, or a path that ends in a slash. */
  prefix: string;
  /** The commit to stand on; null when there is none yet. */
  head: string | null;
  /** What a reader of the commit must know about the repository. */
  notes: string[];
}

/** Where a delivery is made from: the workspace, and our own git directory with its snapshots. */
export interface Source {
  root: string;
  gitDir: string;
}

/** Finds the repository of the workspace. Null when there is none, or when it ignores the workspace. */
export async function findTarget(source: Source, endedAt: string | null): Promise<Target | null> {
  const { root } = source;
  const repository = findRepository(root) ?? (await findAround(source));
  if (repository === null) return null;
  await refuseOtherHashes(repository);
  const inside = toBytes(relative(repository.top, root));
  const { head, notes } = await readHead(repository, endedAt);
  return {
    repository,
    prefix: inside === '' ? '' : `${inside}/`,
    head,
    notes: [...notes, ...unfinished(repository)],
  };
}

/** Runs the user's git for reading: none of their hooks, monitors or filters. */
export async function readGit(
  { gitDir, top }: Repository,
  args: readonly string[],
  answers: readonly number[] = [0],
): Promise<string> {
  const out = await runGit({ args: [...QUIET, ...args], cwd: top, env: safeEnv(gitDir), answers });
  return out.toString('utf8').trim();
}

/** Which of these paths, relative to the workspace, the user's own rules ignore. */
export async function readIgnoredPaths(
  { root, gitDir }: Source,
  repository: Repository | null,
  paths: readonly string[],
): Promise<Set<string>> {
  const own = repository === null ? [] : [join(repository.commonDir, 'info/exclude')];
  const ruleFiles = [await readExcludesFile(repository, root, gitDir), ...own];
  return readIgnored({ gitDir, top: repository?.top ?? root, cwd: root, ruleFiles, paths });
}

async function findAround(source: Source): Promise<Repository | null> {
  const found = findRepositoryAbove(source.root);
  if (found === null) return null;
  const path = toBytes(relative(found.top, source.root));
  const ruleFiles = [join(found.commonDir, 'info/exclude')];
  const ask = { gitDir: source.gitDir, top: found.top, cwd: found.top, ruleFiles, paths: [path] };
  return (await readIgnored(ask)).has(path) ? null : found;
}

async function refuseOtherHashes(repository: Repository): Promise<void> {
  const format = await readGit(repository, ['rev-parse', '--show-object-format']);
  if (format === 'sha1') return;
  const what = `the repository ${repository.top} names its objects by ${format}`;
  throw new FaultError(
    fault('deliver.format', `${what}; snapshots are named by sha1, so commit the work by hand`),
  );
}

/** The commit that HEAD was at when the run ended: what came later is merged by people, not by us. */
async function readHead(
  repository: Repository,
  endedAt: string | null,
): Promise<{ head: string | null; notes: string[] }> {
  const now = await readGit(repository, ['rev-parse', '--verify', '-q', 'HEAD^{commit}'], [0, 1, 128]);
  if (now === '' || endedAt === null) return { head: now === '' ? null : now, notes: [] };
  const then = await readGit(
    repository,
    ['rev-parse', '--verify', '-q', `HEAD@{${endedAt}}^{commit}`],
    [0, 1, 128],
  );
  if (then === '' || then === now) return { head: now, notes: [] };
  return {
    head: then,
    notes: [`HEAD has moved since the run ended; this stands on ${then.slice(0, 12)}, where it was`],
  };
}

const states: Record<string, string> = {
  MERGE_HEAD: 'a merge',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  REVERT_HEAD: 'a revert',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
};

function unfinished({ gitDir }: Repository): string[] {
  const open = Object.keys(states).filter((name) => existsSync(join(gitDir, name)));
  return [
    ...new Set(open.map((name) => `${states[name]} was under way; this commit has HEAD alone as its parent`)),
  ];
}
