import { renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { invariant } from '@agentgate/core';
import { makeFolder } from '../make-folder.ts';
import { readIfThere } from './read.ts';

/** Makes our bare git directory, or puts its settings right. It holds objects, refs and the index, never a branch. */
export function openGitDir(gitDir: string): void {
  for (const dir of ['objects/pack', 'refs/agentgate', 'info']) {
    makeFolder(join(gitDir, dir));
  }
  for (const [name, text] of Object.entries(FILES)) {
    if (readIfThere(join(gitDir, name))?.toString() !== text) replaceFile(join(gitDir, name), text);
  }
}

/** Keeps a tree alive under a name. The name is there with its whole value, or not at all. */
export function writeRef(gitDir: string, ref: string, tree: string): void {
  invariant(isRefName(ref), `a ref is made of plain parts, and ${ref} is not`);
  const file = join(gitDir, 'refs/agentgate', ref);
  makeFolder(dirname(file));
  replaceFile(file, `${tree}\n`);
}

/** The tree of the snapshot before, also from an earlier process. */
export function readLast(gitDir: string): string | null {
  return readIfThere(join(gitDir, LAST))?.toString().trim() ?? null;
}

export function writeLast(gitDir: string, tree: string): void {
  replaceFile(join(gitDir, LAST), `${tree}\n`);
}

/** Writes a file beside its place and moves it there, so that a kill leaves the old or the new one. */
export function replaceFile(file: string, body: string | Buffer): void {
  const beside = `${file}.new`;
  writeFileSync(beside, body);
  renameSync(beside, file);
}

const LAST = 'refs/last';

const FILES = {
  HEAD: 'ref: refs/heads/none\n',
  config: `[core]
	repositoryformatversion = 0
	bare = true
	filemode = true
	symlinks = true
	trustctime = true
	preloadIndex = true
	fsmonitor = false
	autocrlf = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	protectNTFS = false
	protectHFS = false
[gc]
	auto = 0
`,
  // These attributes beat every .gitattributes in the tree: bytes go in as they are.
  'info/attributes': '* -text !eol -ident !filter !working-tree-encoding !diff !merge\n',
};

function isRefName(ref: string): boolean {
  return ref
    .split('/')
    .every((part) => /^[A-Za-z0-9_][A-Za-z0-9._-]*$/.test(part) && !/\.\.|\.$|\.lock$|\.new$/.test(part));
}
