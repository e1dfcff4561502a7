import * as z from 'zod';
import { type Api, get, refusalIn, send } from './client.ts';
import type { MadeChange, Proposal, Proposing } from './proposing.ts';
import { unknownOrDenied } from './unknown.ts';

const Branch = z.object({ commit: z.object({ id: z.string(), message: z.string() }) });
const Commit = z.object({ id: z.string() });
const Merge = z.object({ iid: z.number(), web_url: z.string() });

/** GitLab: commits by a list of actions, proposals as merge requests. */
export function proposeOnGitlab(api: Api, repository: string): Proposing {
  const home = `/projects/${encodeURIComponent(repository)}`;
  const commits = `${home}/repository/commits`;
  return {
    async tip(branch) {
      const got = await get(api, `${home}/repository/branches/${encodeURIComponent(branch)}`, Branch);
      if (got.kind === 'missing') return { kind: 'none' };
      if (got.kind !== 'page') return got;
      const { id, message } = got.body.commit;
      return { kind: 'tip', tip: { commit: id, message, tree: null, parents: [] } };
    },
    async knows(commit) {
      const got = await get(api, `${commits}/${commit}`, Commit);
      if (got.kind === 'page') return { kind: 'yes' };
      if (got.kind !== 'missing') return got;
      const why = await unknownOrDenied(api, home, repository);
      return why.kind === 'unknown' ? { kind: 'no' } : why;
    },
    async push({ parent, message, author, changes }, branch) {
      const odd = changes.find(({ after }) => after !== null && !after.mode.startsWith('100'));
      if (odd) return { kind: 'denied', why: `its API cannot write the link ${odd.path}` };
      const body = {
        branch,
        start_sha: parent,
        force: true,
        commit_message: message,
        author_name: author.name,
        author_email: author.email,
        actions: changes.flatMap(actionsOf),
      };
      const got = await send(api, 'POST', commits, body, Commit);
      return got.kind === 'page' ? { kind: 'pushed', commit: got.body.id } : refusalIn(got, api);
    },
    propose: (proposal) => propose(api, home, proposal),
  };
}

function actionsOf({ path, isThere, after }: MadeChange): object[] {
  if (after === null) return [{ action: 'delete', file_path: path }];
  const execute_filemode = after.mode === '100755';
  const content = after.content.toString('base64');
  return [
    { action: isThere ? 'update' : 'create', file_path: path, content, encoding: 'base64' },
    ...(isThere || execute_filemode ? [{ action: 'chmod', file_path: path, execute_filemode }] : []),
  ];
}

async function propose(
  api: Api,
  home: string,
  { branch, base, title, body, isDraft }: Proposal,
): ReturnType<Proposing['propose']> {
  const named = { title: isDraft ? `Draft: ${title}` : title, description: body };
  const merges = `${home}/merge_requests`;
  const query = `?state=opened&source_branch=${encodeURIComponent(branch)}`;
  const open = await get(api, `${merges}${query}`, z.array(Merge));
  if (open.kind !== 'page') return refusalIn(open, api);
  const [there] = open.body;
  const into =
    there || base !== undefined ? null : await get(api, home, z.object({ default_branch: z.string() }));
  if (into && into.kind !== 'page') return refusalIn(into, api);
  const got = there
    ? await send(api, 'PUT', `${merges}/${there.iid}`, named, Merge)
    : await send(
        api,
        'POST',
        merges,
        { ...named, source_branch: branch, target_branch: base ?? into?.body.default_branch },
        Merge,
      );
  return got.kind === 'page' ? { kind: 'proposed', url: got.body.web_url, notes: [] } : refusalIn(got, api);
}
