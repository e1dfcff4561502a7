/** What is looked at before anybody is asked who they are. */
export interface Asked {
  method: string;
  path: string;
  header(name: string): string | undefined;
}

export interface Refusal {
  status: 401 | 403 | 405 | 415;
  code: string;
  message: string;
}

/**
 * Whether a request may come from where it comes. A page of somebody else's can make a browser ask us anything, with
 * the cookie of its user and under a name that leads here; the browser tells us, in these headers.
 */
export function checkOrigin(asked: Asked, hosts: ReadonlySet<string>, scheme: string): Refusal | null {
  const host = asked.header('host')?.toLowerCase() ?? '';
  if (!hosts.has(host))
    return forbid('server.host', `this server is not called ${host}; open it by the link that it printed`);
  const origin = asked.header('origin');
  // Another port of this machine is another origin.
  if (origin !== undefined && origin !== `${scheme}://${host}`)
    return forbid('server.origin', `requests from ${origin} are not answered`);
  if (!isOwnFetch(asked)) return forbid('server.fetch-site', 'requests from other sites are not answered');
  return null;
}

/** Browsers say which site a request comes from; programs say nothing. */
function isOwnFetch(asked: Asked): boolean {
  const site = asked.header('sec-fetch-site');
  if (site === undefined || site === 'same-origin') return true;
  const isVisit =
    asked.header('sec-fetch-mode') === 'navigate' && asked.header('sec-fetch-dest') === 'document';
  // A person wrote the address, or opened a bookmark.
  if (site === 'none') return asked.method === 'GET' && isVisit;
  // The link may be followed from a page, such as a terminal in a browser; it is worth nothing without its code.
  return asked.method === 'GET' && asked.path === '/login' && isVisit;
}

/** Whoever writes says JSON: no form and no simple request of a foreign page can. */
export function checkWrite(asked: Asked): Refusal | null {
  if (asked.method === 'GET') return null;
  if (asked.method !== 'POST')
    return { status: 405, code: 'server.method', message: `${asked.method} is not used here` };
  const type = asked.header('content-type') ?? '';
  if (/^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(type.trim())) return null;
  return { status: 415, code: 'server.type', message: 'send JSON, with content-type: application/json' };
}

const forbid = (code: string, message: string): Refusal => ({ status: 403, code, message });
