import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { routes, type RunRow } from '../packages/server/src/contract/index.ts';
import { send } from '../packages/server/src/testing.ts';
import { agentgate, makePlace, outcomeOf, type Place, start } from './support/command.ts';
import { hasSandbox } from './support/sandbox.ts';
import { enter, eventually, type Served, served } from './support/served.ts';

let place: Place;
let server: Served | null = null;
afterEach(async () => {
  await server?.end('SIGKILL');
  server = null;
  place.remove();
});

const spec = (text: string) => `task: go\nagent: { run: [sh, ../agent.sh] }\n${text}\n`;
/** Passes once work.txt has the word good. */
const good = 'tests: grep -q good work.txt';
const base = () => join(place.workspace, '..');

async function prepare(agent: string, text: string, ...args: string[]): Promise<Served> {
  place = makePlace({ 'work.txt': 'bad\n', 'agentgate.yaml': spec(text) });
  place.write({ '../agent.sh': `n=$AGENTGATE_ITERATION\n${agent}\n` });
  server = await served(place, ...args);
  return server;
}
const newest = ({ ask }: Served, holds: (row: RunRow) => boolean = () => true): Promise<RunRow> =>
  eventually(
    async () => (await ask('GET /api/runs')).runs[0],
    (row) => row !== undefined && holds(row),
  ) as Promise<RunRow>;
const placeOf = ({ workspace, runId }: RunRow) => ({ workspace, run: runId });
const run = '/api/workspaces/{workspace}/runs/{run}';
const eventsOf = async ({ ask }: Served, row: RunRow) =>
  (await ask(`GET ${run}/events`, { params: placeOf(row), query: { limit: 10_000 } })).events;
const waits = (row: RunRow) => row.waiting.length > 0 && row.standing === 'running';

describe('a browser', () => {
  it('is let in by the link, once, and stays in when the server is started again', async () => {
    const { url, link, token, end } = await prepare('true', `gates: { ${good} }`);
    expect((await fetch(`${url}/api/runs`)).status).toBe(401);
    const cookie = await enter(link);
    expect((await fetch(link)).status).toBe(401);
    const seen = () => fetch(`${server!.url}/api/runs`, { headers: { cookie } });
    expect((await seen()).status).toBe(200);
    expect((await fetch(`${url}/api/runs?token=${token}`)).status).toBe(401);
    const told = await end();
    expect([told.exit, told.signal, told.stderr]).toEqual([0, null, '']);
    server = await served(place);
    expect((await seen()).status).toBe(200);
    // Another link for another browser, from the server that runs.
    const again = JSON.parse((await agentgate(place, 'serve', '--json')).stdout) as {
      url: string;
      link: string;
    };
    expect(again.url).toBe(server.url);
    expect(await enter(again.link)).toContain('agentgate-');
    await server.end('SIGINT');
    server = await served(place, '--new-token');
    expect((await seen()).status).toBe(401);
  });
  it('finds the server at the same address the next day, unless that is in use', async () => {
    const first = await prepare('true', `gates: { ${good} }`);
    await first.end();
    server = await served(place);
    expect(server.url).toBe(first.url);
    await server.end();
    const other = createServer();
    await new Promise<void>((done) => other.listen(Number(new URL(first.url).port), '127.0.0.1', done));
    server = await served(place);
    expect(server.url).not.toBe(first.url);
    other.close();
  });
  it('is let in by a link of one server although another begins or ends meanwhile', async () => {
    const first = await prepare('true', `gates: { ${good} }`);
    const second = await served(place, '--port', '0');
    const told = async () =>
      (JSON.parse((await agentgate(place, 'serve', '--json')).stdout) as { url: string }).url;
    expect(await enter(first.link)).toContain('agentgate-');
    expect(await told()).toBe(second.url);
    await second.end('SIGKILL');
    // Its note is still there, and leads nobody to where nothing answers.
    expect(await told()).toBe(first.url);
  });
  it('is asked for a link in words when it has none', async () => {
    const { url } = await prepare('true', `gates: { ${good} }`);
    const { hostname, port, host } = new URL(url);
    const visit = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    expect(hostname).toBe('127.0.0.1');
    const page = await send(Number(port), { path: '/', headers: { host, ...visit } });
    expect([page.status, page.text]).toEqual([401, expect.stringContaining('agentgate serve')]);
  });
});

describe('a run that another process drives', () => {
  it('is watched to its end without asking twice, and approved on the way', async () => {
    const gates = `gates: { ${good}, review: { kind: approval, message: "Ship it?" } }`;
    const live = await prepare('echo good > work.txt', gates);
    const { ended } = start(place, ['run', '--json']);
    const row = await newest(live, waits);
    const { waiting } = await live.ask('GET /api/inbox');
    expect(waiting).toMatchObject([
      {
        run: { runId: row.runId },
        asks: { kind: 'approval', gate: 'review', message: expect.stringContaining('Ship it?') },
      },
    ]);
    const stream = await fetch(`${live.url}/api/workspaces/${row.workspace}/runs/${row.runId}/stream`, {
      headers: { authorization: `Bearer ${live.token}` },
    });
    const stale = { gate: 'review', tree: '0'.repeat(40) };
    await expect(live.ask(`POST ${run}/approve`, { params: placeOf(row), body: stale })).rejects.toThrow(
      /waits with another tree/,
    );
    const asked = row.waiting[0] as { tree: string };
    // What it is about can be seen before it is answered.
    for (const to of [asked.tree, '1']) {
      const shown = await live.ask(`GET ${run}/diff`, { params: placeOf(row), query: { from: '0', to } });
      expect(shown.diff).toContain('-bad\n+good');
    }
    const body = { gate: 'review', tree: asked.tree, note: 'fine', as: 'ann' };
    expect(await live.ask(`POST ${run}/approve`, { params: placeOf(row), body })).toMatchObject({
      heard: true,
    });
    expect(outcomeOf(await ended)).toMatchObject({ status: 'converged' });
    let text = '';
    for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes('"standing":"converged"')) break;
    }
    const seqs = [...text.matchAll(/"seq":(\d+),"at"/g)].map(([, seq]) => Number(seq));
    expect(seqs).toEqual((await eventsOf(live, row)).map(({ seq }) => seq));
    expect(text).toContain('"kind":"approval.given","gate":"review"');
    expect((await live.ask('GET /api/inbox')).waiting).toEqual([]);
  });
  it('is rejected with a reason, which the agent is told', async () => {
    const gates = `gates: { ${good}, review: { kind: approval } }`;
    const live = await prepare('cp "$AGENTGATE_FEEDBACK_FILE" ../told-$n; echo "good $n" > work.txt', gates);
    const { ended } = start(place, ['run', '--json']);
    const row = await newest(live, waits);
    await live.ask(`POST ${run}/reject`, { params: placeOf(row), body: { note: 'too short' } });
    await newest(live, (one) => waits(one) && one.iterations === 2);
    await live.ask(`POST ${run}/approve`, { params: placeOf(row), body: {} });
    expect(outcomeOf(await ended)).toMatchObject({ status: 'converged', iterations: 2 });
    expect(readFileSync(join(base(), 'told-2'), 'utf8')).toContain('too short');
  });
  it('ends between two of its steps, and says who stopped it', async () => {
    const live = await prepare('echo $n > work.txt', `gates: { ${good} }`);
    expect((await agentgate(place, 'step')).exit).toBe(3);
    const row = await newest(live);
    await live.ask(`POST ${run}/stop`, { params: placeOf(row), body: {} });
    const reason = 'stopped by somebody at the server';
    expect(await eventsOf(live, row)).toContainEqual(expect.objectContaining({ kind: 'run.ended', reason }));
  });
  it('is stopped, and goes on as a process of its own that outlives the server', async () => {
    const live = await prepare(
      'test -e ../go || { touch ../works; exec sleep 300; }; echo good > work.txt',
      `gates: { ${good} }`,
    );
    const { ended } = start(place, ['run', '--json']);
    await eventually(async () => existsSync(join(base(), 'works')), Boolean);
    const row = await newest(live, ({ standing }) => standing === 'running');
    expect((await live.ask(`GET ${run}`, { params: placeOf(row) })).controls).toMatchObject({
      stop: true,
      resume: false,
    });
    await live.ask(`POST ${run}/stop`, { params: placeOf(row), body: { note: 'lunch' } });
    expect((await ended).exit).toBe(3);
    expect(await eventsOf(live, row)).toContainEqual(
      expect.objectContaining({ kind: 'stop.requested', by: 'api', note: 'lunch' }),
    );
    const reason = 'stopped by somebody at the server: lunch';
    expect(await eventsOf(live, row)).toContainEqual(expect.objectContaining({ kind: 'run.ended', reason }));
    const params = placeOf(row);
    await expect(live.ask(`POST ${run}/stop`, { params, body: {} })).rejects.toMatchObject({ status: 409 });
    expect((await live.ask(`GET ${run}`, { params })).controls).toMatchObject({ stop: false, resume: true });
    rmSync(join(base(), 'works'));
    const resumed = await live.ask(`POST ${run}/resume`, {
      params,
      body: { addIterations: 2, redirect: 'be quick' },
    });
    expect(resumed).toMatchObject({ kind: 'resumed', runId: expect.not.stringContaining(row.runId) });
    // It works and waits; the server ends, and it does not.
    await eventually(async () => existsSync(join(base(), 'works')), Boolean);
    await live.end('SIGKILL');
    writeFileSync(join(base(), 'go'), '');
    server = await served(place);
    process.kill(resumed.pid, 0);
    const again = { params: { ...params, run: resumed.runId } };
    await server.ask(`POST ${run}/redirect`, { ...again, body: { text: 'now' } });
    const done = await newest(server, ({ ended: end }) => end !== null);
    expect(done).toMatchObject({ runId: resumed.runId, parent: row.runId, standing: 'converged' });
    const heard = (await eventsOf(server, done)).filter(({ kind }) => kind === 'redirect.requested');
    expect(heard).toMatchObject([
      { by: 'api', text: 'be quick' },
      { by: 'api', text: 'now' },
    ]);
  });
  it('is killed at once for whoever is in a hurry', async () => {
    const live = await prepare('touch ../works; trap "" TERM; exec sleep 300', `gates: { ${good} }`);
    const { ended } = start(place, ['run', '--json']);
    await eventually(async () => existsSync(join(base(), 'works')), Boolean);
    const row = await newest(live);
    expect(await live.ask(`POST ${run}/stop`, { params: placeOf(row), body: { now: true } })).toMatchObject({
      kind: 'killed',
    });
    await ended;
    expect(await newest(live, ({ standing }) => standing !== 'running')).toMatchObject({
      standing: 'cut-short',
    });
    // Cut short, it goes on under its own name.
    writeFileSync(join(base(), 'agent.sh'), 'echo good > work.txt\n');
    expect(await live.ask(`POST ${run}/resume`, { params: placeOf(row), body: {} })).toMatchObject({
      runId: row.runId,
    });
    await newest(live, ({ standing }) => standing === 'converged');
  });
  it('is answered, and its tree taken as it is', async () => {
    const live = await prepare('echo "try $n" > work.txt', `gates: { ${good} }\nstrategy: manual`);
    const { ended } = start(place, ['run', '--json']);
    const row = await newest(live, (one) => waits(one) && one.iterations === 1);
    expect(row.waiting).toMatchObject([{ kind: 'question', iteration: 1 }]);
    const params = placeOf(row);
    await live.ask(`POST ${run}/answer`, { params, body: { answer: 'redirect', text: 'another word' } });
    await newest(live, (one) => waits(one) && one.iterations === 2);
    await live.ask(`POST ${run}/accept`, { params, body: {} });
    expect(outcomeOf(await ended)).toMatchObject({
      status: 'partial',
      code: 'accept.partial',
      iterations: 2,
    });
    await expect(live.ask(`POST ${run}/accept`, { params, body: {} })).rejects.toThrow(/asks nobody/);
  });
  it('goes on with an answer that came after it was suspended for want of one', async () => {
    const gates = `gates: { ${good}, review: { kind: approval } }\nlimits: { maxWait: 1s }`;
    const live = await prepare('test ! -e ../hold || sleep 300; echo good > work.txt', gates);
    const suspended = async () => {
      const told = await agentgate(place, 'run', '--json');
      expect(outcomeOf(told)).toMatchObject({ status: 'suspended', code: 'awaiting-approval' });
      return newest(live, ({ waiting }) => waiting.length > 0);
    };
    const first = await suspended();
    const told = await live.ask(`POST ${run}/approve`, { params: placeOf(first), body: { as: 'ann' } });
    expect(told).toMatchObject({ heard: true, runId: expect.not.stringContaining(first.runId) });
    const done = await newest(live, ({ runId, ended }) => runId === told.runId && ended !== null);
    expect(done).toMatchObject({ standing: 'converged', iterations: 1, parent: first.runId });

    // Where somebody else works in the workspace, it is kept, and that is what is said.
    place.write({ 'work.txt': 'bad\n' });
    const second = await suspended();
    writeFileSync(join(base(), 'hold'), '');
    place.write({ 'work.txt': 'bad\n' });
    const { child, ended } = start(place, ['run', '--json']);
    await newest(live, ({ runId, standing }) => runId !== second.runId && standing === 'running');
    const asked = { params: placeOf(second), body: {} };
    expect(await live.ask(`POST ${run}/approve`, asked)).toMatchObject({
      heard: false,
      runId: second.runId,
    });
    child.kill('SIGTERM');
    await ended;
    rmSync(join(base(), 'hold'));
    place.write({ 'work.txt': 'good\n' });
    const resumed = await live.ask(`POST ${run}/resume`, asked);
    const last = await newest(live, ({ runId, ended: end }) => runId === resumed.runId && end !== null);
    expect(last).toMatchObject({ parent: second.runId, standing: 'converged' });
    expect((await eventsOf(live, last)).map(({ kind }) => kind)).toContain('approval.given');
  });
  it('is granted the protected files that it changed, and judged again', async () => {
    const gates = `gates: { tests: { run: "grep -q good work.txt && grep -q new rules.txt", protect: [rules.txt] } }`;
    const live = await prepare('echo good > work.txt; echo new > rules.txt', `${gates}\nstuck: off`);
    place.write({ 'rules.txt': 'old\n' });
    const first = await agentgate(place, 'run', '--json');
    const row = await newest(live);
    expect([first.exit, row.waiting]).toEqual([
      expect.any(Number),
      [{ kind: 'grant', files: ['rules.txt'] }],
    ]);
    const params = placeOf(row);
    await expect(live.ask(`POST ${run}/grant`, { params, body: { files: ['/etc/passwd'] } })).rejects.toThrow(
      /did not change \/etc\/passwd/,
    );
    const told = await live.ask(`POST ${run}/grant`, { params, body: { files: ['rules.txt'], as: 'ann' } });
    const done = await newest(live, ({ runId, ended }) => runId === told.runId && ended !== null);
    expect(done).toMatchObject({ standing: 'converged' });
    expect(await eventsOf(live, done)).toContainEqual(
      expect.objectContaining({ kind: 'grant.given', by: 'ann' }),
    );
  });
});

describe('a run that is over', () => {
  it('shows everything about it, in the shapes of the contract, the same after a restart', async () => {
    const live = await prepare(
      'if [ $n = 1 ]; then echo "try <script>alert(1)</script>"; echo one > work.txt; else echo good > work.txt; fi',
      `gates: { ${good} }`,
    );
    await agentgate(place, 'run', '--json');
    const row = await newest(live);
    const params = placeOf(row);
    const answers = async ({ ask }: Served) => ({
      [`GET ${run}`]: await ask(`GET ${run}`, { params }),
      [`GET ${run}/events`]: await ask(`GET ${run}/events`, { params }),
      [`GET ${run}/gates`]: await ask(`GET ${run}/gates`, { params, query: { gate: 'tests' } }),
      [`GET ${run}/decisions`]: await ask(`GET ${run}/decisions`, { params }),
      [`GET ${run}/explanations`]: await ask(`GET ${run}/explanations`, { params }),
      [`GET ${run}/snapshots`]: await ask(`GET ${run}/snapshots`, { params }),
      [`GET ${run}/diff`]: await ask(`GET ${run}/diff`, { params, query: { from: '1', to: '2' } }),
      [`GET ${run}/replay`]: await ask(`GET ${run}/replay`, { params }),
      [`POST ${run}/what-if`]: await ask(`POST ${run}/what-if`, {
        params,
        body: { strategies: ['ralph', { kind: 'fixed', iterations: 1 }] },
      }),
      'GET /api/runs': await ask('GET /api/runs', { query: { standing: 'converged', q: 'go' } }),
      'GET /api/workspaces': await ask('GET /api/workspaces'),
      'GET /api/plans': await ask('GET /api/plans'),
    });
    const first = await answers(live);
    for (const [key, value] of Object.entries(first)) {
      const { answer } = routes[key as keyof typeof routes];
      if (typeof answer === 'string') throw new Error(`${key} answers no JSON`);
      expect([key, answer.safeParse(value).error?.issues ?? null]).toEqual([key, null]);
    }
    expect(first['GET /api/runs'].runs).toMatchObject([
      { runId: row.runId, trend: [1, 1, 0], iterations: 2 },
    ]);
    expect(first[`GET ${run}/snapshots`].snapshots).toMatchObject([
      { iteration: 0, failures: 1, best: false },
      { iteration: 1, failures: 1, best: false },
      { iteration: 2, failures: 0, best: true },
    ]);
    expect(first[`GET ${run}/diff`].diff).toContain('-one\n+good');
    expect(first[`GET ${run}/replay`].differences).toEqual([]);
    const { recorded, others } = first[`POST ${run}/what-if`];
    expect([recorded.spent.iterations, others[1]]).toMatchObject([2, { ends: 'earlier', losesSolve: true }]);
    const printed = first[`GET ${run}/events`].events.find(({ kind }) => kind === 'agent.ended') as {
      output: string;
    };
    const ref = { params: { ...params, ref: printed.output } };
    expect(await live.ask(`GET ${run}/outputs/{ref}`, ref)).toContain('<script>alert(1)</script>');
    expect(await live.ask(`GET ${run}/receipt`, { params })).toContain('goal.met');
    expect(await live.ask(`GET ${run}/report`, { params })).toContain(row.runId);
    const restored = await live.ask(`POST ${run}/restore`, { params, body: { to: 1 } });
    expect([restored.written, readFileSync(join(place.workspace, 'work.txt'), 'utf8')]).toEqual([1, 'one\n']);
    await live.end();
    server = await served(place);
    expect(await answers(server)).toEqual(first);
  });
  it('is not found under another name, nor its parts', async () => {
    const live = await prepare('echo good > work.txt', `gates: { ${good} }`);
    await agentgate(place, 'run');
    const { workspace, runId } = await newest(live);
    const wrong = { workspace, run: 'zzzzzz' };
    for (const params of [wrong, { workspace: 'none-000000000000', run: runId }])
      await expect(live.ask(`GET ${run}`, { params })).rejects.toMatchObject({ status: 404 });
    await expect(live.ask(`POST ${run}/stop`, { params: wrong, body: {} })).rejects.toThrow(
      /there is no run zzzzzz/,
    );
    await expect(
      live.ask(`GET ${run}/diff`, { params: { workspace, run: runId }, query: { from: '77' } }),
    ).rejects.toThrow(/there is no iteration "77"/);
    await expect(
      live.ask(`POST ${run}/resume`, { params: { workspace, run: runId }, body: {} }),
    ).rejects.toThrow(/converged already/);
  });
});

describe('a spec that a person named', () => {
  it('begins a run, and does not when somebody changed it since', async () => {
    place = makePlace({ 'work.txt': 'bad\n', 'agentgate.yaml': spec(`gates: { ${good} }`) });
    place.write({ '../agent.sh': 'echo good > work.txt\n' });
    server = await served(place, '--spec', 'mine=agentgate.yaml');
    expect((await server.ask('GET /api/specs')).specs).toMatchObject([
      { name: 'mine', root: place.workspace, spec: { task: 'go' } },
    ]);
    const started = await server.ask('POST /api/runs', { body: { spec: 'mine' } });
    const done = await newest(server, ({ ended }) => ended !== null);
    expect(done).toMatchObject({ runId: started.runId, standing: 'converged' });
    place.write({ 'agentgate.yaml': spec('gates: { tests: touch ../owned }') });
    await expect(server.ask('POST /api/runs', { body: { spec: 'mine' } })).rejects.toThrow(
      /was changed since/,
    );
    expect(existsSync(join(base(), 'owned'))).toBe(false);
    await expect(server.ask('POST /api/runs', { body: { spec: 'other' } })).rejects.toThrow(
      /knows no spec "other"; it was started with mine/,
    );
  });
});

describe('a plan', () => {
  it('is shown with its items, followed live, ticked and steered', async () => {
    place = makePlace();
    place.write({ '../agent.sh': 'echo done >> work.txt\n' });
    const plan = {
      run: { agent: ['sh', join(base(), 'agent.sh')], integrity: 'off' },
      items: [
        { id: 'one', task: 'Write work.txt.', gates: { there: 'grep -q done work.txt' } },
        {
          id: 'two',
          task: 'Write it again.',
          dependsOn: ['one'],
          gates: { there: 'grep -q done work.txt' },
          acceptance: [{ person: 'It reads well.' }],
        },
      ],
    };
    place.write({ 'plan.json': JSON.stringify(plan) });
    server = await served(place);
    const ran = await agentgate(place, 'plan', 'run', 'plan.json', '--json');
    const { plans } = await server.ask('GET /api/plans');
    expect(plans, ran.stderr).toMatchObject([{ root: place.workspace, driven: false, file: 'plan.json' }]);
    const params = { workspace: plans[0]!.workspace, plan: plans[0]!.planId };
    const at = '/api/workspaces/{workspace}/plans/{plan}';
    const shown = await server.ask(`GET ${at}`, { params });
    expect(routes[`GET ${at}`].answer.safeParse(shown).error).toBeUndefined();
    expect(shown.items).toMatchObject([
      { id: 'one', status: 'done' },
      { id: 'two', unticked: [{ criterion: 1, text: 'It reads well.' }] },
    ]);
    const { events } = await server.ask(`GET ${at}/events`, { params });
    expect(events.map(({ kind }) => kind)).toContain('item.ended');
    const asked = await server.ask('GET /api/inbox');
    expect(routes['GET /api/inbox'].answer.safeParse(asked).error).toBeUndefined();
    expect(asked.criteria).toMatchObject([
      { item: 'two', criterion: 1, text: 'It reads well.', plan: { planId: params.plan } },
    ]);
    const told = await server.ask(`POST ${at}/tick`, {
      params,
      body: { item: 'two', criterion: 1, as: 'ann' },
    });
    expect(told).toMatchObject({ how: 'recorded' });
    const after = await server.ask(`GET ${at}`, { params });
    expect(after.items[1]?.unticked).toEqual([]);
    expect((await server.ask('GET /api/inbox')).criteria).toEqual([]);
    await server.ask(`POST ${at}/redirect`, { params, body: { kind: 'constraint', text: 'No new files.' } });
    const since = await server.ask(`GET ${at}/events`, { params, query: { after: events.length } });
    expect(since.events).toMatchObject([{ kind: 'item.ticked' }, { kind: 'redirect.requested' }]);
    const unknown = { kind: 'graph' as const, remove: ['nine'] };
    await expect(server.ask(`POST ${at}/redirect`, { params, body: unknown })).rejects.toMatchObject({
      status: 409,
    });
    const add = { kind: 'graph', add: [{ id: 'x', task: 'x', gates: { x: 'touch owned' } }] } as never;
    await expect(server.ask(`POST ${at}/redirect`, { params, body: add })).rejects.toMatchObject({
      status: 422,
    });
    const stream = await fetch(
      `${server.url}/api/workspaces/${params.workspace}/plans/${params.plan}/stream`,
      {
        headers: { authorization: `Bearer ${server.token}` },
      },
    );
    let text = '';
    for await (const part of stream.body!.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (text.includes('redirect.requested')) break;
    }
    expect(text).toContain('"kind":"plan.started"');
  });
});

describe.skipIf(!hasSandbox)('S22: whoever is shut in', () => {
  it('finds no token, gets no answer without one, and with the network off not even a connection', async () => {
    const live = await prepare('true', `gates: { ${good} }`);
    const { port } = new URL(live.url);
    const probe = (out: string) => `node -e "
      const { connect } = require('net');
      const { appendFileSync } = require('fs');
      const socket = connect(${port}, '127.0.0.1', () => socket.write('GET /api/runs HTTP/1.1\\r\\nHost: 127.0.0.1:${port}\\r\\n\\r\\n'));
      socket.on('data', (data) => { appendFileSync('${out}', String(data).split('\\r\\n')[0] + '\\n'); process.exit(); });
      socket.on('error', (error) => { appendFileSync('${out}', error.code + '\\n'); process.exit(); });"`;
    const hunt = (out: string) =>
      `cat "${place.state}/agentgate/server/token" >> ${out} 2>/dev/null; find "${place.state}" -type f >> ${out}; env >> ${out}; cat /proc/*/environ >> ${out} 2>/dev/null`;
    place.write({
      '../agent.sh': `${hunt('found-by-agent')}\n${probe('reached-by-agent')}\necho good > work.txt\n`,
    });
    place.write({
      'gate.sh': `${hunt('/tmp/found')}\n${probe('/tmp/reached')}\ncat /tmp/found /tmp/reached\ngrep -q good work.txt\n`,
    });
    const flags = ['-p', 'go', '--gate', 'sh gate.sh', '--sandbox', 'bwrap', '--json'];
    const ended = await agentgate(place, 'run', ...flags, '--agent', 'sh ../agent.sh');
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged' });
    const found = readFileSync(join(place.workspace, 'found-by-agent'), 'utf8');
    expect([found.includes(live.token), found.includes('server/')]).toEqual([false, false]);
    // It reaches the port, as the network is open to it; without the token that is worth nothing.
    expect(readFileSync(join(place.workspace, 'reached-by-agent'), 'utf8')).toBe(
      'HTTP/1.1 401 Unauthorized\n',
    );
    const row = await newest(live);
    const judged = (await eventsOf(live, row)).findLast(({ kind }) => kind === 'gate.judged') as {
      output: string;
    };
    const printed = await live.ask(`GET ${run}/outputs/{ref}`, {
      params: { ...placeOf(row), ref: judged.output },
    });
    expect(printed).not.toContain(live.token);
    expect(printed).toMatch(/ECONNREFUSED|ENETUNREACH|EPERM/);
    expect(printed).not.toContain('HTTP/1.1');
    expect(existsSync(join(place.state, 'agentgate', 'server', 'token'))).toBe(true);
  });
});

describe('the page beside a run', () => {
  it('opens with the run, shows it, and ends with it', async () => {
    place = makePlace({ 'work.txt': 'bad\n', 'agentgate.yaml': spec(`gates: { ${good} }`) });
    place.write({
      '../agent.sh': 'touch ../works; while ! test -e ../go; do sleep 0.05; done; echo good > work.txt\n',
      '../browser.sh':
        '#!/bin/sh\ncp "$1" "$(dirname "$0")/opening" && mv "$(dirname "$0")/opening" "$(dirname "$0")/opened"\n',
    });
    place.env['BROWSER'] = join(base(), 'browser.sh');
    const { ended } = start(place, ['run', '--open', '--json']);
    const opened = join(base(), 'opened');
    await eventually(async () => existsSync(opened) && existsSync(join(base(), 'works')), Boolean);
    const link = /href="([^"]+)"/.exec(readFileSync(opened, 'utf8'))?.[1] ?? '';
    const cookie = await enter(link);
    const { origin } = new URL(link);
    const shown = await (await fetch(`${origin}/api/runs`, { headers: { cookie } })).json();
    expect(shown).toMatchObject({ runs: [{ standing: 'running', task: 'go' }] });
    writeFileSync(join(base(), 'go'), '');
    const done = await ended;
    expect(outcomeOf(done)).toMatchObject({ status: 'converged' });
    expect(done.exit).toBe(0);
    for (const line of done.stdout.trim().split('\n')) JSON.parse(line);
    await expect(fetch(origin)).rejects.toThrow();
  });
});

describe('what cannot be served', () => {
  it.each([
    [['--port', '99999'], 2, /99999 is no port/],
    [['--host', '0.0.0.0'], 2, /--tls-cert and --tls-key, or say --without-tls/],
    [['--host', '0.0.0.0', '--tls-cert', 'none.pem'], 2, /go together/],
    [['--host', '0.0.0.0', '--tls-cert', 'none.pem', '--tls-key', 'none.key'], 2, /none\.pem cannot be read/],
    [['--host', '203.0.113.9', '--without-tls'], 2, /no address of this machine/],
    [['--tls-cert', 'work.txt', '--tls-key', 'work.txt'], 2, /no pair that can be used/],
    [['--spec', 'none.yaml'], 2, /none\.yaml/],
  ])('%j', async (args, exit, said) => {
    place = makePlace({ 'work.txt': 'bad\n' });
    const ended = await agentgate(place, 'serve', ...args);
    expect([ended.exit, ended.stderr]).toEqual([exit, expect.stringMatching(said)]);
    expect(ended.stderr).not.toMatch(/at .*\.js:\d+/);
  });
  it('says which port is in use, and that --port 0 takes a free one', async () => {
    place = makePlace();
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    const { port } = taken.address() as { port: number };
    const ended = await agentgate(place, 'serve', '--port', String(port));
    expect([ended.exit, ended.stderr]).toEqual([
      4,
      expect.stringContaining(`port ${port} of 127.0.0.1 is in use; --port 0`),
    ]);
    taken.close();
  });
  it('speaks TLS where it is given a certificate', async ({ skip }) => {
    place = makePlace();
    const made = spawnSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        'key.pem',
        '-out',
        'cert.pem',
        '-days',
        '2',
        '-subj',
        '/CN=localhost',
      ],
      { cwd: place.workspace },
    );
    skip(made.status !== 0, 'openssl is not installed');
    server = await served(place, '--tls-cert', 'cert.pem', '--tls-key', 'key.pem');
    expect(server.url).toMatch(/^https:/);
    const code = `
      const ask = (url) => new Promise((done) => require('https').get(url, { rejectUnauthorized: false }, (got) => done([got.statusCode, String(got.headers['set-cookie'])])));
      ask(process.argv[1]).then(async (first) => console.log(JSON.stringify([first, await ask(process.argv[2])])));`;
    const { stdout } = spawnSync(process.execPath, ['-e', code, server.link, `${server.url}/api/runs`], {
      encoding: 'utf8',
    });
    expect(JSON.parse(stdout)).toMatchObject([
      [200, expect.stringContaining('; Secure')],
      [401, 'undefined'],
    ]);
  });
});
