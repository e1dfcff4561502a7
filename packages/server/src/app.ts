import { type Context, Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Assets } from './assets.ts';
import { PlanId, type Problem, Ref, type Route, routes, RunId, WorkspaceId } from './contract/index.ts';
import { checkOrigin, checkWrite, type Refusal } from './entrance/check.ts';
import { safeHeaders } from './entrance/headers.ts';
import { readJson } from './read-json.ts';
import { closedPage, unbuiltPage, welcomePage } from './entrance/pages.ts';
import type { Links } from './entrance/links.ts';
import { type Pass, passMs } from './entrance/pass.ts';
import { sameSecret } from './entrance/token.ts';
import { invalid, problemOf, type ProblemStatus } from './problem.ts';
import { Json, TextFile } from './routes/handler.ts';

export interface Entrance {
  token: string;
  pass: Pass;
  links: Links;
  scheme: 'http' | 'https';
  /** The names by which the server may be called; known once it listens. */
  hosts(): ReadonlySet<string>;
}

/** Any handler, after its request was read. */
type Answering = (asked: {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
  lastId: string | undefined;
  gone: AbortSignal;
}) => unknown;

/**
 * Everything that is answered. The order is the safety: who calls us and from where, then who it is, then how large and
 * of which kind, and only then what is asked for.
 */
export function makeApp(
  entrance: Entrance,
  handlers: Readonly<Record<string, Answering>>,
  { assets, onBug }: { assets: Assets; onBug: (error: unknown) => void },
): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(safeHeaders))
      if (!(name === 'cache-control' && c.res.headers.has(name))) c.res.headers.set(name, value);
  });
  app.use(async (c, next) => {
    const refusal = checkOrigin(askedOf(c), entrance.hosts(), entrance.scheme);
    return refusal ? refuse(c, refusal) : next();
  });
  app.get('/login', (c) => login(c, entrance));
  app.use(async (c, next) => (isKnown(c, entrance) ? next() : shutOut(c)));
  app.use(async (c, next) => {
    const refusal = checkWrite(askedOf(c));
    return refusal ? refuse(c, refusal) : next();
  });
  for (const [key, route] of Object.entries(routes) as [string, Route][]) {
    const [method = '', path = ''] = key.split(' ');
    app.on(method, path.replace(/\{(\w+)\}/g, ':$1'), (c) => answer(c, route, handlers[key]!));
  }
  app.get('*', (c) => file(c, assets));
  app.notFound((c) => tell(c, 404, unknownRoute(c)));
  app.onError((error, c) => {
    const { status, problem } = problemOf(error);
    if (problem.code === 'server.bug') onBug(error);
    return tell(c, status, problem);
  });
  return app;
}

const askedOf = (c: Context) => ({
  method: c.req.method,
  path: c.req.path,
  header: (name: string) => c.req.header(name),
});

/** By the token in a header, or by the cookie. What an address says is no token: addresses are kept and shown. */
function isKnown(c: Context, { token, pass }: Entrance): boolean {
  const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer !== undefined) return sameSecret(bearer, token);
  const cookie = getCookie(c, pass.cookie);
  return cookie !== undefined && pass.isValid(cookie, Date.now());
}

/** The link is good once. What it is exchanged for stays in the browser and out of the reach of scripts. */
function login(c: Context, { pass, links, scheme }: Entrance): Response {
  if (c.req.method !== 'GET' || !links.use(c.req.query('code') ?? '')) return c.html(closedPage, 401);
  const secure = scheme === 'https' ? '; Secure' : '';
  const age = Math.floor(passMs / 1_000);
  c.header(
    'set-cookie',
    `${pass.cookie}=${pass.make(Date.now())}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${secure}`,
  );
  return c.html(welcomePage);
}

function shutOut(c: Context): Response {
  if (c.req.header('sec-fetch-dest') === 'document') return c.html(closedPage, 401);
  c.header('www-authenticate', 'Bearer');
  return tell(c, 401, closed);
}

async function answer(c: Context, route: Route, handler: Answering): Promise<Response> {
  const params = c.req.param() as Record<string, string>;
  const isNamed = Object.entries(params).every(([name, value]) => shapes[name]?.safeParse(value).success);
  if (!isNamed) return tell(c, 404, unknownRoute(c));
  const query = route.query?.safeParse(c.req.query());
  if (query?.error) return tellInvalid(c, 'query', query.error);
  const said = route.body === undefined ? null : await readJson(c.req.raw.body);
  if (said?.kind === 'refused') return tell(c, said.status, said.problem);
  const body = said === null ? undefined : route.body?.safeParse(said.value);
  if (body?.error) return tellInvalid(c, 'request', body.error);
  const lastId = c.req.header('last-event-id');
  const { signal: gone } = c.req.raw;
  return respond(c, await handler({ params, query: query?.data, body: body?.data, lastId, gone }));
}

/** What stands in an address, by its place. */
const shapes: Readonly<Record<string, typeof RunId>> = {
  workspace: WorkspaceId,
  run: RunId,
  plan: PlanId,
  ref: Ref,
};

function respond(c: Context, reply: unknown): Response {
  if (reply instanceof ReadableStream)
    return c.body(reply as ReadableStream<Uint8Array>, 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
  if (reply instanceof Json) return c.body(reply.text, 200, { 'content-type': 'application/json' });
  if (reply instanceof TextFile)
    return c.body(reply.text, 200, {
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="${reply.name}"`,
    });
  return c.json(reply as object);
}

function file(c: Context, assets: Assets): Response {
  const asset = assets.get(c.req.path);
  if (asset) return c.body(asset.bytes, 200, { 'content-type': asset.type });
  return c.req.path === '/' ? c.html(unbuiltPage) : tell(c, 404, unknownRoute(c));
}

const refuse = (c: Context, { status, code, message }: Refusal): Response =>
  tell(c, status, { kind: 'refused', code, message });

function tellInvalid(c: Context, where: string, error: Parameters<typeof invalid>[1]): Response {
  const { status, problem } = invalid(where, error);
  return tell(c, status, problem);
}

const tell = (c: Context, status: ProblemStatus, problem: Problem): Response => c.json(problem, status);

const unknownRoute = (c: Context): Problem => ({
  kind: 'refused',
  code: 'route.unknown',
  message: `there is nothing at ${c.req.path.slice(0, 200)}; /api/openapi.json tells what there is`,
});
const closed: Problem = {
  kind: 'refused',
  code: 'server.unknown',
  message: 'say who you are: open the link that agentgate serve prints, or send the token as a bearer',
};
