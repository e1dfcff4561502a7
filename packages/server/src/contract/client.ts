// Loaded by the page: it takes types from the contract and nothing that would have to be sent along.
import type * as z from 'zod';
import type { RouteKey, Routes } from './routes.ts';
import type { Problem } from './words.ts';

type Shape<K extends RouteKey, Part extends string> = Part extends keyof Routes[K] ? Routes[K][Part] : never;
export type Names<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Answer<A> = A extends z.ZodType
  ? z.output<A>
  : A extends 'text'
    ? string
    : A extends 'json'
      ? unknown
      : never;

/** What a route is asked with. */
export type Asked<K extends RouteKey> = ([Names<K>] extends [never]
  ? { params?: undefined }
  : { params: Record<Names<K>, string> }) &
  ([Shape<K, 'query'>] extends [never]
    ? { query?: undefined }
    : { query?: Shape<K, 'query'> extends z.ZodType ? Partial<z.input<Shape<K, 'query'>>> : never }) &
  ([Shape<K, 'body'>] extends [never]
    ? { body?: undefined }
    : { body: Shape<K, 'body'> extends z.ZodType ? z.input<Shape<K, 'body'>> : never });

export type Answered<K extends RouteKey> = Answer<Routes[K]['answer']>;
export type StreamKey = { [K in RouteKey]: Routes[K]['answer'] extends 'stream' ? K : never }[RouteKey];

/** A refusal of the server, with its message for a person. */
export class RefusedError extends Error {
  readonly status: number;
  readonly problem: Problem;
  constructor(status: number, problem: Problem) {
    super(problem.message);
    this.name = 'RefusedError';
    this.status = status;
    this.problem = problem;
  }
}

export interface ClientOptions {
  /** Where the server is, without a slash at the end; the page's own origin by default. */
  base?: string;
  /** For programs; a browser has a cookie. */
  token?: string;
  fetch?: typeof fetch;
}

/** Asks a route by its method and path: `ask('POST /api/…/stop', { params, body })`. */
export type Client = <K extends Exclude<RouteKey, StreamKey>>(
  route: K,
  ...asked: {} extends Asked<K> ? [asked?: Asked<K>] : [asked: Asked<K>]
) => Promise<Answered<K>>;

export function makeClient({ base = '', token, fetch: send = fetch }: ClientOptions = {}): Client {
  return async (route, ...[asked]) => {
    const { params, query, body } = (asked ?? {}) as Loose;
    const response = await send(base + addressOf(route, params, query), {
      method: route.split(' ', 1)[0]!,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new RefusedError(response.status, await problemOf(response));
    const isJson = response.headers.get('content-type')?.startsWith('application/json');
    return (isJson ? await response.json() : await response.text()) as never;
  };
}

interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** The address of a route, for `EventSource` and for links to files. */
export function addressOf(
  route: RouteKey,
  params: Record<string, string> = {},
  query: Record<string, unknown> = {},
): string {
  const path = route
    .slice(route.indexOf(' ') + 1)
    .replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const said = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) if (value !== undefined) said.append(key, String(value));
  return said.size === 0 ? path : `${path}?${said}`;
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem;
  } catch {
    return { kind: 'refused', code: 'server', message: `the server answered with ${response.status}` };
  }
}

/** The frames of a stream and what a reader does with each. */
export type Hearing<F> = { [K in keyof F]?: (data: F[K], id: string) => void };

/**
 * Listens to a stream until it is closed. A browser comes back by itself where the connection broke, and goes on behind
 * the last frame it had.
 */
export function listen<F>(
  address: string,
  hearing: Hearing<F>,
  { onState }: { onState?: (connected: boolean) => void } = {},
): { close(): void } {
  const source = new EventSource(address);
  for (const [name, hear] of Object.entries(hearing) as [string, (data: unknown, id: string) => void][])
    source.addEventListener(name, (event) => {
      const { data, lastEventId } = event as unknown as { data: string; lastEventId: string };
      hear(JSON.parse(data), lastEventId);
    });
  source.addEventListener('open', () => onState?.(true));
  source.addEventListener('error', () => onState?.(false));
  return { close: () => source.close() };
}
