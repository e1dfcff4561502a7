import { type Fault, fault } from '@agentgate/core';
import type { Repository } from '../workspace/repository.ts';
import { readRemote, type Remote } from './remote.ts';

/** Which forge is asked about which repository, and what it is shown. */
export interface Target {
  kind: 'target';
  provider: 'github' | 'gitlab';
  repository: string;
  base: URL;
  headers: Record<string, string>;
  advice: string;
  hide(text: string): string;
}

/** What a person says about it, and who asks. */
export interface Wish {
  /** As a sentence about a problem begins. */
  who: string;
  /** The code of its faults. */
  code: string;
  provider?: Target['provider'] | undefined;
  repository?: string | undefined;
  apiUrl?: string | undefined;
  token?: string | undefined;
  workflow?: readonly string[];
  /** What the token must allow; to read, unless told. */
  scopes?: Record<Target['provider'], string>;
}

type Provider = Target['provider'];

const forges: Record<Provider, { host: string; api: string; tokens: readonly string[]; scope: string }> = {
  github: {
    host: 'github.com',
    api: 'https://api.github.com',
    tokens: ['GITHUB_TOKEN', 'GH_TOKEN'],
    scope: 'to read checks, commit statuses, actions and contents',
  },
  gitlab: {
    host: 'gitlab.com',
    api: 'https://gitlab.com/api/v4',
    tokens: ['GITLAB_TOKEN', 'CI_JOB_TOKEN'],
    scope: 'read_api',
  },
};

/**
 * Finds what to ask from the gate and, where that is silent, from the repository's remote. The agent may write the
 * remote, so only the path of a known forge is taken from it; a token goes to no server that a person did not name.
 */
export async function findTarget(
  wish: Wish,
  repository: Repository | null,
  environment: NodeJS.ProcessEnv,
): Promise<Target | { kind: 'unable'; fault: Fault }> {
  const unable = (why: string) => ({
    kind: 'unable' as const,
    fault: fault(wish.code, `${wish.who} ${why}`),
  });
  const remote = wish.repository === undefined && repository !== null ? await readRemote(repository) : null;
  const path = wish.repository ?? remote?.path;
  if (path === undefined)
    return unable(
      `does not know which repository is meant; name it${wish.scopes ? ' in deliver of the spec' : ''}, such as repository: owner/name`,
    );
  const provider = wish.provider ?? providerOf(wish, remote);
  if (provider === undefined)
    return unable(`does not know the forge ${remote?.host ?? ''}; name provider and apiUrl`);
  const { host, api, tokens } = forges[provider];
  const scope = wish.scopes?.[provider] ?? forges[provider].scope;
  if (wish.apiUrl === undefined && remote !== null && remote.host !== host)
    return unable(`finds its remote at ${remote.host}; name the address of its API in apiUrl`);
  if (provider === 'github' && path.split('/').length !== 2)
    return unable(`cannot ask GitHub about ${path}; repository is owner/name`);
  const names = wish.token === undefined ? tokens : [wish.token];
  const name = names.find((one) => (environment[one] ?? '').trim() !== '');
  if (wish.token !== undefined && name === undefined)
    return unable(`needs the variable ${wish.token}, which is not set; set it, or correct token`);
  if (wish.scopes && name === undefined)
    return unable(`needs a token (${wish.scopes[provider]}); set ${names.join(' or ')}`);
  const token = name === undefined ? undefined : environment[name]?.trim();
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    return unable(`cannot send the token of ${name}: it has characters that no token has`);
  const advice =
    name === undefined
      ? `set ${names.join(' or ')} to a token that may see ${path} (${scope}), or correct repository`
      : `see that the token of ${name} may see ${path} (${scope}), or correct repository`;
  return {
    kind: 'target',
    provider,
    repository: path,
    base: new URL(wish.apiUrl ?? api),
    headers: headersFor(provider, name, token),
    advice,
    hide: (text) => (token === undefined ? text : text.replaceAll(token, '***')),
  };
}

/** Where the gate does not say it, the address of the API does, or the remote. */
function providerOf({ apiUrl, workflow = [] }: Wish, remote: Remote | null): Provider | undefined {
  if (workflow.length > 0) return 'github';
  if (apiUrl !== undefined) return /\/api\/v4\/?$/.test(new URL(apiUrl).pathname) ? 'gitlab' : 'github';
  if (remote === null) return 'github';
  return (['github', 'gitlab'] as const).find((one) => forges[one].host === remote.host);
}

function headersFor(
  provider: Provider,
  name: string | undefined,
  token: string | undefined,
): Record<string, string> {
  const plain = { 'user-agent': 'agentgate', accept: 'application/json' };
  if (provider === 'gitlab') {
    if (token === undefined) return plain;
    return { ...plain, [name === 'CI_JOB_TOKEN' ? 'job-token' : 'private-token']: token };
  }
  return {
    ...plain,
    accept: 'application/vnd.github+json',
    'x-github-api-version': '2022-11-28',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
