import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { walk } from '../walk.ts';
import { findRepository, findRepositoryAbove } from '../workspace/repository.ts';
import type { Remark } from './remark.ts';

/** How many entries are looked at: beyond that a workspace is very large, and that is all one needs to know. */
const mostEntries = 50_000;

/** The directory to work in: whether it can be written, what it is, and how large. */
export function lookAtWorkspace(root: string): Remark {
  if (!isWritable(root)) {
    return {
      about: 'workspace',
      mark: 'bad',
      what: `${root} cannot be written`,
      next: 'allow it, or work in a copy with -C',
      facts: { root, writable: false },
    };
  }
  const { files, repositories, whole } = walk(root, mostEntries);
  const own = findRepository(root);
  const above = own === null ? findRepositoryAbove(root) : null;
  const git = own
    ? 'a git repository'
    : above
      ? `inside the git repository ${above.top}`
      : 'no git repository';
  const size = sizeClass(files.length, whole);
  const nested = repositories.length > 0 ? `, ${count(repositories.length, 'nested repository')}` : '';
  const what = `${root}, ${git}, ${size} (${whole ? '' : 'more than '}${count(files.length, 'file')})${nested}`;
  const facts = {
    root,
    writable: true,
    git: own ? 'own' : above ? 'above' : 'none',
    files: files.length,
    whole,
    size,
    nested: repositories,
  };
  const next = adviceFor(root, whole);
  return next === null
    ? { about: 'workspace', mark: 'good', what, facts }
    : { about: 'workspace', mark: 'lacking', what, next, facts };
}

function adviceFor(root: string, whole: boolean): string | null {
  if (root === '/' || root === homedir())
    return 'go into the directory of a project; every file here would be captured';
  return whole ? null : 'leave out what is generated, with workspace.exclude or .gitignore';
}

function sizeClass(files: number, whole: boolean): string {
  if (!whole) return 'very large';
  return files < 2_000 ? 'small' : files < 20_000 ? 'medium' : 'large';
}

function count(n: number, noun: string): string {
  return n === 1 ? `1 ${noun}` : `${n} ${noun.replace(/y$/, 'ie')}s`;
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    // The answer itself: access reports a refusal only by throwing.
    return false;
  }
}
