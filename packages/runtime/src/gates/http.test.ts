import { getEventListeners } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateRequest, Judgement } from '@agentgate/core';
import { listMarked } from '../process/index.ts';
import { gateFrom, gateWith, idsOf, judgeGate } from './testing.ts';

let root: string;
const open: { close(): unknown }[] = [];
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-http-')));
});
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise((resolve) => void (server as Server).close(resolve));
  await rm(root, { recursive: true });
});

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(handler: Handler): Promise<string> {
  const server = createServer(handler);
  open.push(server);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port at which nobody listens. */
async function freePort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => void server.close(resolve));
  return port;
}

const ask = (options: object, request: Partial<GateRequest> = {}): Promise<Judgement> =>
  judgeGate(gateFrom({ kind: 'http', ...options }, 'api'), root, request);
const idsFor = async (options: object) => idsOf((await ask(options)).verdict);

describe('the answer', () => {
  const answer = { status: 'up', items: [{ id: 7 }], 'a/b': null };
  const serve = () =>
    listen((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.end(request.url === '/text' ? 'hello\nworld\n' : JSON.stringify(answer));
    });

  test.each<[string, object, string[]]>([
    ['/', {}, ['(passed)']],
    ['/', { json: { '/status': 'up', '/items/0/id': 7, '/a~1b': null } }, ['(passed)']],
    ['/', { json: { '': answer } }, ['(passed)']],
    [
      '/',
      { json: { '/status': 'down', '/none': 1, '/items/0/id': 7 } },
      ['http:json:/status', 'http:json:/none'],
    ],
    ['/text', { json: { '/a': 1 } }, ['http:json']],
    ['/text', { contains: ['hello', 'world'], matches: '^world$' }, ['(passed)']],
    ['/text', { contains: 'bye' }, ['http:contains:b49f425a']],
    ['/missing', {}, ['http:status']],
    ['/missing', { status: [200, 404] }, ['(passed)']],
    ['/text', { status: 201, contains: 'bye' }, ['http:status', 'http:contains:b49f425a']],
  ])('of %s to %j', async (path, options, ids) => {
    const url = await serve();
    expect(await idsFor({ url: `${url}${path}`, ...options })).toEqual(ids);
  });

  test('is told in words', async () => {
    const { verdict, output } = await ask({ url: `${await serve()}/missing`, json: { '/status': 'down' } });
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [
        { title: 'answered 404, expected 200' },
        { title: '/status is not "down"', message: 'found "up"' },
      ],
      excerpt: expect.stringContaining('"status":"up"'),
    });
    expect(output).toContain('/missing\n404\n{"status":"up"');
  });

  test('is read to its first megabyte', async () => {
    const url = await listen((_, response) => response.end(`{"a": "${'x'.repeat(2 * 1024 * 1024)}"}needle`));
    expect(await idsFor({ url, contains: 'needle' })).toEqual([expect.stringMatching(/^http:contains/)]);
    expect(await idsFor({ url, json: { '/a': 1 } })).toEqual(['http:long']);
  });

  test('that never ends is not waited for', async () => {
    const url = await listen((_, response) => response.write('and then'));
    expect(await idsFor({ url, responseTimeout: '200ms' })).toEqual(['http:timeout']);
    const { verdict } = await ask({ url }, { timeoutMs: 200 });
    expect(verdict).toMatchObject({ kind: 'timed-out', afterMs: 200 });
  });

  test('that breaks off has failed', async () => {
    const url = await listen((request) => void request.socket.destroy());
    expect(await idsFor({ url })).toEqual(['http:broken']);
  });
});

test('the request is what the gate says', async () => {
  let seen = '';
  const url = await listen((request, response) => {
    seen = `${request.method} ${request.url} ${request.headers['x-a']} ${request.headers['content-type']}`;
    request.on('data', (chunk) => (seen += ` ${chunk}`)).on('end', () => response.end());
  });
  expect(
    await idsFor({ url: `${url}/x?y=1`, method: 'PUT', headers: { 'X-A': 'b' }, body: { c: [1] } }),
  ).toEqual(['(passed)']);
  expect(seen).toBe('PUT /x?y=1 b application/json {"c":[1]}');
  await ask({ url, method: 'POST', body: 'plain' });
  expect(seen).toBe('POST / undefined undefined plain');
});

describe('a server that is not there', () => {
  test('has failed when it refuses, and is unable when nobody knows it', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await idsFor({ url })).toEqual(['http:refused']);
    const { verdict } = await ask({ url: 'http://no-such-host.invalid/' });
    expect(verdict).toMatchObject({
      kind: 'unable',
      fault: { code: 'gate.http', message: expect.stringContaining('cannot reach no-such-host.invalid') },
    });
  });

  test('with an address or a header that cannot be sent is unable', async () => {
    const gate = gateWith('http', { url: 'http://127.0.0.1:1/' }, { url: 'nowhere' });
    expect((await judgeGate(gate, root)).verdict).toMatchObject({
      kind: 'unable',
      fault: { code: 'gate.http' },
    });
    const { verdict } = await ask({ url: 'http://127.0.0.1:1/', headers: { 'X-A': 'snow \u2603' } });
    expect(verdict).toMatchObject({ kind: 'unable', fault: { code: 'gate.http' } });
  });

  test('is asked again while it refuses', async () => {
    const port = await freePort();
    const late = createServer((_, response) => response.end('late'));
    open.push(late);
    const asking = ask({ url: `http://127.0.0.1:${port}/`, retry: { for: '20s', every: '20ms' } });
    late.listen(port, '127.0.0.1');
    expect((await asking).verdict.kind).toBe('passed');
    const url = `http://127.0.0.1:${await freePort()}/`;
    expect(await idsFor({ url, retry: { times: 2, every: '1ms' } })).toEqual(['http:refused']);
    expect(await idsFor({ url, retry: { for: '30ms', every: '10ms' } })).toEqual(['http:refused']);
  });

  test('leaves nothing behind at the signal of the run', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const { signal } = new AbortController();
    await ask({ url, retry: { times: 12, every: '1ms' } }, { signal });
    await ask({ url, start: { run: 'sleep 60', timeout: '1s' } }, { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('is not asked when the run is stopped', async () => {
    const url = `http://127.0.0.1:${await freePort()}/`;
    const controller = new AbortController();
    const asking = ask({ url, retry: '60s' }, { signal: controller.signal });
    controller.abort();
    expect((await asking).verdict.kind).toBe('skipped');
  });
});

describe('redirects', () => {
  test('are not followed unless told', async () => {
    const url = await listen((request, response) => {
      if (request.url === '/there') return response.end('arrived');
      return response.writeHead(302, { location: request.url === '/loop' ? '/loop' : '/there' }).end();
    });
    const { verdict } = await ask({ url });
    expect(verdict).toMatchObject({
      findings: [{ title: 'answered 302, which leads to /there, expected 200' }],
    });
    expect(await idsFor({ url, follow: true, contains: 'arrived' })).toEqual(['(passed)']);
    expect(await idsFor({ url: `${url}/loop`, follow: true })).toEqual(['http:broken']);
  });

  test('take no headers to another server', async () => {
    let seen: string | undefined = 'not asked';
    const other = await listen((request, response) => {
      seen = request.headers['x-key'] as string | undefined;
      response.end();
    });
    const url = await listen((_, response) => response.writeHead(307, { location: other }).end());
    expect(await idsFor({ url, follow: true, headers: { 'X-Key': 'k' } })).toEqual(['(passed)']);
    expect(seen).toBeUndefined();
  });
});

describe('secrets in headers', () => {
  test('come from the environment and are never shown', async () => {
    process.env['AGENTGATE_TEST_TOKEN'] = 's3cret-value';
    try {
      const url = await listen((request, response) =>
        response.end(`you sent ${request.headers.authorization}`),
      );
      const headers = { Authorization: 'Bearer ${AGENTGATE_TEST_TOKEN}' };
      const judged = await ask({ url, headers, contains: ['Bearer s3cret-value', 'nothing'] });
      expect(idsOf(judged.verdict)).toEqual([expect.stringMatching(/^http:contains/)]);
      expect(JSON.stringify(judged)).not.toContain('s3cret-value');
      expect(judged.output).toContain('you sent Bearer ***');
    } finally {
      delete process.env['AGENTGATE_TEST_TOKEN'];
    }
  });

  test('that are not set are unable', async () => {
    const { verdict } = await ask({
      url: 'http://127.0.0.1:1/',
      headers: { 'X-Key': '${NO_SUCH_VARIABLE}' },
    });
    expect(verdict).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringMatching(/X-Key: the variable NO_SUCH_VARIABLE is not set; set it/) },
    });
  });

  test('a password in the address is not shown', async () => {
    const url = (await listen((_, response) => response.writeHead(500).end())).replace(
      '//',
      '//me:pass-word@',
    );
    expect(JSON.stringify(await ask({ url }))).not.toContain('pass-word');
  });
});

describe('a server of its own', () => {
  const script = `
    const { createServer } = require('node:http');
    require('node:fs').appendFileSync('starts', process.pid + '\\n');
    console.log('server starts');
    createServer((q, r) => r.writeHead(q.url === '/ready' ? 204 : 200).end('served')).listen(process.argv[2], '127.0.0.1');
  `;
  beforeEach(() => writeFile(join(root, 'server.cjs'), script));
  const own = async (more: object = {}) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/`;
    // The shell stays its parent, as with npm.
    return { url, start: `node server.cjs ${port}; true`, contains: 'served', ...more };
  };

  test('is started, asked and ended to its last process', async () => {
    const marker = `http-server-${process.pid}`;
    const judged = await ask(await own(), { marker });
    expect(judged.verdict).toEqual({ kind: 'passed' });
    expect(judged.output).toContain('The server printed:\nserver starts');
    expect(await listMarked(marker)).toEqual([]);
  });

  test('may say when it is ready', async () => {
    const { url, ...rest } = await own();
    expect(await idsFor({ ...rest, url, start: { run: rest.start, ready: `${url}ready` } })).toEqual([
      '(passed)',
    ]);
  });

  test.each([
    ['ends too early', 'echo boom; exit 3', ['http:start:ended']],
    ['is not built yet', './bin/server', ['http:start:ended']],
    ['is a program that is missing', 'no-such-server', ['(unable)']],
    ['is a list with a program that is missing', ['no-such-server'], ['(unable)']],
    ['never listens', { run: 'sleep 60', timeout: '300ms' }, ['http:start:not-ready']],
  ])('that %s', async (_name, start, ids) => {
    const { verdict } = await ask(await own({ start }));
    expect(idsOf(verdict)).toEqual(ids);
  });

  test('shows what it printed when it ends too early', async () => {
    const { verdict } = await ask(await own({ start: 'echo "Error: no config" >&2; exit 3' }));
    expect(verdict).toMatchObject({
      findings: [{ title: 'the server exited with 3 before it was ready' }],
      excerpt: expect.stringContaining('Error: no config'),
    });
  });

  test('is not started where somebody listens already', async () => {
    const url = await listen((_, response) => response.end('served'));
    const { verdict } = await ask({ url, start: 'touch started', contains: 'served' });
    expect(verdict).toMatchObject({
      kind: 'unable',
      fault: { code: 'gate.port', message: expect.stringContaining('somebody listens at 127.0.0.1:') },
    });
    expect(existsSync(join(root, 'started'))).toBe(false);
  });

  test('is ended when the run is stopped or the time is over', async () => {
    const marker = `http-stop-${process.pid}`;
    const controller = new AbortController();
    const options = await own({ start: 'echo begun; sleep 60' });
    const onOutput = () => controller.abort();
    expect((await ask(options, { marker, signal: controller.signal, onOutput })).verdict.kind).toBe(
      'skipped',
    );
    expect((await ask(options, { marker, timeoutMs: 300 })).verdict.kind).toBe('timed-out');
    expect(await listMarked(marker)).toEqual([]);
  });

  test('gates side by side at one address take turns', async () => {
    const options = await own();
    const judged = await Promise.all([1, 2, 3].map(() => ask(options)));
    expect(judged.map(({ verdict }) => verdict)).toEqual([
      { kind: 'passed' },
      { kind: 'passed' },
      { kind: 'passed' },
    ]);
    expect((await readFile(join(root, 'starts'), 'utf8')).trim().split('\n')).toHaveLength(3);
  });
});
