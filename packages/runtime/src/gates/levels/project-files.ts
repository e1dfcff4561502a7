import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { openGitDir, replaceFile } from '../../workspace/git-dir.ts';
import { runGit, safeEnv } from '../../workspace/git.ts';
import { readIgnored } from '../../workspace/ignored.ts';
import { toBytes, toText } from '../../workspace/path.ts';
import {
  findRepository,
  findRepositoryAbove,
  NOTHING_TRACKED,
  type Repository,
  readExcludesFile,
  readTracked,
} from '../../workspace/repository.ts';
import { readIfThere } from '../../workspace/read.ts';

const unlisted = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;

/**
 * The files of the project: those that are tracked and those that no rule of git ignores, relative to the root,
 * sorted. Git lists them with a directory of ours, so that nothing in the user's configuration runs.
 */
export async function listFiles(root: string): Promise<string[]> {
  const gitDir = mkdtempSync(join(tmpdir(), 'agentgate-list-'));
  try {
    openGitDir(gitDir);
    const found = await listBelow(root, gitDir);
    return found.filter((path) => !unlisted.test(path)).sort();
  } finally {
    rmSync(gitDir, { recursive: true, force: true });
  }
}

async function listBelow(dir: string, gitDir: string): Promise<string[]> {
  const repository = findRepository(dir) ?? (await findAround(dir, gitDir));
  const [open, tracked] = await Promise.all([
    listUnignored(dir, repository, gitDir),
    listTracked(dir, repository),
  ]);
  const found = new Set([...open.filter((path) => !path.endsWith('/')), ...tracked]);
  // A repository inside is told as a folder; its files are part of the work all the same.
  for (const nested of open.filter((path) => path.endsWith('/') && !unlisted.test(path))) {
    for (const path of await listBelow(join(dir, nested), gitDir)) found.add(`${nested}${path}`);
  }
  return [...found];
}

/** A repository around the project counts, unless it ignores the project: then it would hide every file. */
async function findAround(dir: string, gitDir: string): Promise<Repository | null> {
  const found = findRepositoryAbove(dir);
  if (found === null) return null;
  const paths = [toBytes(relative(found.top, dir))];
  const ruleFiles = [join(found.commonDir, 'info/exclude')];
  const ignored = await readIgnored({ gitDir, top: found.top, cwd: found.top, ruleFiles, paths });
  return ignored.size === 0 ? found : null;
}

async function listUnignored(dir: string, repository: Repository | null, gitDir: string): Promise<string[]> {
  const user = await readExcludesFile(repository, dir, gitDir);
  const own = repository === null ? [] : [join(repository.commonDir, 'info/exclude')];
  const rules = [user, ...own].flatMap((file) => readIfThere(file)?.toString() ?? []);
  replaceFile(join(gitDir, 'excludes'), `${rules.join('\n')}\n`);
  const stdout = await runGit({
    args: [
      '-c',
      `core.excludesFile=${join(gitDir, 'excludes')}`,
      'ls-files',
      '-z',
      '--others',
      '--exclude=node_modules/',
      '--exclude-standard',
    ],
    cwd: dir,
    env: safeEnv(gitDir, repository?.top ?? dir),
  });
  return pathsIn(stdout);
}

async function listTracked(dir: string, repository: Repository | null): Promise<string[]> {
  if (repository === null) return [];
  const { paths } = await readTracked(repository, dir, NOTHING_TRACKED);
  // A submodule is tracked as a folder; its files are listed by its own repository.
  const present = (path: string) =>
    lstatSync(join(dir, path), { throwIfNoEntry: false })?.isDirectory() === false;
  return [...paths]
    .filter((path) => path !== '')
    .map(toText)
    .filter(present);
}

const pathsIn = (listing: Buffer): string[] =>
  listing
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '');
