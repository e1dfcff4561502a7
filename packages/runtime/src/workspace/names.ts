import { type Dirent, readdirSync } from 'node:fs';
import { FaultError } from '@agentgate/core';
import { goneFault, pipeFault } from './faults.ts';
import { join, onDisk, toText } from './path.ts';

/** The names in a directory, or why there are none to be had. */
export type Names =
  | { kind: 'open'; entries: readonly Dirent[]; hasGit: boolean; hasGitignore: boolean }
  | { kind: 'closed' }
  | { kind: 'gone' };

/** Reads the names in a directory below `root`. That the root itself is gone is a fault. */
export function readNames(root: string, path: string): Names {
  try {
    const entries = readdirSync(onDisk(join(root, path)), { withFileTypes: true, encoding: 'latin1' });
    return { kind: 'open', entries, ...findMarks(entries, path) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'EACCES' || code === 'EPERM') return { kind: 'closed' };
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    if (path === '') throw new FaultError(goneFault(toText(root)));
    return { kind: 'gone' };
  }
}

function findMarks(entries: readonly Dirent[], path: string): { hasGit: boolean; hasGitignore: boolean } {
  const marks = { hasGit: false, hasGitignore: false };
  for (const entry of entries) {
    if (entry.name === '.git') marks.hasGit = true;
    if (entry.name !== '.gitignore') continue;
    // Git would open a pipe and wait for ever.
    if (isSpecial(entry)) throw new FaultError(pipeFault(join(path, entry.name)));
    marks.hasGitignore = true;
  }
  return marks;
}

function isSpecial(entry: Dirent): boolean {
  return !entry.isFile() && !entry.isDirectory() && !entry.isSymbolicLink();
}
