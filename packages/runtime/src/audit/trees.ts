import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TreeFile, type TreeReader, openTreeReader } from '../integrity/index.ts';
import { makeFolder } from '../make-folder.ts';
import { openGitDir } from '../workspace/git-dir.ts';
import type { Repository } from '../workspace/repository.ts';

/** The tree of the base and that of the workspace, side by side. */
export interface Trees {
  /** A git directory of our own in which both can be read. */
  gitDir: string;
  reader: TreeReader;
  close(): void;
}

export interface Sides {
  base: string;
  tree: string;
  /** Paths that the snapshot does not hold, and which nobody can compare. */
  leftOut: readonly string[];
}

/** Opens a view of both in `dir`: it borrows the objects of the user and of our snapshots and writes into neither. */
export function openTrees(dir: string, { commonDir }: Repository, snapshots: string, sides: Sides): Trees {
  const gitDir = join(dir, 'git');
  makeFolder(dir, 0o700);
  openGitDir(gitDir);
  makeFolder(join(gitDir, 'objects/info'));
  const borrowed = [join(commonDir, 'objects'), join(snapshots, 'objects')].map((one) => JSON.stringify(one));
  writeFileSync(join(gitDir, 'objects/info/alternates'), `${borrowed.join('\n')}\n`);
  const reader = openTreeReader(gitDir);
  return {
    gitDir,
    reader: { read: reader.read, list: (tree) => listFor(reader, tree, sides) },
    close() {
      reader.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The files of a tree, without those that cannot be compared. */
async function listFor(reader: TreeReader, tree: string, sides: Sides): Promise<readonly TreeFile[]> {
  const [base, files] = await Promise.all([reader.list(sides.base), reader.list(tree)]);
  // What a submodule holds is no part of the base; a snapshot holds its files.
  const foreign = base.filter(({ mode }) => mode === '160000').map(({ path }) => path);
  const without = new Set([...foreign, ...sides.leftOut]);
  const kept = files.filter(
    ({ path }) => !without.has(path) && !foreign.some((folder) => path.startsWith(`${folder}/`)),
  );
  return tree === sides.base ? kept : Promise.all(kept.map(withBase(base, reader)));
}

const mostBytes = 4 * 1024 * 1024;

/** Git may store a file otherwise than it lies there: with other ends of lines, or only its name in another store. */
function withBase(base: readonly TreeFile[], reader: TreeReader): (file: TreeFile) => Promise<TreeFile> {
  const before = new Map(base.map((file) => [file.path, file]));
  return async (file) => {
    const was = before.get(file.path);
    if (was === undefined || was.oid === file.oid || was.mode !== file.mode) return file;
    if (!was.mode.startsWith('100') || was.size > mostBytes) return file;
    const stored = await reader.read(was.oid);
    const pointed = pointedHash(stored);
    if (pointed === null && (was.size >= file.size || file.size > mostBytes)) return file;
    const content = await reader.read(file.oid);
    const same = pointed === null ? isSameText(stored, content) : pointed === sha256(content);
    return same ? was : file;
  };
}

/** A file that git-lfs keeps elsewhere is stored as its hash. */
function pointedHash(stored: Buffer): string | null {
  if (stored.length > 1024 || !stored.toString('latin1').startsWith('version https://git-lfs.github.com/'))
    return null;
  return /^oid sha256:([0-9a-f]{64})$/m.exec(stored.toString('latin1'))?.[1] ?? null;
}

const isSameText = (stored: Buffer, content: Buffer): boolean =>
  content.toString('latin1').replaceAll('\r\n', '\n') === stored.toString('latin1');

const sha256 = (content: Buffer): string => createHash('sha256').update(content).digest('hex');
