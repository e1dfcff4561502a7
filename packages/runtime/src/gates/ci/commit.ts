import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { FaultError } from '@agentgate/core';
import { toBytes } from '../../workspace/path.ts';
import type { Repository } from '../../workspace/repository.ts';
import { readGit } from '../../forge/remote.ts';

const mostTips = 500;

/** The commit that is checked out; null when there is none yet. */
export async function readHead(repository: Repository): Promise<string | null> {
  const out = await readGit(repository, ['rev-parse', '--verify', '-q', 'HEAD^{commit}'], [0, 1, 128]);
  return out.toString('utf8').trim() || null;
}

/**
 * Commits at which something stands, a remote's branches first since those were pushed, whose tree is exactly the
 * judged one. The agent may write this repository, so what a commit holds is taken from its own bytes.
 */
export async function findCommits(repository: Repository, home: string, tree: string): Promise<string[]> {
  const tips = await readTips(repository);
  const inside = toBytes(relative(repository.top, home));
  const names = tips.map((tip) => (inside === '' ? `${tip}^{tree}` : `${tip}:${inside}`));
  const trees = await readIds(repository, names);
  const found: string[] = [];
  for (const [at, tip] of tips.entries()) {
    if (trees[at] === tree && (await hasTree(repository, tip, inside, tree))) found.push(tip);
  }
  return found;
}

/** Whether a commit holds this tree, at the place of the workspace in its repository. */
export async function holds(
  repository: Repository,
  home: string,
  commit: string,
  tree: string,
): Promise<'yes' | 'no' | 'unknown'> {
  const known = (await readIds(repository, [commit]))[0] !== undefined;
  if (!known) return 'unknown';
  return (await hasTree(repository, commit, toBytes(relative(repository.top, home)), tree)) ? 'yes' : 'no';
}

async function readTips(repository: Repository): Promise<string[]> {
  const listed = (pattern: string) =>
    readGit(repository, [
      'for-each-ref',
      '--sort=-committerdate',
      `--count=${mostTips}`,
      '--format=%(objecttype) %(objectname)',
      pattern,
    ]);
  const [remote, local] = [await listed('refs/remotes'), await listed('refs/heads')];
  const tipsIn = (out: Buffer) =>
    [...out.toString('latin1').matchAll(/^commit ([0-9a-f]+)$/gm)].map(([, tip]) => tip ?? '');
  const head = await readHead(repository);
  const pushed = tipsIn(remote);
  // The commit that is checked out comes first among its like.
  const isPushed = head !== null && pushed.includes(head);
  const first = head === null ? [] : [head];
  return [
    ...new Set(isPushed ? [...first, ...pushed, ...tipsIn(local)] : [...pushed, ...first, ...tipsIn(local)]),
  ];
}

/** The id that each name stands for; undefined where it stands for nothing. */
async function readIds(repository: Repository, names: readonly string[]): Promise<(string | undefined)[]> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''), 'latin1');
  const out = await readGit(repository, ['cat-file', '--batch-check=%(objectname)'], [0], input);
  const lines = out.toString('latin1').split('\n');
  return names.map((_, at) => /^[0-9a-f]{40}$/.exec(lines[at] ?? '')?.[0]);
}

async function hasTree(
  repository: Repository,
  commit: string,
  inside: string,
  tree: string,
): Promise<boolean> {
  const body = await readObject(repository, 'commit', commit);
  let at = /^tree ([0-9a-f]{40})$/m.exec(body?.toString('latin1').split('\n\n')[0] ?? '')?.[1];
  for (const part of inside === '' ? [] : inside.split('/')) {
    const entries = at === undefined ? null : await readObject(repository, 'tree', at);
    at = entries === null ? undefined : folderIn(entries, part);
  }
  return at === tree;
}

/** The bytes of an object, when they are what its name says. */
async function readObject(
  repository: Repository,
  kind: 'commit' | 'tree',
  id: string,
): Promise<Buffer | null> {
  try {
    const body = await readGit(repository, ['cat-file', kind, id]);
    const name = createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex');
    return name === id ? body : null;
  } catch (error) {
    // An object that is broken or gone proves nothing.
    if (error instanceof FaultError && error.fault.code === 'git.failed') return null;
    throw error;
  }
}

/** The id of a folder in the raw bytes of a tree. */
function folderIn(entries: Buffer, name: string): string | undefined {
  for (let at = 0; at < entries.length; ) {
    const space = entries.indexOf(0x20, at);
    const zero = entries.indexOf(0, space);
    if (space === -1 || zero === -1) return undefined;
    const isFolder = entries.toString('latin1', at, space) === '40000';
    if (isFolder && entries.toString('latin1', space + 1, zero) === name)
      return entries.toString('hex', zero + 1, zero + 21);
    at = zero + 21;
  }
  return undefined;
}
