import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError } from '@agentgate/core';
import { asFault } from './faults.ts';
import { runGit, safeEnv } from './git.ts';

/** The runs of which our git directory keeps snapshots. */
export const runsWithRefs = (gitDir: string): string[] => namesBelow(join(gitDir, RUNS));

/** The plans of which our git directory keeps trees. */
export const plansWithRefs = (gitDir: string): string[] => namesBelow(join(gitDir, PLANS));

/** Lets go of a run's snapshots. What was delivered is a work of its own and stays. */
export function dropRunRefs(gitDir: string, runId: string): void {
  rmSync(join(gitDir, RUNS, runId), { recursive: true, force: true });
}

/** Lets go of the trees that a plan took, and of those that did not merge. */
export function dropPlanRefs(gitDir: string, planId: string): void {
  rmSync(join(gitDir, PLANS, planId), { recursive: true, force: true });
}

const namesBelow = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir) : []);

/** The bytes of what only the snapshots of these runs refer to; 0 where git cannot tell. */
export async function bytesOfOnly(gitDir: string, runIds: readonly string[]): Promise<number> {
  const going = runIds.flatMap((runId) => treesBelow(join(gitDir, RUNS, runId)));
  if (going.length === 0) return 0;
  const staying = (await listRefs(gitDir)).filter(({ name }) => !runIds.some((runId) => isOf(runId, name)));
  const input = [...new Set([...going, ...staying.map(({ oid }) => `^${oid}`)])].join('\n');
  try {
    return Number(await git(gitDir, ['rev-list', '--objects', '--disk-usage', '--stdin'], `${input}\n`));
  } catch (error) {
    // Something that a ref names is missing; what is freed will be told afterwards.
    if (error instanceof FaultError) return 0;
    throw error;
  }
}

/**
 * Drops what nothing refers to from our own git directory. Nobody else may be at work in it. Git's own way would also
 * drop what the repository of the user has, too, once a commit was delivered; but that may lose it any day. So all
 * that is needed is put into one pack, and everything else goes.
 */
export function dropUnreferenced(gitDir: string): Promise<void> {
  return asFault(async () => {
    const refs = await listRefs(gitDir);
    const trees = refs.filter(({ type }) => type !== 'commit').map(({ oid }) => oid);
    // Of a commit that was delivered, only what came with it: the rest is the user's history.
    const commits = refs.filter(({ type }) => type === 'commit').map(({ oid }) => `${oid}^!`);
    const needed = [...(await objectsOf(gitDir, trees)), ...(await objectsOf(gitDir, commits))];
    const objects = join(gitDir, 'objects');
    const name = needed.length === 0 ? '' : await pack(gitDir, needed);
    for (const file of readdirSync(join(objects, 'pack')))
      if (name === '' || !file.includes(name)) rmSync(join(objects, 'pack', file), { force: true });
    for (const dir of readdirSync(objects))
      if (/^[0-9a-f]{2}$/.test(dir)) rmSync(join(objects, dir), { recursive: true, force: true });
  });
}

async function objectsOf(gitDir: string, roots: readonly string[]): Promise<string[]> {
  if (roots.length === 0) return [];
  const input = `${[...new Set(roots)].join('\n')}\n`;
  const lines = (await git(gitDir, ['rev-list', '--objects', '--stdin'], input)).split('\n');
  return lines.map((line) => line.split(' ', 1)[0]!).filter((oid) => oid !== '');
}

async function pack(gitDir: string, oids: readonly string[]): Promise<string> {
  const args = ['pack-objects', '--quiet', '--window=0', join(gitDir, 'objects/pack/pack')];
  return (await git(gitDir, args, `${[...new Set(oids)].join('\n')}\n`)).trim();
}

const RUNS = 'refs/agentgate/runs';
const PLANS = 'refs/agentgate/plans';

const isOf = (runId: string, ref: string): boolean => ref.startsWith(`${RUNS}/${runId}/`);

async function listRefs(gitDir: string): Promise<{ oid: string; type: string; name: string }[]> {
  const format = '--format=%(objectname) %(objecttype) %(refname)';
  const lines = (await git(gitDir, ['for-each-ref', format])).split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [oid = '', type = '', ...name] = line.split(' ');
    return { oid, type, name: name.join(' ') };
  });
}

function treesBelow(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.new'));
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').trim());
}

async function git(gitDir: string, args: readonly string[], input?: string): Promise<string> {
  const fed = input === undefined ? {} : { input: Buffer.from(input) };
  return (await runGit({ args, cwd: gitDir, env: safeEnv(gitDir), ...fed })).toString();
}
