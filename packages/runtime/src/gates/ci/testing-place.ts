import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, vi } from 'vitest';
import type { GateRequest, Judgement, Verdict } from '@agentgate/core';
import { gateFrom, judgeGate, runOf } from '../testing.ts';
import { openForge, type Reply, type Seen } from '../../forge/testing.ts';
import { git, statuses } from './testing.ts';

export const secret = 'tok-3f9a51c07be2';

/** The repository of the test that runs now. */
export const place = { root: '', head: '', tree: '' };

const open: { close(): Promise<void> }[] = [];

/** Gives every test of a file a repository of its own with one commit, and closes the servers it opened. */
export function useRepository(): void {
  beforeEach(() => {
    vi.stubEnv('GITHUB_TOKEN', secret);
    vi.stubEnv('GITLAB_TOKEN', secret);
    place.root = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-ci-')));
    git(place.root, 'init', '-q');
    git(place.root, 'remote', 'add', 'origin', 'git@github.com:acme/widget.git');
    commit('one');
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    for (const server of open.splice(0)) await server.close();
    rmSync(place.root, { recursive: true });
  });
}

export function commit(text: string): void {
  const { root } = place;
  mkdirSync(join(root, 'pkg'), { recursive: true });
  writeFileSync(join(root, 'pkg/work.txt'), text);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', text);
  place.head = git(root, 'rev-parse', 'HEAD');
  place.tree = git(root, 'rev-parse', 'HEAD^{tree}');
}

export async function serve(answer: (request: Seen) => Reply) {
  const forge = await openForge(answer);
  open.push(forge);
  return forge;
}

/** GitHub with these check runs, and other answers by the end of their path. */
export const github = (runs: Reply, more: Record<string, Reply> = {}) =>
  serve(({ path }) => {
    const key = Object.keys(more).find((one) => path.endsWith(one));
    if (key !== undefined) return more[key]!;
    if (path === '/repos/acme/widget') return { body: { id: 1, full_name: 'acme/widget' } };
    if (path.endsWith('/check-runs')) return runs;
    return path.endsWith('/status') ? { body: statuses() } : { status: 404, body: { message: 'Not Found' } };
  });

export const judge = (options: object, request: Partial<GateRequest> = {}): Promise<Judgement> =>
  judgeGate(gateFrom({ kind: 'ci', ...options }, 'ci'), place.root, {
    marker: place.root,
    run: runOf({ tree: place.tree }),
    ...request,
  });

/** What a fresh gate says of one answer. */
export const verdictOf = async (runs: Reply, options: object = {}): Promise<Verdict> => {
  const { url } = await github(runs);
  return (await judge({ apiUrl: url, ...options }, { marker: url })).verdict;
};

export const green = { name: 'test', conclusion: 'success' };
export const red = { name: 'lint', conclusion: 'failure' };
export const queued = { name: 'test', status: 'queued', conclusion: null, completed_at: null };
