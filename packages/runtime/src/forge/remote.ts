import { QUIET, runGit, safeEnv } from '../workspace/git.ts';
import { findRepository, findRepositoryAbove, type Repository } from '../workspace/repository.ts';

/** A repository as a forge knows it. */
export interface Remote {
  host: string;
  path: string;
}

/** The user's repository around a workspace. */
export const repositoryOf = (home: string): Repository | null =>
  findRepository(home) ?? findRepositoryAbove(home);

/** Where the repository is pushed to: its origin, or its only remote. */
export async function readRemote(repository: Repository): Promise<Remote | null> {
  const listed = await readGit(repository, ['config', '--get-regexp', String.raw`^remote\..*\.url$`], [0, 1]);
  const remotes = listed
    .toString('utf8')
    .split('\n')
    .flatMap((line) => {
      const [, name = '', url = ''] = /^remote\.(.*)\.url (.*)$/.exec(line) ?? [];
      return url === '' ? [] : [{ name, url }];
    });
  const chosen =
    remotes.find(({ name }) => name === 'origin') ?? (remotes.length === 1 ? remotes[0] : undefined);
  return chosen === undefined ? null : parseRemote(chosen.url);
}

/** Reads the user's repository and runs nothing of it. Nothing stands in for an object but the object itself. */
export function readGit(
  { gitDir, top }: Repository,
  args: readonly string[],
  answers: readonly number[] = [0],
  input?: Buffer,
): Promise<Buffer> {
  const env = { ...safeEnv(gitDir), GIT_NO_REPLACE_OBJECTS: '1' };
  const given = input === undefined ? {} : { input };
  return runGit({ args: [...QUIET, ...args], cwd: top, env, answers, ...given });
}

/** Reads `https://host/owner/name.git`, `ssh://git@host/owner/name` and `git@host:owner/name.git`. */
export function parseRemote(url: string): Remote | null {
  const [, host, path] =
    /^(?:https?|ssh|git):\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url.trim()) ??
    /^(?:[^/@:]+@)([^/:]+):(?!\/\/)(.+)$/.exec(url.trim()) ??
    [];
  const plain = path?.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  const parts = plain?.split('/') ?? [];
  const good = parts.length >= 2 && parts.every((part) => /^[\w.-]+$/.test(part) && !/^\.+$/.test(part));
  return host !== undefined && plain !== undefined && good ? { host: host.toLowerCase(), path: plain } : null;
}
