import { showDuration } from '@agentgate/core';
import type { Notice } from './notify.ts';

/** A redirect is followed so often, and never to another host. */
const mostHops = 3;

/** Posts the notice. Null when it was taken, otherwise what went wrong; the address is named by its host alone. */
export async function postNotice(
  address: string,
  timeoutMs: number,
  notice: Notice,
  stop?: AbortSignal,
): Promise<string | null> {
  // The whole way takes so long at most, every hop included.
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(stop ? [stop] : [])]);
  const body = JSON.stringify(notice);
  let url = new URL(address);
  const authorization = takeLogin(url);
  for (let hop = 0; ; hop++) {
    const answer = await post(url, body, authorization, { signal, stop, timeoutMs });
    if (typeof answer === 'string') return answer;
    if (answer.ok) return null;
    const next = redirectOf(answer, url);
    if (next === null) return `it answered ${answer.status}`;
    if (!isSameHost(url, next) || hop === mostHops)
      return `it answered ${answer.status} and points to ${next.host}; give the address that takes notices`;
    url = next;
  }
}

async function post(
  url: URL,
  body: string,
  authorization: Record<string, string>,
  { signal, stop, timeoutMs }: { signal: AbortSignal; stop: AbortSignal | undefined; timeoutMs: number },
): Promise<Response | string> {
  try {
    const headers = { 'content-type': 'application/json', 'user-agent': 'agentgate', ...authorization };
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    // Nobody reads the answer, however long it is.
    await response.body?.cancel();
    return response;
  } catch (error) {
    if (stop?.aborted) return 'it had not answered when the run was stopped';
    if (signal.aborted) return `no answer within ${showDuration(timeoutMs)}`;
    const cause = (error as { cause?: { code?: string } }).cause?.code;
    return `cannot reach ${url.host}${cause === undefined ? '' : ` (${cause})`}`;
  }
}

/** `fetch` takes no login in an address, so it goes where it belongs. */
function takeLogin(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {};
  const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  url.username = '';
  url.password = '';
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

/** Only these two ask for the same again elsewhere; after any other the notice would be lost. */
function redirectOf(response: Response, from: URL): URL | null {
  const location = response.headers.get('location');
  if (location === null || response.status < 300 || response.status > 399) return null;
  const next = URL.canParse(location, from.href) ? new URL(location, from) : null;
  return next === null || (response.status !== 307 && response.status !== 308) ? null : next;
}

function isSameHost(from: URL, to: URL): boolean {
  const secured = to.protocol === 'https:' || to.protocol === from.protocol;
  const port = to.port === from.port || to.protocol !== from.protocol;
  return /^https?:$/.test(to.protocol) && to.hostname === from.hostname && secured && port;
}
