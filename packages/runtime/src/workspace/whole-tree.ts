import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError } from '@agentgate/core';
import { QUIET, runGit, safeEnv } from './git.ts';

/** What is missing or damaged of a tree; null when every file of it is there as it was captured. */
export async function findTreeProblem(gitDir: string, tree: string): Promise<string | null> {
  if (!existsSync(join(gitDir, 'objects'))) return `there is no git directory ${gitDir}`;
  if (!/^[0-9a-f]{40,64}$/.test(tree)) return 'its name is not one of a tree';
  try {
    await runGit({
      args: [...QUIET, 'rev-list', '--objects', '--verify-objects', '--quiet', tree],
      cwd: gitDir,
      env: safeEnv(gitDir),
    });
    return null;
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'git.failed') return lastWord(error);
    throw error;
  }
}

const lastWord = ({ fault }: FaultError): string =>
  (fault.cause ?? fault.message)
    .trim()
    .split('\n')
    .at(-1)!
    .replace(/^(fatal|error): /, '');
