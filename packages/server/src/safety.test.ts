import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { connect, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { FaultError } from '@agentgate/core';
import { stateRoot } from '@agentgate/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from './contract/index.ts';
import { chooseBind, hostsOf } from './entrance/bind.ts';
import { openLinks } from './entrance/links.ts';
import { makePass, passMs } from './entrance/pass.ts';
import { renewEntrance } from './entrance/renew.ts';
import { readToken, renewToken, tokenPath } from './entrance/token.ts';
import { openStage, type Stage, writeRun } from './testing.ts';

// Each rule has a probe that succeeds when the rule is gone. The last line of each is the same request made rightly,
// so that none of them passes because the server answers nobody.

let stage: Stage;
let secret: string;
let own: Record<string, string>;
const runId = 'aaaaaa';
const text = '<script>alert(1)</script>';
const ref = createHash('sha256').update(text).digest('hex').slice(0, 40);
beforeAll(async () => {
  stage = await openStage();
  await writeRun(stage, runId, { kind: 'run.paused' });
  stage.store.keep(runId, text);
  secret = join(stage.home.dir, 'secret.txt');
  writeFileSync(secret, 'the secret');
  own = { host: `127.0.0.1:${stage.serving.port}`, authorization: `Bearer ${stage.token}` };
});
afterAll(() => stage.close());

const health = '/api/health';
const ofRun = (rest = '') => `/api/workspaces/${stage.workspace}/runs/${runId}${rest}`;
const get = async (headers: Record<string, string>, path = health) =>
  (await stage.send({ path, headers })).status;
/** Every route with something in each of its places. */
const addresses = () =>
  Object.keys(routes).map((key) => {
    const [method = '', path = ''] = key.split(' ');
    const places: Record<string, string> = { workspace: stage.workspace, run: runId, plan: 'p000000', ref };
    return { method, path: path.replace(/\{(\w+)\}/g, (_, name: string) => places[name] ?? '') };
  });

describe('who reaches the server', () => {
  it('S1: listens to this machine alone', async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4');
    for (const { address } of others) {
      const reached = await new Promise<boolean>((done) => {
        const socket = connect(stage.serving.port, address, () => done(true));
        socket.on('error', () => done(false));
      });
      expect(reached, `reached by ${address}`).toBe(false);
    }
    expect(chooseBind({ port: 0 }).host).toBe('127.0.0.1');
    expect(await get(own)).toBe(200);
  });
  it.each(['0.0.0.0', '::', '192.168.1.5', 'example.org'])(
    'S1: does not listen on %s without TLS, unless that is said',
    (host) => {
      expect(() => chooseBind({ host, port: 0 })).toThrow(/--tls-cert and --tls-key, or say --without-tls/);
      expect(() => chooseBind({ host, port: 0, tlsCert: 'x' })).toThrow(/go together/);
      expect(() => chooseBind({ host, port: 0, tlsCert: '/no/cert', tlsKey: '/no/key' })).toThrow(
        /--tls-cert \/no\/cert cannot be read/,
      );
      expect(chooseBind({ host, port: 0, withoutTls: true })).toMatchObject({ host, isRemote: true });
    },
  );
  it('S2: answers nothing without the token, on any route', async () => {
    const paths = [...addresses(), { method: 'GET', path: '/' }, { method: 'GET', path: '/api/none' }];
    for (const { method, path } of paths) {
      for (const authorization of [
        undefined,
        'Bearer',
        'Bearer x',
        `Basic ${stage.token}`,
        `Bearer ${stage.token}x`,
      ]) {
        const headers = { host: own['host']!, ...(authorization === undefined ? {} : { authorization }) };
        const { status, text: said } = await stage.send({ method, path, headers });
        expect([method, path, authorization, status]).toEqual([method, path, authorization, 401]);
        expect(said).not.toContain('a task');
      }
    }
    expect(paths.length).toBeGreaterThan(30);
  });
  it('S2: has 256 bits of chance in its token, and never none', () => {
    expect(Buffer.from(stage.token, 'base64url')).toHaveLength(32);
    const state = join(stage.home.dir, 'other-state');
    const first = readToken(state);
    expect(readToken(state)).toBe(first);
    for (const broken of ['', 'short', '\n']) {
      writeFileSync(tokenPath(state), broken);
      expect(Buffer.from(readToken(state), 'base64url')).toHaveLength(32);
    }
    const before = readToken(state);
    renewToken(state);
    expect(readToken(state)).not.toBe(before);
  });
  it('S3, S4: answers to its own names alone, whoever asks', async () => {
    const { port } = stage.serving;
    const foreign = [
      'evil.com',
      `evil.com:${port}`,
      `localhost.evil.com:${port}`,
      `127.0.0.1.nip.io:${port}`,
      `0.0.0.0:${port}`,
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.:${port}`,
      `localhost.:${port}`,
      '127.0.0.1',
    ];
    for (const host of foreign)
      for (const path of [health, '/', '/login', ofRun('/stream')])
        expect([host, path, await get({ ...own, host }, path)]).toEqual([host, path, 403]);
    for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
      expect([host, await get({ ...own, host })]).toEqual([host, 200]);
  });
  it('S3: has the names that a person gives it, and those of its addresses', () => {
    const bind = chooseBind({ host: '192.168.1.5', port: 0, withoutTls: true, allowHosts: ['Box.lan'] });
    expect([...hostsOf(bind, 80)]).toEqual(['192.168.1.5', '192.168.1.5:80', 'box.lan', 'box.lan:80']);
    expect([...hostsOf(chooseBind({ host: '0.0.0.0', port: 0, withoutTls: true }), 9)]).not.toContain(
      '0.0.0.0:9',
    );
  });
  it('S5, S6, S7: answers no page but its own', async () => {
    const { port } = stage.serving;
    const foreign = [
      'https://evil.com',
      'null',
      'http://localhost:3000',
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
      `http://localhost:${port}`,
      `http://127.0.0.1:${port}.evil.com`,
    ];
    for (const origin of foreign) expect([origin, await get({ ...own, origin })]).toEqual([origin, 403]);
    expect(await get({ ...own, origin: `http://127.0.0.1:${port}` })).toBe(200);
  });
  it('S8: gives no other page leave to read', async () => {
    const asked = { origin: 'https://evil.com', 'access-control-request-method': 'POST' };
    for (const headers of [{ ...own, ...asked }, { host: own['host']!, ...asked }, own]) {
      for (const method of ['OPTIONS', 'GET']) {
        const got = await stage.send({ method, path: health, headers });
        expect(Object.keys(got.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
        if (headers !== own) expect(got.status).toBeGreaterThanOrEqual(400);
      }
    }
  });
  it('S9: takes JSON alone for a write', async () => {
    const write = async (type: string | null) =>
      (
        await stage.send({
          method: 'POST',
          path: '/api/login-links',
          headers: { ...own, ...(type === null ? {} : { 'content-type': type }) },
          body: '{}',
        })
      ).status;
    const others = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      null,
    ];
    for (const type of others) expect([type, await write(type)]).toEqual([type, 415]);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'])
      expect((await stage.send({ method, path: health, headers: own })).status).toBe(405);
    for (const type of ['application/json', 'application/json; charset=utf-8'])
      expect(await write(type)).toBe(200);
  });
  it('S10: asks the browser from where it asks', async () => {
    const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
    for (const site of ['cross-site', 'same-site', 'none', 'anything'])
      expect([site, await get({ ...own, 'sec-fetch-site': site })]).toEqual([site, 403]);
    for (const site of ['cross-site', 'same-site'])
      expect(await get({ ...own, 'sec-fetch-site': site, ...visit }, '/')).toBe(403);
    const frame = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' };
    expect(await get({ ...own, 'sec-fetch-site': 'cross-site', ...frame }, '/login')).toBe(403);
    expect(await get({ ...own, 'sec-fetch-site': 'none', ...visit }, '/')).toBe(200);
    expect(await get({ ...own, 'sec-fetch-site': 'same-origin' })).toBe(200);
  });
  it('S11: the same for streams', async () => {
    for (const path of ['/api/stream', ofRun('/stream')]) {
      expect(await get({ ...own, origin: 'https://evil.com' }, path)).toBe(403);
      expect(await get({ ...own, 'sec-fetch-site': 'cross-site' }, path)).toBe(403);
      expect(await get({ host: own['host']! }, path)).toBe(401);
    }
  });
  it('S16: a link lets one browser in, once, by a cookie that no script and no other site can use', async () => {
    const path = new URL(stage.serving.makeLink()).pathname + new URL(stage.serving.makeLink()).search;
    const first = await stage.send({ path, headers: { host: own['host']! } });
    expect(first.status).toBe(200);
    const [cookie = ''] = first.headers['set-cookie'] as string[];
    for (const word of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(cookie).toContain(word);
    expect(cookie).not.toContain(stage.token);
    expect((await stage.send({ path, headers: { host: own['host']! } })).status).toBe(401);
    for (const wrong of ['/login', '/login?code=', '/login?code=../token', `/login?code=${stage.token}`])
      expect([wrong, await get({ host: own['host']! }, wrong)]).toEqual([wrong, 401]);
    const [pair = ''] = cookie.split(';');
    const [name = '', value = ''] = pair.split('=');
    const [until = '', nonce = '', signature = ''] = value.split('.');
    const enter = (worth: string) => get({ host: own['host']!, cookie: `${name}=${worth}` });
    const forged = [
      `${Number(until) + 1}.${nonce}.${signature}`,
      `${until}.x.${signature}`,
      `${until}.${nonce}.`,
    ];
    for (const worth of forged) expect([worth, await enter(worth)]).toEqual([worth, 401]);
    expect(await enter(value)).toBe(200);
  });
  it('S16: a link is good for a day, and what it is exchanged for for thirty', async () => {
    const folder = join(
      stateRoot({ AGENTGATE_STATE_DIR: join(stage.home.dir, '..', '..') }),
      'server',
      'links',
    );
    const enter = (link: string) =>
      get({ host: own['host']! }, new URL(link).pathname + new URL(link).search);
    const age = (hours: number) => {
      const made = new Date(Date.now() - hours * 3_600_000);
      for (const name of readdirSync(folder)) utimesSync(join(folder, name), made, made);
    };
    const [old, young] = [stage.serving.makeLink(), stage.serving.makeLink()];
    age(25);
    expect(await enter(old)).toBe(401);
    age(23);
    expect(await enter(young)).toBe(200);
    const pass = makePass(stage.token);
    const value = pass.make(0);
    expect([passMs, pass.isValid(value, passMs - 1), pass.isValid(value, passMs)]).toEqual([
      30 * 86_400_000,
      true,
      false,
    ]);
  });
  it('S19: no address is a token', async () => {
    for (const name of ['token', 'access_token', 'auth', 'code', 'key'])
      expect(await get({ host: own['host']! }, `${health}?${name}=${stage.token}`)).toBe(401);
    expect(await get(own)).toBe(200);
  });
  it('S24: nothing else is served, MCP least of all', async () => {
    for (const path of ['/mcp', '/sse', '/api/mcp']) {
      expect(await get({ host: own['host']! }, path)).toBe(401);
      expect(await get({ ...own, origin: 'https://evil.com' }, path)).toBe(403);
      expect(await get(own, path)).toBe(404);
    }
  });
});

describe('what a request can carry', () => {
  it('S12: no way out of the places that are served', async () => {
    const up = ['..', '%2e%2e', '%252e%252e', '..%2f', '..%5c', '....//', '%c0%ae%c0%ae'];
    for (const step of up) {
      for (let levels = 1; levels <= 12; levels++) {
        const way = Array.from({ length: levels }, () => step).join('/');
        const ways = [`/${way}/etc/passwd`, `/assets/${way}/etc/passwd`, ofRun(`/outputs/${way}/secret.txt`)];
        const names = [ofRun(`/outputs/${way}`), `/api/workspaces/${way}/runs/${runId}`, `/${way}`];
        for (const path of [...ways, ...names]) {
          const got = await stage.send({ path, headers: own });
          // Plain dots may lead to another page of ours.
          const isOwn = !step.startsWith('....') && names.includes(path);
          expect([path, isOwn || got.status >= 400]).toEqual([path, true]);
          expect(got.text).not.toMatch(/root:|the secret/);
        }
      }
    }
    // A log where no run can be.
    copyFileSync(join(stage.store.dir(runId), 'log.jsonl'), join(stage.home.dir, '..', 'log.jsonl'));
    const outside = `/api/workspaces/${stage.workspace}/runs/..%2f../decisions`;
    expect(await get(own, outside)).toBe(404);
    expect(await get(own, ofRun(`/outputs/${ref}`))).toBe(200);
  });
  it('S13: a link among the outputs leads nowhere', async () => {
    const name = 'a'.repeat(40);
    symlinkSync(secret, join(stage.store.dir(runId), 'blobs', name));
    const got = await stage.send({ path: ofRun(`/outputs/${name}`), headers: own });
    expect([got.status, got.text.includes('the secret')]).toEqual([404, false]);
  });
  it('S14: commands, programs, places and surroundings are no part of any request', async () => {
    const orders = [
      'gate',
      'gates',
      'run',
      'command',
      'argv',
      'agent',
      'env',
      'cwd',
      'root',
      'directory',
      'config',
      'module',
    ];
    const posts = addresses().filter(({ method }) => method === 'POST');
    for (const { path } of posts) {
      for (const order of orders) {
        // A gate is named to be approved; what it runs is not.
        if (order === 'gate' && /approve|reject/.test(path)) continue;
        const body = JSON.stringify({ [order]: 'id;touch /tmp/owned' });
        const headers = { ...own, 'content-type': 'application/json' };
        const got = await stage.send({ method: 'POST', path, headers, body });
        expect([path, order, got.status]).toEqual([path, order, 422]);
      }
    }
    expect(posts.length).toBeGreaterThan(12);
    for (const spec of ['id;touch x', '../agentgate.yaml', '/etc/passwd'])
      await expect(stage.ask('POST /api/runs', { body: { spec } })).rejects.toThrow(/knows no spec/);
    const module = { strategies: [{ kind: 'custom', module: './x.js' }] } as never;
    const params = { workspace: stage.workspace, run: runId };
    await expect(
      stage.ask('POST /api/workspaces/{workspace}/runs/{run}/what-if', { params, body: module }),
    ).rejects.toMatchObject({ status: 422 });
  });
  it('S15: no more than a megabyte', async () => {
    const post = (body: string, more: Record<string, string> = {}) =>
      stage.send({
        method: 'POST',
        path: ofRun('/redirect'),
        headers: { ...own, 'content-type': 'application/json', ...more },
        body,
      });
    const large = JSON.stringify({ text: 'x'.repeat(1_100_000) });
    expect((await post(large)).status).toBe(413);
    expect((await post(large, { 'transfer-encoding': 'chunked' })).status).toBe(413);
    expect((await post(JSON.stringify({ text: 'x'.repeat(900_000) }))).status).toBe(422);
  });
  it('S20: those who dawdle are let go', { timeout: 40_000 }, async () => {
    const tookMs = await new Promise<number>((done, fail) => {
      const fromMs = performance.now();
      const socket = connect(stage.serving.port, '127.0.0.1', () => {
        socket.write('GET /api/health HTTP/1.1\r\nHost: x\r\n');
      });
      const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 1_000);
      socket.on('data', () => undefined);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(drip);
        done(performance.now() - fromMs);
      });
      setTimeout(() => fail(new Error('it was waited for')), 30_000).unref();
    });
    expect(tookMs).toBeLessThan(15_000);
    expect(await get(own)).toBe(200);
  });
});

describe('what an answer says', () => {
  const safe = {
    'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-frame-options': 'DENY',
  };
  it('S17: nothing of others is loaded, run, framed, guessed or told on', async () => {
    const paths = ['/', health, '/api/none', ofRun(), ofRun(`/outputs/${ref}`), '/login'];
    for (const path of paths)
      for (const headers of [own, { host: own['host']! }, { host: 'evil.com' }]) {
        const got = await stage.send({ path, headers });
        expect(got.headers, path).toMatchObject(safe);
        expect(String(got.headers['content-security-policy'])).not.toContain('unsafe');
        expect(got.headers['cache-control']).toContain('no-store');
      }
  });
  it('S18, S23: what a run printed is a text to keep, and never a page', async () => {
    const got = await stage.send({ path: ofRun(`/outputs/${ref}`), headers: own });
    expect(got).toMatchObject({
      status: 200,
      text,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+"$/),
        'x-content-type-options': 'nosniff',
      },
    });
    for (const { method, path } of addresses().filter(
      (one) => one.method === 'GET' && !one.path.endsWith('/stream'),
    )) {
      const { headers } = await stage.send({ method, path, headers: own });
      expect([path, String(headers['content-type']).split(';')[0]]).toEqual([
        path,
        expect.stringMatching(/^(?:application\/json|text\/plain)$/),
      ]);
    }
  });
  it('S21: whoever does everything right is answered', async () => {
    expect(await stage.ask('GET /api/health')).toMatchObject({ kind: 'healthy', version: '1.2.3', runs: 1 });
    const { runs } = await stage.ask('GET /api/runs');
    expect(runs).toMatchObject([{ runId, standing: 'paused', task: 'a task' }]);
    const { status } = await stage.send({
      method: 'POST',
      path: '/api/login-links',
      headers: {
        ...own,
        'content-type': 'application/json',
        origin: `http://${own['host']}`,
        'sec-fetch-site': 'same-origin',
      },
      body: '{}',
    });
    expect(status).toBe(200);
  });
  it('S22: the token is a file that only its owner can read, in the state', () => {
    const root = stateRoot({ AGENTGATE_STATE_DIR: join(stage.home.dir, '..', '..') });
    const path = tokenPath(root);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
    expect(readFileSync(path, 'utf8')).toBe(stage.token);
  });
  it('S22: a token that others could read is none any more', () => {
    const state = join(stage.home.dir, 'third-state');
    const first = readToken(state);
    chmodSync(tokenPath(state), 0o644);
    expect(readToken(state)).not.toBe(first);
    expect(statSync(tokenPath(state)).mode & 0o777).toBe(0o600);
  });
  it('S22: a new token makes the links of the old one worthless', () => {
    const state = join(stage.home.dir, 'fifth-state');
    readToken(state);
    const links = openLinks(state);
    const [code, other] = [links.make(), links.make()];
    expect(links.use(other)).toBe(true);
    renewEntrance(state);
    expect(links.use(code)).toBe(false);
  });
  it('S22: a token that is a link is refused', () => {
    const state = join(stage.home.dir, 'fourth-state');
    mkdirSync(join(state, 'server'), { recursive: true });
    symlinkSync(secret, tokenPath(state));
    expect(() => readToken(state)).toThrow(/not a file of yours/);
  });
});

describe('a server that cannot be opened', () => {
  it('says which port is in use', async () => {
    const taken = createServer();
    await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done));
    const { port } = taken.address() as { port: number };
    await expect(openStage({ bind: chooseBind({ port }) })).rejects.toMatchObject({
      fault: { code: 'server.port', message: expect.stringContaining(`port ${port} of 127.0.0.1 is in use`) },
    } satisfies { fault: Partial<Record<keyof FaultError['fault'], unknown>> });
    taken.close();
  });
  it('says which address is none of this machine', async () => {
    const bind = chooseBind({ host: '203.0.113.7', port: 0, withoutTls: true });
    await expect(openStage({ bind })).rejects.toThrow(/203\.0\.113\.7 is no address of this machine/);
  });
});
