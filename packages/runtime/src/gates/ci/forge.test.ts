import { describe, expect, test, vi } from 'vitest';
import { idsOf, runOf } from '../testing.ts';
import { openForge, type Reply } from '../../forge/testing.ts';
import { checkRuns, statuses } from './testing.ts';
import {
  github,
  green,
  judge,
  place,
  queued,
  red,
  serve,
  verdictOf,
  useRepository,
} from './testing-place.ts';

useRepository();

describe('a forge that has other things to do', () => {
  test('is asked less and less often', async () => {
    const { url } = await github({ body: checkRuns(queued) });
    const pauses: unknown[] = [];
    for (let look = 0; look < 6; look++) pauses.push((await judge({ apiUrl: url }, { marker: url })).verdict);
    expect(pauses.map((one) => (one as { retryAfterMs: number }).retryAfterMs)).toEqual([
      15_000, 30_000, 60_000, 120_000, 120_000, 120_000,
    ]);
  });

  test('is waited for no longer than the gate says', async () => {
    const { url } = await github({ body: checkRuns(queued) });
    const gate = { apiUrl: url, timeout: '30m' };
    const after = (waitedMs: number) =>
      judge(gate, { run: runOf({ tree: place.tree, waitedMs }), marker: url });
    expect((await after(29 * 60_000 + 50_000)).verdict).toMatchObject({
      kind: 'pending',
      retryAfterMs: 10_000,
    });
    expect((await after(30 * 60_000)).verdict).toMatchObject({ kind: 'timed-out', afterMs: 1_800_000 });
  });

  test('is asked for what changed only, and a 304 means the same as before', async () => {
    const { url, seen } = await serve(({ path, headers }) => {
      if (path.endsWith('/status')) return { body: statuses() };
      return headers['if-none-match'] === 'W/"1"'
        ? { status: 304 }
        : { body: checkRuns(queued), headers: { etag: 'W/"1"' } };
    });
    for (let look = 0; look < 2; look++)
      expect((await judge({ apiUrl: url }, { marker: url })).verdict.kind).toBe('pending');
    const asked = seen.filter(({ path }) => path.endsWith('/check-runs'));
    expect(asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"1"']);
  });

  test('every page of its list is read', async () => {
    const { url } = await serve(({ path, query, headers }) => {
      if (path.endsWith('/status')) return { body: statuses() };
      const page = { total_count: 2 };
      if (query.get('page') === '2') return { body: { ...checkRuns(red), ...page } };
      const next = `<http://${headers.host}${path}?per_page=100&page=2>; rel="next", <http://x/>; rel="last"`;
      return { body: { ...checkRuns(green), ...page }, headers: { link: next } };
    });
    expect(idsOf((await judge({ apiUrl: url })).verdict)).toEqual(['ci:lint']);
  });

  test('a list of which a part is missing is not judged by', async () => {
    expect(await verdictOf({ body: { ...checkRuns(green), total_count: 2 } })).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('changed while it was read'),
    });
  });

  test.each<[string, number, Record<string, string>, number]>([
    ['until its limit is new', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '+90' }, 90_000],
    ['for as long as it says', 429, { 'retry-after': '40' }, 40_000],
    ['for a minute where it does not say', 429, {}, 60_000],
    ['for a while in GitLab', 429, { 'ratelimit-reset': '+20' }, 20_000],
  ])('is left alone %s', async (_name, status, given, forMs) => {
    const headers = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        name,
        value.startsWith('+') ? String(Math.ceil(Date.now() / 1_000) + Number(value)) : value,
      ]),
    );
    const verdict = await verdictOf({ status, headers, body: { message: 'API rate limit exceeded' } });
    expect(verdict).toMatchObject({ kind: 'pending', note: expect.stringContaining('asked too often') });
    const { retryAfterMs } = verdict as { retryAfterMs: number };
    expect(Math.abs(retryAfterMs - forMs)).toBeLessThan(3_000);
  });
});

describe('a forge that does not let us in', () => {
  test.each<[number, string]>([
    [401, 'it answered 401 (Bad credentials); see that the token of GITHUB_TOKEN may see acme/widget'],
    [403, 'it answered 403 (Bad credentials); see that the token of GITHUB_TOKEN may see acme/widget'],
  ])('with %i is unable', async (status, message) => {
    expect(await verdictOf({ status, body: { message: 'Bad credentials' } })).toMatchObject({
      kind: 'unable',
      fault: { code: 'gate.ci', message: expect.stringContaining(message) },
    });
  });

  test('with a repository that it does not show is unable, also before the first commit of the work', async () => {
    const { url } = await serve(() => ({ status: 404, body: { message: 'Not Found' } }));
    const unable = {
      kind: 'unable',
      fault: { message: expect.stringMatching(/acme\/widget is not there, or not for us to see; see that/) },
    };
    expect((await judge({ apiUrl: url })).verdict).toMatchObject(unable);
    const run = runOf({ tree: 'a'.repeat(40), iteration: 0 });
    expect((await judge({ apiUrl: url }, { run })).verdict).toMatchObject(unable);
  });

  test('without a token says which one to set', async () => {
    for (const name of ['GITHUB_TOKEN', 'GH_TOKEN']) vi.stubEnv(name, '');
    expect(await verdictOf({ status: 401, body: {} })).toMatchObject({
      fault: { message: expect.stringContaining('set GITHUB_TOKEN or GH_TOKEN to a token') },
    });
    expect(await verdictOf({ body: checkRuns(green) }, { token: 'NO_SUCH_TOKEN' })).toMatchObject({
      fault: {
        message: 'gate ci needs the variable NO_SUCH_TOKEN, which is not set; set it, or correct token',
      },
    });
  });
});

describe('a forge in trouble', () => {
  test.each<[string, Reply, string]>([
    ['500', { status: 500, body: 'oops' }, 'it answered 500'],
    ['no JSON', { body: '<html>Sign in</html>' }, 'not what such an API answers'],
    ['other JSON', { body: { check_runs: 7 } }, 'not what such an API answers'],
    ['a body without end', { body: 'x'.repeat(9 * 1024 * 1024) }, 'more than can be read'],
    ['a 304 that nobody asked for', { status: 304 }, 'it answered 304'],
  ])('%s is not yet three times, and unable then', async (_name, reply, why) => {
    const { url } = await github(reply);
    for (let look = 1; look <= 4; look++) {
      const { verdict } = await judge({ apiUrl: url }, { marker: url });
      expect(verdict.kind).toBe(look < 4 ? 'pending' : 'unable');
      expect(JSON.stringify(verdict)).toContain(why);
    }
  });

  test('that is silent is waited for no longer than the gate has', async () => {
    const { url } = await github('never');
    const { verdict, tookMs } = await judge({ apiUrl: url }, { timeoutMs: 200, marker: url });
    expect(verdict).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('did not answer in time'),
    });
    expect(tookMs).toBeLessThan(5_000);
  });

  test('that is not there at all', async () => {
    const { url, close } = await openForge(() => ({}));
    await close();
    expect((await judge({ apiUrl: url }, { marker: url })).verdict).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('nobody listens'),
    });
  });

  test('that is back is trusted again', async () => {
    let status = 500;
    const { url } = await serve(({ path }) =>
      status === 500 ? { status } : { body: path.endsWith('/status') ? statuses() : checkRuns(queued) },
    );
    for (status of [500, 500, 200, 500, 500, 500])
      expect((await judge({ apiUrl: url }, { marker: url })).verdict.kind).toBe('pending');
  });
});
