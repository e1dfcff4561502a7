import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { isIP, type AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { FaultError, fault } from '@agentgate/core';
import { stateRoot } from '@agentgate/runtime';
import { makeApp } from './app.ts';
import { readAssets } from './assets.ts';
import { makeControllers } from './controllers/controller.ts';
import { type Bind, hostsOf } from './entrance/bind.ts';
import { openLinks } from './entrance/links.ts';
import { makePass } from './entrance/pass.ts';
import { readToken } from './entrance/token.ts';
import { openHouse } from './house.ts';
import { makeFeeds } from './live/feeds.ts';
import { openListFeed } from './live/list-feed.ts';
import { makePlanShelf } from './plans.ts';
import { runControls } from './routes/control.ts';
import { houseRoutes } from './routes/house.ts';
import { planRoutes } from './routes/plan.ts';
import { runReads } from './routes/run.ts';
import { runLists } from './routes/runs.ts';
import { replays } from './routes/what-if.ts';
import { forgetRunning, listRunning, loginLink, noteRunning } from './running.ts';
import type { TrustedSpec } from './specs.ts';
import { keepUsualPort, readUsualPort } from './usual-port.ts';

export interface ServeRequest {
  bind: Bind;
  version: string;
  env: NodeJS.ProcessEnv;
  /** How this program is started again, for runs that are to outlive the server. */
  command: readonly [string, ...string[]];
  /** Where the built page lies. */
  webDir: string;
  specs?: readonly TrustedSpec[];
  onBug(error: unknown): void;
}

export interface Serving {
  url: string;
  port: number;
  /** A link by which one browser is let in, once. */
  makeLink(): string;
  close(): Promise<void>;
}

const headersMs = 10_000;
const requestMs = 30_000;
/** So often the logs of ended runs are looked at, in case somebody damaged one. */
const verifyMs = 60_000;

/** Opens the server. It reads the logs of the state and keeps nothing else, so it can be ended and begun at any time. */
export async function serve(request: ServeRequest): Promise<Serving> {
  const { bind, version, env, command, webDir, specs = [], onBug } = request;
  const state = stateRoot(env);
  const token = readToken(state);
  const house = openHouse({ version, env });
  const links = openLinks(state);
  // Those of a server that is still there are good for as long as it is.
  if (listRunning(state).length === 0) links.clear();
  const feeds = makeFeeds(house);
  const readPlans = makePlanShelf(house);
  const lists = openListFeed(house, readPlans);
  const controllers = makeControllers(command, { stateRoot: state, env });
  const scheme = bind.tls ? 'https' : 'http';
  let hosts: ReadonlySet<string> = new Set();
  let url = '';
  const makeLink = () => loginLink(url, links);
  const handlers = {
    ...houseRoutes(house, {
      specs,
      controllers,
      lists,
      makeLink,
      readers: () => feeds.readers() + lists.readers(),
    }),
    ...runLists(house, readPlans),
    ...runReads(house, feeds),
    ...replays(house),
    ...runControls(house, controllers),
    ...planRoutes(house, feeds, readPlans),
  };
  const entrance = { token, pass: makePass(token), links, scheme, hosts: () => hosts } as const;
  const app = makeApp(entrance, handlers as never, { assets: readAssets(webDir), onBug });
  const server = makeServer(app.fetch, bind);
  const usual = bind.port === null ? readUsualPort(state) : bind.port;
  // The one it had before may be in use by now, and nobody asked for that one.
  await listen(server, bind.host, usual ?? 0).catch((error: unknown) =>
    bind.port === null && usual !== null ? listen(server, bind.host, 0) : Promise.reject(error),
  );
  const { port } = server.address() as AddressInfo;
  if (bind.port === null) keepUsualPort(state, port);
  hosts = hostsOf(bind, port);
  url = `${scheme}://${shownHost(bind)}:${port}`;
  noteRunning(state, url);
  // The first list is then there at once, or nearly so.
  void house.refresh().then(house.save, onBug);
  const verifying = setInterval(() => void house.catalogue.verify().catch(onBug), verifyMs);
  return {
    url,
    port,
    makeLink,
    async close() {
      const closed = new Promise<void>((done) => void server.close(() => done()));
      clearInterval(verifying);
      feeds.close();
      lists.close();
      server.closeAllConnections();
      await closed;
      house.save();
      forgetRunning(state);
    },
  };
}

function makeServer(fetch: (request: Request) => Response | Promise<Response>, { tls }: Bind): Server {
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    // Otherwise those who are too slow are only looked for twice a minute.
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: 5_000,
    maxHeaderSize: 16_384,
  };
  const options = {
    fetch,
    overrideGlobalObjects: false,
    ...(tls
      ? { createServer: createHttpsServer, serverOptions: { ...limits, ...tls } }
      : { createServer: createHttpServer, serverOptions: limits }),
  };
  const server = createAdaptorServer(options as Parameters<typeof createAdaptorServer>[0]) as Server;
  server.maxConnections = 2_000;
  return server;
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((done, fail) => {
    const refuse = (error: NodeJS.ErrnoException) => fail(new FaultError(listenFault(error, host, port)));
    server.once('error', refuse);
    server.listen(port, host, () => {
      server.off('error', refuse);
      done();
    });
  });
}

function listenFault(error: NodeJS.ErrnoException, host: string, port: number) {
  switch (error.code) {
    case 'EADDRINUSE':
      return fault('server.port', `port ${port} of ${host} is in use; --port 0 takes a free one`, error);
    case 'EACCES':
      return fault(
        'server.port',
        `port ${port} may not be opened by this user; take one from 1024 on`,
        error,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return fault('usage', `${host} is no address of this machine; give one of its own with --host`, error);
    default:
      return fault('server.port', `cannot listen on ${host}, port ${port}`, error);
  }
}

/** An address that a browser can open. */
function shownHost({ host }: Bind): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return isIP(host) === 6 ? `[${host}]` : host;
}
