import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { FaultError } from '@agentgate/core';
import { envWithoutGit, QUIET, runGit, safeEnv } from './git.ts';
import { ancestors } from './path.ts';
import { readIfThere } from './read.ts';
import { readMark, readStatus } from './stamp.ts';

/** A repository of the user. We read its index and its settings and never write a byte of it. */
export interface Repository {
  /** The top of its working tree. */
  top: string;
  /** Of this working tree: holds the index. */
  gitDir: string;
  /** Of all its working trees: holds the configuration and `info/exclude`. */
  commonDir: string;
}

/** What a repository tracks below a directory. */
export interface Tracked {
  paths: ReadonlySet<string>;
  /** The directories of these paths. */
  dirs: ReadonlySet<string>;
  /** Why the list may be out of date. */
  trouble: string | null;
  /** Another number for another list. */
  version: number;
  mark: string;
  listing: Buffer;
}

export const NOTHING_TRACKED: Tracked = {
  paths: new Set(),
  dirs: new Set(),
  trouble: null,
  version: 0,
  mark: '',
  listing: Buffer.alloc(0),
};

/** The repository whose working tree starts at this directory. */
export function findRepository(top: string): Repository | null {
  const gitDir = readGitDir(join(top, '.git'));
  if (gitDir === null || !existsSync(join(gitDir, 'HEAD'))) return null;
  const common = readIfThere(join(gitDir, 'commondir'))?.toString('utf8').trim();
  return { top, gitDir, commonDir: common === undefined ? gitDir : resolve(gitDir, common) };
}

/** The repository around a directory that is not the top of one itself. */
export function findRepositoryAbove(dir: string): Repository | null {
  const above = dirname(dir);
  return above === dir ? null : (findRepository(above) ?? findRepositoryAbove(above));
}

/** What the repository tracks below `dir`, read again only when its index changed. */
export async function readTracked(repository: Repository, dir: string, before: Tracked): Promise<Tracked> {
  const mark = readMark(join(repository.gitDir, 'index'));
  if (mark === before.mark) return before;
  try {
    const env = safeEnv(repository.gitDir, repository.top);
    const listing = await runGit({ args: [...QUIET, 'ls-files', '-z'], cwd: dir, env });
    if (listing.equals(before.listing)) return { ...before, mark, trouble: null };
    return { ...parseTracked(listing), trouble: null, version: before.version + 1, mark, listing };
  } catch (error) {
    // A broken index takes nothing away that was captured, so it is worth a word and not the run.
    if (!(error instanceof FaultError) || error.fault.code !== 'git.failed') throw error;
    return { ...before, mark, trouble: error.message };
  }
}

/** The file of the user's own ignore rules, there or not. */
export async function readExcludesFile(
  repository: Repository | null,
  cwd: string,
  ours: string,
): Promise<string> {
  const env = {
    ...envWithoutGit((key) => key.startsWith('GIT_CONFIG')),
    GIT_DIR: repository?.gitDir ?? ours,
  };
  const args = ['config', '--type=path', '--get', 'core.excludesFile'];
  // 1: not set. 128: the configuration is broken; the default file is the best guess left.
  const value = await runGit({ args, cwd, env, answers: [0, 1, 128] });
  const set = value.toString('utf8').replace(/\n$/, '');
  if (set !== '') return resolve(cwd, set);
  const config = process.env['XDG_CONFIG_HOME'] || join(process.env['HOME'] ?? homedir(), '.config');
  return join(config, 'git/ignore');
}

function readGitDir(dotGit: string): string | null {
  const stat = readStatus(dotGit);
  if (stat === null || stat.isDirectory()) return stat === null ? null : dotGit;
  const pointer = /^gitdir: (.*?)\s*$/s.exec(readIfThere(dotGit)?.toString('utf8') ?? '')?.[1];
  return pointer === undefined ? null : resolve(dirname(dotGit), pointer);
}

function parseTracked(listing: Buffer): { paths: Set<string>; dirs: Set<string> } {
  const paths = new Set(listing.toString('latin1').split('\0'));
  const dirs = new Set<string>();
  for (const path of paths) {
    for (const dir of ancestors(path)) {
      if (dirs.has(dir)) break;
      dirs.add(dir);
    }
  }
  return { paths, dirs };
}
