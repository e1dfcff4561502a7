import * as z from 'zod';
import { type Api, get, type Got, refusalIn, send } from './client.ts';
import type { MadeChange, MadeCommit, Proposal, Proposing } from './proposing.ts';
import { unknownOrDenied } from './unknown.ts';

const Sha = z.object({ sha: z.string().regex(/^[0-9a-f]{40}$/) });
const Ref = z.object({ object: Sha });
const Commit = Sha.extend({ message: z.string(), tree: Sha, parents: z.array(Sha) });
const Pull = z.object({
  number: z.number(),
  html_url: z.string(),
  draft: z.boolean().nullish(),
  node_id: z.string(),
});
type Pull = z.infer<typeof Pull>;

/** GitHub: commits by its database of objects, proposals as pull requests. */
export function proposeOnGithub(api: Api, repository: string): Proposing {
  const home = `/repos/${repository}`;
  return {
    async tip(branch) {
      const ref = await get(api, `${home}/git/ref/heads/${branch}`, Ref);
      if (ref.kind === 'missing') return { kind: 'none' };
      if (ref.kind !== 'page') return ref;
      const commit = await get(api, `${home}/git/commits/${ref.body.object.sha}`, Commit);
      if (commit.kind !== 'page') return refusalIn(commit, api);
      const { sha, message, tree, parents } = commit.body;
      return {
        kind: 'tip',
        tip: { commit: sha, message, tree: tree.sha, parents: parents.map((one) => one.sha) },
      };
    },
    async knows(commit) {
      const got = await get(api, `${home}/git/commits/${commit}`, Sha);
      if (got.kind === 'page') return { kind: 'yes' };
      if (got.kind !== 'missing') return got;
      const why = await unknownOrDenied(api, home, repository);
      return why.kind === 'unknown' ? { kind: 'no' } : why;
    },
    async push(commit, branch, from) {
      const made = await makeCommit(api, home, commit);
      if (made.kind !== 'page') return refusalIn(made, api);
      const { sha } = made.body;
      // Making it took a while; what somebody has pushed meanwhile is not ours to move.
      const now = await get(api, `${home}/git/ref/heads/${branch}`, Ref);
      const stands = now.kind === 'page' ? now.body.object.sha : null;
      if (stands !== from) return { kind: 'trouble', why: `the branch ${branch} was moved meanwhile` };
      const moved =
        from === null
          ? await send(api, 'POST', `${home}/git/refs`, { ref: `refs/heads/${branch}`, sha }, Ref)
          : await send(api, 'PATCH', `${home}/git/refs/heads/${branch}`, { sha, force: true }, Ref);
      return moved.kind === 'page' ? { kind: 'pushed', commit: sha } : refusalIn(moved, api);
    },
    propose: (proposal) => propose(api, repository, proposal),
  };
}

/** So many files are sent beside each other. */
const atOnce = 6;

async function makeCommit(api: Api, home: string, made: MadeCommit): Promise<Got<z.infer<typeof Sha>>> {
  const entries: object[] = [];
  for (let at = 0; at < made.changes.length; at += atOnce) {
    const some = made.changes.slice(at, at + atOnce);
    for (const entry of await Promise.all(some.map((change) => entryOf(api, home, change)))) {
      if (entry.kind !== 'entry') return entry;
      entries.push(entry.entry);
    }
  }
  const tree = await send(
    api,
    'POST',
    `${home}/git/trees`,
    { base_tree: made.parentTree, tree: entries },
    Sha,
  );
  if (tree.kind !== 'page') return tree;
  // Every byte of it is what was judged, or it is not proposed.
  if (tree.body.sha !== made.tree)
    return { kind: 'denied', why: `it made tree ${tree.body.sha.slice(0, 12)} of ${made.tree.slice(0, 12)}` };
  const { message, parent, author } = made;
  const body = { message, tree: made.tree, parents: [parent], author, committer: author };
  return send(api, 'POST', `${home}/git/commits`, body, Sha);
}

async function entryOf(
  api: Api,
  home: string,
  { path, after }: MadeChange,
): Promise<{ kind: 'entry'; entry: object } | Exclude<Got<unknown>, { kind: 'page' }>> {
  if (after === null) return { kind: 'entry', entry: { path, mode: '100644', type: 'blob', sha: null } };
  const entry = { path, mode: after.mode, type: 'blob', sha: after.oid };
  const blob = { content: after.content.toString('base64'), encoding: 'base64' };
  const got = await send(api, 'POST', `${home}/git/blobs`, blob, Sha);
  return got.kind === 'page' ? { kind: 'entry', entry } : got;
}

async function propose(
  api: Api,
  repository: string,
  { branch, base, title, body, isDraft }: Proposal,
): ReturnType<Proposing['propose']> {
  const home = `/repos/${repository}`;
  const head = `${repository.split('/')[0]}:${branch}`;
  const open = await get(api, `${home}/pulls?state=open&head=${encodeURIComponent(head)}`, z.array(Pull));
  if (open.kind !== 'page') return refusalIn(open, api);
  const [there] = open.body;
  if (there) {
    const told = await send(api, 'PATCH', `${home}/pulls/${there.number}`, { title, body }, Pull);
    if (told.kind !== 'page') return refusalIn(told, api);
    return { kind: 'proposed', url: there.html_url, notes: isDraft ? [] : await makeReady(api, there) };
  }
  const into = base === undefined ? await get(api, home, z.object({ default_branch: z.string() })) : null;
  if (into && into.kind !== 'page') return refusalIn(into, api);
  const asked = { title, body, head: branch, base: base ?? into?.body.default_branch };
  const made = await send(api, 'POST', `${home}/pulls`, { ...asked, draft: isDraft }, Pull);
  if (made.kind === 'page') return { kind: 'proposed', url: made.body.html_url, notes: [] };
  // Some repositories have no drafts.
  if (made.kind !== 'denied' || !isDraft || !/draft/i.test(made.why)) return refusalIn(made, api);
  const plain = await send(api, 'POST', `${home}/pulls`, asked, Pull);
  if (plain.kind !== 'page') return refusalIn(plain, api);
  return { kind: 'proposed', url: plain.body.html_url, notes: ['this repository has no drafts'] };
}

/** A draft becomes a proposal; only the newer of its two APIs can do that. */
async function makeReady(api: Api, { draft, node_id }: Pull): Promise<string[]> {
  if (!draft) return [];
  const query =
    'mutation($id: ID!) { markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }';
  // The address of an own server ends in /api/v3, and the other API lies beside it.
  const base = new URL(api.base.pathname.replace(/\/v3\/?$/, ''), api.base);
  const answer = z.object({ data: z.object({}).nullish(), errors: z.array(z.object({})).nullish() });
  const got = await send({ ...api, base }, 'POST', '/graphql', { query, variables: { id: node_id } }, answer);
  return got.kind === 'page' && !got.body.errors?.length
    ? []
    : ['it is still a draft; mark it as ready by hand'];
}
