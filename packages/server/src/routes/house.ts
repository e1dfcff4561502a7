import { existsSync } from 'node:fs';
import { FaultError, fault } from '@agentgate/core';
import { openHome, ownerOf } from '@agentgate/runtime';
import type { Controllers } from '../controllers/controller.ts';
import type { RouteKey } from '../contract/index.ts';
import { type House, workspaceId } from '../house.ts';
import type { ListFeed } from '../live/list-feed.ts';
import { openApi } from '../openapi.ts';
import { confirmSpec, type TrustedSpec } from '../specs.ts';
import type { Handlers } from './handler.ts';

type Keys = Exclude<
  RouteKey,
  `${string} /api/workspaces/${string}` | 'GET /api/runs' | 'GET /api/inbox' | 'GET /api/plans'
>;

interface Rest {
  specs: readonly TrustedSpec[];
  controllers: Controllers;
  lists: ListFeed;
  readers: () => number;
  makeLink: () => string;
}

/** What is about the server itself, and about all workspaces. */
export function houseRoutes(
  house: House,
  { specs, controllers, lists, readers, makeLink }: Rest,
): Handlers<Keys> {
  return {
    async 'GET /api/health'() {
      return {
        kind: 'healthy',
        version: house.version,
        startedAt: house.startedAt,
        runs: house.catalogue.entries().length,
        workspaces: house.homes().length,
        readers: readers(),
      };
    },
    'GET /api/openapi.json': () => openApi(house.version),
    async 'GET /api/workspaces'() {
      await house.refresh();
      const counts = new Map<string, number>();
      for (const { home } of house.catalogue.entries()) counts.set(home.dir, (counts.get(home.dir) ?? 0) + 1);
      const workspaces = house.homes().map((home) => {
        const owner = ownerOf(home);
        return {
          id: workspaceId(home),
          root: home.root,
          exists: existsSync(home.root),
          runs: counts.get(home.dir) ?? 0,
          owner: owner && { runId: owner.runId, pid: owner.pid, since: owner.since },
        };
      });
      return { workspaces };
    },
    'GET /api/specs': () => ({
      specs: specs.map(({ name, root, source, hash, spec }) => ({ name, root, source, hash, spec })),
    }),
    'GET /api/stream': ({ lastId, gone }) => lists.open(lastId, gone),
    async 'POST /api/runs'({ body }) {
      const known = specs.find(({ name }) => name === body.spec);
      if (!known) {
        const names = specs.map(({ name }) => name).join(', ');
        throw new FaultError(
          fault(
            'request.invalid',
            `the server knows no spec "${body.spec}"; it was started with ${names || 'none: agentgate serve --spec FILE'}`,
          ),
        );
      }
      await confirmSpec(known, house.env);
      const home = openHome(known.root, house.env);
      const driven = await controllers.start(home, known.file);
      return { kind: 'started', workspace: workspaceId(home), ...driven };
    },
    'POST /api/login-links': () => ({ kind: 'login-link', link: makeLink() }),
  };
}
