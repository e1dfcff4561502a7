import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stateRoot } from '@agentgate/runtime';
import {
  chooseBind,
  linkToRunning,
  readSpecs,
  renewEntrance,
  serve,
  type BindWish,
  type Serving,
} from '@agentgate/server';
import type { Context } from './context.ts';
import { openBrowser } from './open-browser.ts';

// Loaded by the few commands that need it: a server is large, and all others shall begin at once.

export interface ServeWish extends BindWish {
  specs?: readonly string[] | undefined;
  newToken?: boolean | undefined;
}

/** Opens a server for all workspaces of the state. */
export async function serveHere(context: Context, wish: ServeWish): Promise<Serving> {
  const { env, cwd, version, terminal } = context;
  const bind = chooseBind(wish);
  const specs = await readSpecs(wish.specs ?? [], cwd, env);
  if (wish.newToken) renewEntrance(stateRoot(env));
  return serve({
    bind,
    version,
    env,
    specs,
    command: [process.execPath, beside('../bin/agentgate.cjs')],
    webDir: beside('web'),
    onBug: (error) =>
      terminal.err(`agentgate: a bug of the server: ${error instanceof Error ? error.stack : String(error)}`),
  });
}

/** A link to the server that runs for this state already; null where none does. */
export const linkHere = ({ env }: Context) => linkToRunning(stateRoot(env));

/** Opens the page, and says where it is in any case. */
export function showPage({ env, terminal }: Context, link: string): void {
  if (openBrowser(link, join(stateRoot(env), 'server'), env)) return;
  terminal.err('agentgate: no browser could be started here; open the link by hand');
}

/** A file of the installed package, as seen from the bundle. */
const beside = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
