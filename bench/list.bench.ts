import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '../packages/core/src/event.ts';
import { specOf } from '../packages/core/src/testing/play.ts';
import { sealLine } from '../packages/runtime/src/store/log-read.ts';
import { openHome } from '../packages/runtime/src/store/state-home.ts';
import { makeClient } from '../packages/server/src/contract/client.ts';
import { chooseBind } from '../packages/server/src/entrance/bind.ts';
import { readToken } from '../packages/server/src/entrance/token.ts';
import { serve } from '../packages/server/src/serve.ts';
import { inPlace, type Measured, makeRow, millisecondsOf, walk } from './figures.ts';
import { gates } from './verdicts.ts';

const workspaces = 20;
const runsEach = 500;
const warmUp = 5;
const rounds = 21;
const budgetMs = 50;

/** Lists over HTTP of ten thousand runs in twenty workspaces, beside what they may take. */
export function measureList(): Promise<Measured[]> {
  return inPlace(async (dir) => {
    const state = join(dir, 'state');
    const env = { ...process.env, AGENTGATE_STATE_DIR: state };
    for (let at = 0; at < workspaces; at++) writeRuns(join(dir, `work-${at}`), env, at);
    const serving = await serve({
      bind: chooseBind({ port: 0 }),
      version: 'bench',
      env,
      command: ['/bin/false'],
      webDir: join(dir, 'web'),
      onBug: console.error,
    });
    const ask = makeClient({ base: serving.url, token: readToken(state) });
    const list = async (limit: number, q?: string) => {
      const { runs, total } = await ask('GET /api/runs', {
        query: { limit, ...(q === undefined ? {} : { q }) },
      });
      if (total === 0 || runs.length === 0) throw new Error('the list is empty');
    };
    const coldMs = await millisecondsOf(() => list(1));
    const kinds = {
      page: () => list(50),
      found: () => list(50, 'number 77'),
      all: () => list(workspaces * runsEach),
      walk: () => walk(join(state, 'workspaces')),
    };
    const took: Record<keyof typeof kinds, number[]> = { page: [], found: [], all: [], walk: [] };
    for (let round = 0; round < warmUp + rounds; round++)
      for (const [name, work] of Object.entries(kinds) as [keyof typeof kinds, () => unknown][])
        took[name].push(await millisecondsOf(work));
    await serving.close();
    const row = (name: string, kind: keyof typeof kinds, note?: string) => {
      const ours = took[kind].slice(warmUp);
      return makeRow(name, 1, { ours, beside: ours.map(() => budgetMs) }, note);
    };
    const asked = { ours: took.page.slice(warmUp), beside: took.walk.slice(warmUp) };
    return [
      row(
        'API: 50 of 10,000 runs, beside 50 ms',
        'page',
        `the first list of all read 10,000 logs in ${(coldMs / 1000).toFixed(1)} s`,
      ),
      row('API: those of 10,000 runs with some words, beside 50 ms', 'found'),
      makeRow('API: 50 of 10,000 runs, beside asking for each log once', 1, asked),
      {
        ...row(
          'API: all 10,000 runs in one answer, beside 50 ms',
          'all',
          'only to compare; a page asks for 50',
        ),
        limit: 20,
      },
    ];
  });
}

function writeRuns(root: string, env: NodeJS.ProcessEnv, workspace: number): void {
  mkdirSync(root);
  const home = openHome(root, env);
  for (let at = 0; at < runsEach; at++) {
    const runId = nameOf(workspace * runsEach + at);
    const dir = join(home.runs, runId);
    mkdirSync(join(dir, 'inbox'), { recursive: true });
    writeFileSync(join(dir, 'log.jsonl'), logOf(eventsOf(runId, root, at), workspace * runsEach + at));
  }
}

const letters = '23456789abcdefghjkmnpqrstvwxyz';
const nameOf = (number: number): string =>
  Array.from(
    { length: 6 },
    (_, at) => letters[Math.floor(number / letters.length ** at) % letters.length],
  ).join('');

/** A run that was stopped after a while; as long as most logs of short runs. */
function eventsOf(runId: string, root: string, at: number): EventBody[] {
  const spec = {
    ...specOf({ gates, strategy: 'hybrid', limits: { iterations: 20 } }),
    task: `task number ${at}`,
  };
  const waits = Array.from({ length: 20 }, (_, one): EventBody => ({ kind: 'wait.ended', waitedMs: one }));
  return [
    { kind: 'run.started', runId, version: 'bench', root, nonce: 'n', spec, specHash: '', source: 'bench' },
    ...waits,
    {
      kind: 'run.ended',
      runId,
      status: 'stopped',
      code: 'user.stop',
      reason: 'a person stopped it',
      iterations: 0,
      tree: null,
      best: null,
      caveats: [],
      costUsd: null,
      tokens: null,
      goalSatisfied: false,
      activeMs: 1,
    },
  ];
}

function logOf(bodies: readonly EventBody[], minute: number): string {
  let hash = '';
  return bodies
    .map((body, at) => {
      const sealed = sealLine(
        { v: 1, seq: at + 1, at: new Date(minute * 60_000).toISOString(), ...body },
        hash,
      );
      hash = sealed.hash;
      return sealed.line;
    })
    .join('');
}
