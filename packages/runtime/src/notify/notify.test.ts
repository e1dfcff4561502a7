import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NotifyRequest, parseSpec } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeNotify } from './notify.ts';

let root: string;
const servers: Server[] = [];
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-notify-')));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const end: NotifyRequest = {
  about: 'end',
  runId: 'r1',
  iteration: 3,
  gates: ['tests'],
  text: 'run r1 diverged: the agent says <!channel> @here',
  outcome: { status: 'diverged', code: 'loop.x', reason: 'it goes round', caveats: [] },
};

/** The way a spec file gives it. */
function notify(value: unknown) {
  const parsed = parseSpec({ task: 't', agent: ['true'], gates: { a: 'x' }, notify: value });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return makeNotify(parsed.spec.notify, root);
}

/** A server of this test's own, on the loopback, that keeps what it was sent. */
async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const got: { url: string; body: string; headers: IncomingMessage['headers'] }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += chunk));
    request.on('end', () => {
      got.push({ url: request.url ?? '', body, headers: request.headers });
      answer(request, response);
    });
  });
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { got, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe('a command', () => {
  it('gets the notice on its input and in its environment', async () => {
    const ways = await notify(
      'cat > in.json; echo "$AGENTGATE_ABOUT $AGENTGATE_STATUS $AGENTGATE_CODE $AGENTGATE_RUN_ID $AGENTGATE_GATES" > env.txt',
    )(end);
    expect(ways).toEqual([{ way: 'command', ok: true }]);
    expect(JSON.parse(readFileSync(join(root, 'in.json'), 'utf8'))).toMatchObject({
      kind: 'notice',
      about: 'end',
      runId: 'r1',
      outcome: { status: 'diverged', code: 'loop.x' },
    });
    expect(readFileSync(join(root, 'env.txt'), 'utf8')).toBe('end diverged loop.x r1 tests\n');
  });
  it.each([
    ['fails', 'echo no mail; exit 3', /^it exited with 3: no mail$/],
    ['hangs', { run: 'sleep 600', timeout: '300ms' }, /^it did not end within 300ms$/],
    ['is missing', { run: ['no-such-program'] }, /no-such-program/],
    ['kills itself', 'kill -9 $$', /^it was ended by SIGKILL$/],
  ])('that %s is told, not thrown', async (_, value, detail) => {
    expect(await notify(value)(end)).toEqual([
      { way: 'command', ok: false, detail: expect.stringMatching(detail) },
    ]);
  });
  it('is run only for what was asked for', async () => {
    const only = notify({ run: 'touch told', on: ['escalation'] });
    expect(await only(end)).toEqual([]);
    expect(await only({ ...end, about: 'escalation' })).toMatchObject([{ ok: true }]);
    expect(await makeNotify(undefined, root)(end)).toEqual([]);
  });
});

describe('a webhook', () => {
  it('is posted the notice, with nothing in it that calls people in a chat', async () => {
    const { got, url } = await listen((_, response) => response.writeHead(204).end());
    const ways = await notify({ webhook: `${url.replace('//', '//user:s3cret@')}/hook/token` })(end);
    expect(ways).toEqual([{ way: `webhook ${new URL(url).host}`, ok: true }]);
    expect(got[0]).toMatchObject({ url: '/hook/token', headers: { 'content-type': 'application/json' } });
    expect(got[0]!.headers.authorization).toBe(`Basic ${Buffer.from('user:s3cret').toString('base64')}`);
    expect(JSON.parse(got[0]!.body).text).toBe('run r1 diverged: the agent says ‹!channel› @ here');
  });
  it('is named by its host alone when it refuses', async () => {
    const { url } = await listen((_, response) => response.writeHead(500).end('x'.repeat(1_000_000)));
    const [way] = await notify({ webhook: `${url}/secret-token` })(end);
    expect(way).toEqual({ way: `webhook ${new URL(url).host}`, ok: false, detail: 'it answered 500' });
  });
  it('that never answers is left after its time', async () => {
    const { url } = await listen(() => {});
    const [way] = await notify({ webhook: url, timeout: '200ms' })(end);
    expect(way).toMatchObject({ ok: false, detail: 'no answer within 200ms' });
  });
  it('that nobody serves is told', async () => {
    const { url } = await listen(() => {});
    await new Promise((done) => servers.pop()!.close(done));
    const [way] = await notify({ webhook: url })(end);
    expect(way).toMatchObject({ ok: false, detail: expect.stringContaining('ECONNREFUSED') });
  });
  it('may move on its own host and is followed nowhere else', async () => {
    const other = await listen((_, response) => response.writeHead(204).end());
    const { got, url } = await listen((request, response) => {
      const to: Record<string, string> = {
        '/moved': '/hook',
        '/away': `${other.url}/`,
        '/loop': '/loop',
        '/found': '/hook',
      };
      const location = to[request.url!];
      if (location === undefined) response.writeHead(200).end();
      else response.writeHead(request.url === '/found' ? 302 : 308, { location }).end();
    });
    expect(await notify({ webhook: `${url}/moved` })(end)).toMatchObject([{ ok: true }]);
    expect(got.at(-1)).toMatchObject({ url: '/hook', body: expect.stringContaining('"runId":"r1"') });
    expect(await notify({ webhook: `${url}/away` })(end)).toMatchObject([
      { ok: false, detail: expect.stringContaining('308') },
    ]);
    expect(await notify({ webhook: `${url}/loop` })(end)).toMatchObject([{ ok: false }]);
    expect(await notify({ webhook: `${url}/found` })(end)).toMatchObject([
      { ok: false, detail: 'it answered 302' },
    ]);
    expect(other.got).toEqual([]);
  });
  it('and a command are told side by side, each with its own result', async () => {
    const { url } = await listen((_, response) => response.writeHead(200).end());
    expect(await notify({ run: 'exit 1', webhook: url })(end)).toMatchObject([
      { way: 'command', ok: false },
      { way: expect.stringContaining('webhook'), ok: true },
    ]);
  });
});
