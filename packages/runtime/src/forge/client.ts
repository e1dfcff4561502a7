import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { cleanText } from '../process/index.ts';
import { ask, type Answered } from '../net/ask.ts';
import type { Refusal } from './refusal.ts';
import { limitOf } from './limit.ts';

/** One page of an answer, read and checked. */
export interface Page<T> {
  kind: 'page';
  body: T;
  next: URL | null;
  /** What the server's own clock says, since what it tells was timed by that. */
  nowMs: number;
}

export type Got<T> = Page<T> | { kind: 'missing' } | Refusal;

/** An API of a forge: where it is and what is sent along. */
export interface Api {
  base: URL;
  /** The token among them; sent to this one server and nowhere else. */
  headers: Record<string, string>;
  /** Takes the token out of a text. */
  hide(text: string): string;
  /** What a person can do who is not let in. */
  advice: string;
  untilMs: number;
  signal: AbortSignal;
}

const mostBytes = 8 * 1024 * 1024;
const answerMs = 20_000;
const mostHops = 3;
const mostPages = 20;

/** Asks for one address. What was read before costs nothing while it is still true. */
export async function get<T>(api: Api, path: string | URL, shape: z.ZodType<T>): Promise<Got<T>> {
  let url =
    typeof path === 'string' ? new URL(`${api.base.pathname.replace(/\/$/, '')}${path}`, api.base) : path;
  for (let hops = 0; hops <= mostHops; hops++) {
    const kept = memory.get(keyOf(api, url));
    const headers = kept === undefined ? api.headers : { ...api.headers, 'if-none-match': kept.etag };
    const timeoutMs = Math.max(1, Math.min(answerMs, api.untilMs - performance.now()));
    const asked = await ask({ url, method: 'GET', headers, timeoutMs, signal: api.signal, mostBytes });
    if (asked.kind !== 'answered') return { kind: 'trouble', why: unanswered(url, asked) };
    const to = redirectOf(url, asked);
    if (to === null) return read(api, url, asked, kept, shape);
    // An answer of somebody else says nothing about this repository, and the token is not theirs.
    if (to.origin !== api.base.origin) return { kind: 'denied', why: `it redirects to ${to.host}; ${moved}` };
    url = to;
  }
  return { kind: 'trouble', why: 'it redirects without end' };
}

/** Changes something there. Whoever is sent elsewhere with it stops: nothing is written to another place. */
export async function send<T>(
  api: Api,
  method: 'POST' | 'PATCH' | 'PUT',
  path: string,
  body: object,
  shape: z.ZodType<T>,
): Promise<Got<T>> {
  const url = new URL(`${api.base.pathname.replace(/\/$/, '')}${path}`, api.base);
  const headers = { ...api.headers, 'content-type': 'application/json' };
  const timeoutMs = Math.max(1, Math.min(answerMs, api.untilMs - performance.now()));
  const { signal } = api;
  const asked = await ask({ url, method, headers, body: JSON.stringify(body), timeoutMs, signal, mostBytes });
  if (asked.kind !== 'answered') return { kind: 'trouble', why: unanswered(url, asked) };
  const to = redirectOf(url, asked);
  if (to !== null) return { kind: 'denied', why: `it redirects to ${to.host}${to.pathname}; ${moved}` };
  // What it does not accept it will not accept the next time either.
  if (asked.status === 400 || asked.status === 409 || asked.status === 422)
    return {
      kind: 'denied',
      why: api.hide(`it does not accept it (${asked.status}: ${messageIn(asked.body)})`),
    };
  return read(api, url, asked, undefined, shape);
}

/** What is not there for somebody who writes is not theirs to write. */
export const refusalIn = (got: Exclude<Got<unknown>, { kind: 'page' }>, { advice }: Api): Refusal =>
  got.kind === 'missing'
    ? { kind: 'denied', why: `it is not there, or not for us to write; ${advice}` }
    : got;

/** Every page of a list, in the order of the server. */
export async function getAll<T>(
  api: Api,
  path: string,
  shape: z.ZodType<T>,
): Promise<{ kind: 'pages'; pages: T[]; nowMs: number } | Exclude<Got<T>, Page<T>>> {
  const pages: T[] = [];
  let next: string | URL | null = path;
  let nowMs = 0;
  while (next !== null) {
    if (pages.length === mostPages) return { kind: 'trouble', why: `it has more than ${mostPages} pages` };
    const got: Got<T> = await get(api, next, shape);
    if (got.kind !== 'page') return got;
    if (got.next !== null && got.next.origin !== api.base.origin)
      return { kind: 'denied', why: `its next page lies at ${got.next.host}; ${moved}` };
    pages.push(got.body);
    ({ next, nowMs } = got);
  }
  return { kind: 'pages', pages, nowMs };
}

const moved = 'name the address of the API in apiUrl';

function read<T>(api: Api, url: URL, answer: Answered, kept: Kept | undefined, shape: z.ZodType<T>): Got<T> {
  const { status, headers } = answer;
  const known = status === 304 && kept !== undefined ? kept : null;
  if (known === null && status !== 200 && status !== 201) return refusalOf(api, answer);
  if (answer.cut) return { kind: 'trouble', why: 'it answered with more than can be read' };
  const body = known?.body ?? answer.body;
  const link = known?.link ?? [headers['link'] ?? []].flat().join(', ');
  const parsed = shape.safeParse(parseJson(body));
  if (!parsed.success) return { kind: 'trouble', why: 'its answer is not what such an API answers' };
  if (known === null && headers.etag !== undefined) keep(keyOf(api, url), { etag: headers.etag, body, link });
  const next = /<([^<>]+)>\s*;[^,]*\brel="?next"?/.exec(link)?.[1];
  return {
    kind: 'page',
    body: parsed.data,
    next: next !== undefined && URL.canParse(next, url.href) ? new URL(next, url) : null,
    nowMs: Date.parse(headers.date ?? '') || Date.now(),
  };
}

function refusalOf(api: Api, { status, headers, body }: Answered): { kind: 'missing' } | Refusal {
  const forMs = limitOf(status, headers, body, Date.now());
  if (forMs !== null) return { kind: 'limited', forMs, why: 'it was asked too often' };
  const said = api.hide(messageIn(body));
  const answered = `it answered ${status}${said === '' ? '' : ` (${said})`}`;
  // A commit that nobody pushed is unknown; whether the repository is, too, is asked for apart.
  if (status === 404 || status === 422) return { kind: 'missing' };
  if (status === 401 || status === 403) return { kind: 'denied', why: `${answered}; ${api.advice}` };
  return { kind: 'trouble', why: answered };
}

/** The forge's own words on a refusal, one line of them. */
function messageIn(body: string): string {
  const parsed = parseJson(body);
  const { message } = (typeof parsed === 'object' && parsed !== null ? parsed : {}) as { message?: unknown };
  return typeof message === 'string' ? cleanText(message).replaceAll(/\s+/g, ' ').slice(0, 200) : '';
}

function redirectOf(url: URL, { status, location }: Answered): URL | null {
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return null;
  return URL.canParse(location, url.href) ? new URL(location, url) : null;
}

function unanswered({ host }: URL, asked: { kind: string; why?: string }): string {
  if (asked.kind === 'refused') return `nobody listens at ${host}`;
  if (asked.kind === 'late') return `${host} did not answer in time`;
  return `${host} cannot be reached: ${asked.why ?? asked.kind}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON; the shape refuses it.
    return undefined;
  }
}

interface Kept {
  etag: string;
  body: string;
  link: string;
}

const memory = new Map<string, Kept>();
const mostKept = 64;
const largestKept = 1024 * 1024;

function keep(key: string, kept: Kept): void {
  if (kept.body.length > largestKept) return;
  memory.delete(key);
  memory.set(key, kept);
  for (const oldest of memory.keys()) {
    if (memory.size <= mostKept) return;
    memory.delete(oldest);
  }
}

/** What one token may see another may not, so an answer belongs to both. */
function keyOf({ headers }: Api, { href }: URL): string {
  return createHash('sha256')
    .update(`${href}\n${JSON.stringify(headers)}`)
    .digest('hex');
}
