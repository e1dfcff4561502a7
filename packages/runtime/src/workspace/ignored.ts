import { join } from 'node:path';
import { replaceFile } from './git-dir.ts';
import { runGit, safeEnv } from './git.ts';
import { readIfThere } from './read.ts';

/** Asks git itself which of these paths, relative to `cwd`, the ignore rules of a working tree leave out. */
export async function readIgnored(request: {
  gitDir: string;
  top: string;
  cwd: string;
  /** Rule files besides the `.gitignore` files, the weakest first. */
  ruleFiles: readonly string[];
  paths: readonly string[];
}): Promise<Set<string>> {
  if (request.paths.length === 0) return new Set();
  // One file stands in for all of them, because our git directory does not know the user's info/exclude.
  const rules = join(request.gitDir, 'excludes');
  replaceFile(rules, Buffer.concat(request.ruleFiles.flatMap(readRules)));
  const stdout = await runGit({
    args: ['-c', `core.excludesFile=${rules}`, 'check-ignore', '-z', '--stdin', '--no-index'],
    cwd: request.cwd,
    env: safeEnv(request.gitDir, request.top),
    // The prefix keeps a name that starts with a colon from being read as pathspec magic.
    input: Buffer.from(request.paths.map((path) => `./${path}\0`).join(''), 'latin1'),
    answers: [0, 1],
  });
  const ignored = stdout.toString('latin1').split('\0').slice(0, -1);
  return new Set(ignored.map((path) => path.slice(2)));
}

function readRules(file: string): Buffer[] {
  const rules = readIfThere(file);
  return rules === null ? [] : [rules, Buffer.from('\n')];
}
