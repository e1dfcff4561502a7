import { afterEach, describe, expect, it } from 'vitest';
import type { Api } from './client.ts';
import { proposeOnGithub } from './github-proposing.ts';
import { proposeOnGitlab } from './gitlab-proposing.ts';
import type { MadeCommit, Proposal } from './proposing.ts';
import { openForge, type Reply, type Seen } from './testing.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function api(answer: (request: Seen) => Reply): Promise<{ api: Api; seen: Seen[] }> {
  const forge = await openForge(answer);
  open.push(forge);
  const { signal } = new AbortController();
  const untilMs = performance.now() + 10_000;
  return {
    api: {
      base: new URL(forge.url),
      headers: {},
      hide: (text) => text,
      advice: 'ask somebody',
      untilMs,
      signal,
    },
    seen: forge.seen,
  };
}

const oid = (digit: string): string => digit.repeat(40);
const made: MadeCommit = {
  parent: oid('a'),
  parentTree: oid('b'),
  tree: oid('c'),
  message: 'Work.\n\nAgentGate-Run: r1\n',
  author: { name: 'Ann', email: 'ann@example.com', date: '2026-01-01T00:00:00Z' },
  changes: [
    { path: 'new.sh', isThere: false, after: { mode: '100755', oid: oid('1'), content: Buffer.from('x') } },
    { path: 'old.txt', isThere: true, after: { mode: '100644', oid: oid('2'), content: Buffer.from('y') } },
    { path: 'gone.txt', isThere: true, after: null },
  ],
};
const proposal: Proposal = {
  branch: 'agentgate/r1',
  base: undefined,
  title: 'Work.',
  body: 'Body.',
  isDraft: true,
};

describe('GitLab', () => {
  it('makes a commit of actions on a branch of its own', async () => {
    const { api: at, seen } = await api(() => ({ status: 201, body: { id: oid('d') } }));
    expect(await proposeOnGitlab(at, 'acme/tools/widget').push(made, 'agentgate/r1', null)).toEqual({
      kind: 'pushed',
      commit: oid('d'),
    });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/projects/acme/tools/widget/repository/commits',
      body: {
        branch: 'agentgate/r1',
        start_sha: oid('a'),
        force: true,
        actions: [
          { action: 'create', file_path: 'new.sh', content: 'eA==', encoding: 'base64' },
          { action: 'chmod', file_path: 'new.sh', execute_filemode: true },
          { action: 'update', file_path: 'old.txt' },
          { action: 'chmod', file_path: 'old.txt', execute_filemode: false },
          { action: 'delete', file_path: 'gone.txt' },
        ],
      },
    });
  });
  it('says that it cannot write a link', async () => {
    const { api: at, seen } = await api(() => ({ body: {} }));
    const link = {
      path: 'l',
      isThere: false,
      after: { mode: '120000', oid: oid('1'), content: Buffer.from('x') },
    };
    expect(await proposeOnGitlab(at, 'a/b').push({ ...made, changes: [link] }, 'x', null)).toMatchObject({
      kind: 'denied',
      why: expect.stringContaining('cannot write the link l'),
    });
    expect(seen).toEqual([]);
  });
  it('opens a merge request as a draft, and makes that ready later', async () => {
    const there: object[] = [];
    const { api: at, seen } = await api(({ method, path }) => {
      if (!path.includes('merge_requests')) return { body: { default_branch: 'trunk' } };
      if (method === 'GET') return { body: there };
      return { status: 201, body: { iid: 4, web_url: 'http://forge/4' } };
    });
    const hosting = proposeOnGitlab(at, 'acme/widget');
    expect(await hosting.propose(proposal)).toEqual({ kind: 'proposed', url: 'http://forge/4', notes: [] });
    expect(seen.at(-1)?.body).toMatchObject({ title: 'Draft: Work.', target_branch: 'trunk' });
    there.push({ iid: 4, web_url: 'http://forge/4' });
    await hosting.propose({ ...proposal, isDraft: false });
    expect(seen.at(-1)).toMatchObject({ method: 'PUT', body: { title: 'Work.', description: 'Body.' } });
  });
  it('tells where a branch stands, and whether a commit is known', async () => {
    const { api: at } = await api(({ path }) => {
      if (path === '/projects/acme/widget') return { body: {} };
      if (path.endsWith('/branches/x')) return { body: { commit: { id: oid('d'), message: 'hello' } } };
      return { status: 404 };
    });
    const hosting = proposeOnGitlab(at, 'acme/widget');
    expect(await hosting.tip('x')).toEqual({
      kind: 'tip',
      tip: { commit: oid('d'), message: 'hello', tree: null, parents: [] },
    });
    expect(await hosting.tip('y')).toEqual({ kind: 'none' });
    expect(await hosting.knows(oid('e'))).toEqual({ kind: 'no' });
  });
});

describe('GitHub', () => {
  it('does not propose a tree that is not the judged one', async () => {
    const { api: at } = await api(() => ({ status: 201, body: { sha: oid('9') } }));
    expect(await proposeOnGithub(at, 'acme/widget').push(made, 'x', null)).toMatchObject({
      kind: 'denied',
      why: `it made tree ${oid('9').slice(0, 12)} of ${oid('c').slice(0, 12)}`,
    });
  });
  it('opens a plain pull request where there are no drafts', async () => {
    const { api: at, seen } = await api(({ method, body }) => {
      if (method === 'GET') return { body: [] };
      const isDraft = (body as { draft?: boolean }).draft;
      if (isDraft) return { status: 422, body: { message: 'Draft pull requests are not supported' } };
      return { status: 201, body: { number: 1, html_url: 'http://forge/1', node_id: 'PR_1' } };
    });
    const told = await proposeOnGithub(at, 'acme/widget').propose({ ...proposal, base: 'main' });
    expect(told).toEqual({
      kind: 'proposed',
      url: 'http://forge/1',
      notes: ['this repository has no drafts'],
    });
    expect(seen).toHaveLength(3);
  });
  it.each<[string, Reply, string]>([
    ['refuses', { status: 403, body: { message: 'Resource not accessible' } }, 'Resource not accessible'],
    ['does not accept it', { status: 422, body: { message: 'No commits between' } }, 'No commits between'],
    [
      'sends it elsewhere',
      { status: 307, headers: { location: 'http://elsewhere.test/' } },
      'elsewhere.test',
    ],
    ['does not show it', { status: 404 }, 'not for us to write; ask somebody'],
  ])('is told when it %s', async (_name, reply, why) => {
    const { api: at } = await api(({ method }) => (method === 'GET' ? { body: [] } : reply));
    const told = await proposeOnGithub(at, 'acme/widget').propose({
      ...proposal,
      base: 'main',
      isDraft: false,
    });
    expect(told).toMatchObject({ kind: 'denied', why: expect.stringContaining(why) });
  });
});
