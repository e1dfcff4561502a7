import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EventBody, fold, summariseRun } from '@agentgate/core';
import { play, specOf } from '@agentgate/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from './contract/index.ts';
import { openStage, runEnded, runStarted, type Stage, writeRun } from './testing.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  // Recorded at different times, so that the order is sure.
  for (const [at, runId] of ['aaaaaa', 'bbbbbb', 'cccccc', 'dddddd', 'eeeeee'].entries()) {
    await writeRun(stage, runId, ...(at % 2 === 0 ? [runEnded(runId)] : []));
    await new Promise((done) => setTimeout(done, 3));
  }
  await writeRun(stage, 'ffffff');
  const log = join(stage.store.dir('ffffff'), 'log.jsonl');
  copyFileSync(log, `${log}.before`);
  writeFileSync(log, readFileSync(log, 'utf8').replace('a task', 'b task'));
});
afterAll(() => stage.close());

const ids = async (query: object) =>
  (await stage.ask('GET /api/runs', { query })).runs.map(({ runId }) => runId);

describe('the list of runs', () => {
  it('is the newest first, in the shape of the contract, the damaged ones too', async () => {
    await expect.poll(() => ids({})).toHaveLength(6);
    const list = await stage.ask('GET /api/runs');
    expect(routes['GET /api/runs'].answer.safeParse(list).error).toBeUndefined();
    const damaged = list.runs.find(({ runId }) => runId === 'ffffff');
    expect(damaged).toMatchObject({ standing: 'damaged', damage: expect.stringContaining('damaged') });
    expect(list.runs.filter((one) => one !== damaged).map(({ runId }) => runId)).toEqual([
      'eeeeee',
      'dddddd',
      'cccccc',
      'bbbbbb',
      'aaaaaa',
    ]);
    expect(list).toMatchObject({ total: 6, next: null, counts: { stopped: 3, 'cut-short': 2, damaged: 1 } });
  });
  it.each([
    [{ standing: 'stopped' }, ['eeeeee', 'cccccc', 'aaaaaa']],
    [{ standing: 'stopped,cut-short', q: 'bbb' }, ['bbbbbb']],
    [{ q: 'A TASK', limit: 2 }, ['eeeeee', 'dddddd']],
    [{ q: 'nothing' }, []],
    [{ waiting: 'true' as const }, []],
    [{ workspace: 'other-000000000000' }, []],
  ])('%j finds %j', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });
  it('is read page by page, and new runs shift nothing', async () => {
    const q = 'a task';
    const first = await stage.ask('GET /api/runs', { query: { q, limit: 2 } });
    await writeRun(stage, 'gggggg');
    await expect.poll(() => ids({ q: 'gggggg' })).toEqual(['gggggg']);
    const second = await stage.ask('GET /api/runs', { query: { q, limit: 2, cursor: first.next ?? '' } });
    const third = await stage.ask('GET /api/runs', { query: { q, limit: 2, cursor: second.next ?? '' } });
    expect([second, third].map(({ runs }) => runs.map(({ runId }) => runId))).toEqual([
      ['cccccc', 'bbbbbb'],
      ['aaaaaa'],
    ]);
    expect(third.next).toBeNull();
  });
  it.each([
    { limit: 0 },
    { limit: 10_001 },
    { standing: 'sleeping' },
    { other: 'x' },
    { waiting: 'yes' as never },
  ])('%j is refused, with the name of what is wrong', async (query) => {
    const asked = stage.ask('GET /api/runs', { query });
    await expect(asked).rejects.toMatchObject({ status: 422, problem: { code: 'request.invalid' } });
    await expect(asked).rejects.toThrow(new RegExp(`query.*${Object.keys(query)[0]}`));
  });
});

describe('a run that was killed while it asked a person', () => {
  it('waits for nobody in any list, since nobody would hear the answer', async () => {
    const { events } = play(specOf({ gates: { review: { kind: 'approval' } } }), {
      turn: () => ({ tree: 't' }),
      judge: () => ({ kind: 'pending', retryAfterMs: 60_000 }),
    });
    const asking = events.slice(
      0,
      events.findIndex(({ kind }) => kind === 'wait.ended'),
    );
    expect(summariseRun(fold(asking), '').waiting).toMatchObject([{ gate: 'review' }]);
    stage.store.create('kkkkkk');
    await stage.store.append('kkkkkk', 0, asking);
    await expect.poll(() => ids({ q: 'kkkkkk' })).toEqual(['kkkkkk']);
    const { runs } = await stage.ask('GET /api/runs', { query: { q: 'kkkkkk' } });
    expect(runs).toMatchObject([{ standing: 'cut-short', waiting: [] }]);
    expect(await ids({ waiting: 'true' })).toEqual([]);
    expect((await stage.ask('GET /api/inbox')).waiting).toEqual([]);
  });
});

describe('runs that are done with something to know beside it', () => {
  it('are told from those that converged plainly, and found', async () => {
    const done = { ...runEnded('x'), status: 'converged', code: 'goal.met' } as EventBody;
    await writeRun(stage, 'rrrrrr', done);
    await writeRun(stage, 'ssssss', { ...done, caveats: ['soft gate lint still fails'] } as EventBody);
    await writeRun(stage, 'tttttt', { ...done, status: 'partial' } as EventBody);
    const found = async (caveats: 'true' | 'false') =>
      (await ids({ standing: 'converged,partial', caveats })).toSorted();
    await expect.poll(() => found('true')).toEqual(['ssssss', 'tttttt']);
    expect(await found('false')).toEqual(['rrrrrr']);
    const { runs, counts, withCaveats } = await stage.ask('GET /api/runs', { query: { q: 'ssssss' } });
    expect(runs).toMatchObject([{ standing: 'converged', ended: { caveats: 1 } }]);
    expect([counts.converged, counts.partial, withCaveats]).toEqual([2, 1, 1]);
  });
});

describe('a run that ended with a question and went on', () => {
  const run = '/api/workspaces/{workspace}/runs/{run}';
  const row = async (runId: string) =>
    (await stage.ask('GET /api/runs', { query: { q: runId } })).runs.find((one) => one.runId === runId)!;
  const params = () => ({ workspace: stage.workspace, run: 'mmmmmm' });
  const goesOn = (runId: string, seq: number, more = {}) =>
    ({ ...runStarted(runId, stage.home.root), parent: { runId: 'mmmmmm', seq, ...more } }) as EventBody;
  let seq: number;
  beforeAll(async () => {
    const { events } = play(specOf({ gates: { review: { kind: 'approval' } } }), {
      turn: () => ({ tree: 't' }),
      judge: () => ({ kind: 'pending', retryAfterMs: 60_000 }),
    });
    seq = events.length;
    stage.store.create('mmmmmm');
    await stage.store.append('mmmmmm', 0, events);
    stage.store.create('nnnnnn');
    await stage.store.append('nnnnnn', 0, [goesOn('nnnnnn', seq, { fork: true })]);
  });

  it('still waits when somebody made a fork of it, which takes no place', async () => {
    await expect.poll(() => row('nnnnnn')).toMatchObject({ parent: 'mmmmmm' });
    expect(await row('mmmmmm')).toMatchObject({ wentOnAs: null, waiting: [{ gate: 'review' }] });
    const { controls } = await stage.ask(`GET ${run}`, { params: params() });
    expect(controls.resume).toBe(true);
  });

  it('waits for nobody any more, names the run it went on as, and hears no word', async () => {
    stage.store.create('pppppp');
    await stage.store.append('pppppp', 0, [goesOn('pppppp', seq)]);
    await expect.poll(() => row('mmmmmm')).toMatchObject({ wentOnAs: 'pppppp', waiting: [] });
    expect((await stage.ask('GET /api/inbox')).waiting).toEqual([]);
    const detail = await stage.ask(`GET ${run}`, { params: params() });
    expect(detail).toMatchObject({ run: { wentOnAs: 'pppppp' }, controls: { resume: false } });
    const words: Promise<unknown>[] = [
      stage.ask(`POST ${run}/resume`, { params: params(), body: { redirect: 'these words' } }),
      stage.ask(`POST ${run}/redirect`, { params: params(), body: { text: 'these words' } }),
      stage.ask(`POST ${run}/approve`, { params: params(), body: {} }),
      stage.ask(`POST ${run}/reject`, { params: params(), body: {} }),
      stage.ask(`POST ${run}/grant`, { params: params(), body: {} }),
      stage.ask(`POST ${run}/answer`, { params: params(), body: { answer: 'continue' } }),
      stage.ask(`POST ${run}/accept`, { params: params(), body: {} }),
      stage.ask(`POST ${run}/stop`, { params: params(), body: {} }),
    ];
    for (const told of await Promise.allSettled(words))
      expect(told).toMatchObject({
        status: 'rejected',
        reason: {
          status: 409,
          problem: { code: 'run.linked', message: expect.stringContaining('went on as run pppppp') },
        },
      });
    expect(stage.store.letters('mmmmmm')).toEqual([]);
  });
});

describe('the description of the API', () => {
  interface Described {
    openapi: string;
    paths: Record<
      string,
      Record<string, { responses: object; requestBody?: unknown; parameters: unknown[] }>
    >;
    components: { schemas: Record<string, unknown> };
  }
  it('names every route, and every shape that it refers to', async () => {
    const told = (await stage.ask('GET /api/openapi.json')) as Described;
    expect(told.openapi).toBe('3.1.0');
    const named = Object.entries(told.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(named.toSorted()).toEqual(Object.keys(routes).toSorted());
    const refs = [...JSON.stringify(told).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
    expect(refs.length).toBeGreaterThan(30);
    for (const [, kind = '', name = ''] of refs) expect(told.components).toHaveProperty([kind, name]);
    expect(JSON.stringify(told)).not.toContain('#/$defs');
    for (const [key, { body }] of Object.entries(routes as Record<string, { body?: unknown }>)) {
      const [method = '', path = ''] = key.split(' ');
      expect([key, told.paths[path]?.[method.toLowerCase()]?.requestBody !== undefined]).toEqual([
        key,
        body !== undefined,
      ]);
    }
    const ids = Object.values(told.paths).flatMap((methods) =>
      Object.values(methods).map((one) => (one as unknown as { operationId: string }).operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
  it('says what the events of each stream hold', async () => {
    const told = (await stage.ask('GET /api/openapi.json')) as Described;
    const eventsOf = (path: string) => {
      type Answers = Record<string, { content: Record<string, { 'x-events': Record<string, unknown> }> }>;
      const answers = told.paths[path]!['get']!.responses as Answers;
      return answers['200']!.content['text/event-stream']!['x-events'];
    };
    const place = '/api/workspaces/{workspace}';
    const streams = {
      [`${place}/runs/{run}/stream`]: 'RunEvent',
      [`${place}/plans/{plan}/stream`]: 'AnyPlanEvent',
    };
    for (const [path, name] of Object.entries(streams)) {
      const events = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
      expect(eventsOf(path)).toMatchObject({ events, standing: { type: 'object' } });
      // Each kind of event is named with its fields.
      const kinds = JSON.stringify(told.components.schemas[name]).match(/"const":"[a-z-]+\.[a-z-]+"/g);
      expect(kinds?.length).toBeGreaterThan(15);
    }
    expect(Object.keys(eventsOf('/api/stream')).toSorted()).toEqual(['changed', 'restart']);
  });
  it('holds every request to fields that it knows', async () => {
    const told = (await stage.ask('GET /api/openapi.json')) as Described;
    const bodies = Object.values(told.paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ requestBody }) =>
        requestBody === undefined ? [] : [JSON.stringify(requestBody)],
      ),
    );
    for (const body of bodies) expect(body).toContain('"additionalProperties":false');
  });
});
