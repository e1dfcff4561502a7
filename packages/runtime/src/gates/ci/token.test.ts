import { describe, expect, test, vi } from 'vitest';
import { checkRuns, git, statuses } from './testing.ts';
import { github, green, judge, place, red, secret, serve, useRepository } from './testing-place.ts';

useRepository();

describe('the token', () => {
  test('is sent in the header of its forge, and to no other server', async () => {
    const other = await serve(() => ({ body: checkRuns(green) }));
    const { url, seen } = await github({ status: 302, headers: { location: `${other.url}/stolen` } });
    expect((await judge({ apiUrl: url })).verdict).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringContaining('it redirects to') },
    });
    expect(seen[0]?.headers.authorization).toBe(`Bearer ${secret}`);
    expect(other.seen).toEqual([]);
    const link = `<${other.url}/stolen>; rel="next"`;
    const paged = await github({ body: checkRuns(green), headers: { link } });
    expect((await judge({ apiUrl: paged.url })).verdict.kind).toBe('unable');
    expect(other.seen).toEqual([]);
  });

  test('follows a repository that was renamed, on the same server', async () => {
    const { url } = await serve(({ path }) => {
      if (path.startsWith('/repos/')) return { status: 301, headers: { location: `/repositories/1${path}` } };
      return { body: path.endsWith('/status') ? statuses() : checkRuns(green) };
    });
    expect((await judge({ apiUrl: url })).verdict.kind).toBe('passed');
  });

  test('of a job goes by its own header', async () => {
    vi.stubEnv('GITLAB_TOKEN', '');
    vi.stubEnv('CI_JOB_TOKEN', secret);
    const { url, seen } = await serve(() => ({ body: [] }));
    await judge({ provider: 'gitlab', repository: 'a/b', apiUrl: `${url}/api/v4` });
    expect(seen[0]?.headers).toMatchObject({ 'job-token': secret });
    expect(seen[0]?.headers).not.toHaveProperty('private-token');
  });

  test('is never shown, also where the forge repeats it', async () => {
    const told = { ...red, name: `lint ${secret}`, output: { title: secret, summary: secret } };
    for (const reply of [
      { body: checkRuns(told) },
      { status: 401, body: { message: `bad token ${secret}` } },
      { status: 500, body: secret },
    ]) {
      const { url } = await github(reply);
      const judgement = await judge({ apiUrl: url }, { marker: url });
      expect(JSON.stringify(judgement)).not.toContain(secret);
    }
  });
});

describe('the repository', () => {
  const unableFor = async (options: object, remote?: string) => {
    git(place.root, 'remote', 'remove', 'origin');
    if (remote !== undefined) git(place.root, 'remote', 'add', 'up', remote);
    return judge(options, { marker: `remote-${remote}` });
  };
  test('that a remote names elsewhere gets no token before a person names its API', async () => {
    expect((await unableFor({}, 'https://evil.example.com/acme/widget')).verdict).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringContaining('does not know the forge evil.example.com') },
    });
  });
  test('must be known', async () => {
    expect((await unableFor({})).verdict).toMatchObject({
      fault: { message: expect.stringContaining('name it, such as repository: owner/name') },
    });
  });
  test('may not become another one during a run', async () => {
    const { url } = await github({ body: checkRuns(green) });
    expect((await judge({ apiUrl: url }, { marker: 'moves' })).verdict.kind).toBe('passed');
    git(place.root, 'remote', 'set-url', 'origin', 'https://github.com/evil/green.git');
    expect((await judge({ apiUrl: url }, { marker: 'moves' })).verdict).toMatchObject({
      kind: 'unable',
      fault: { message: expect.stringContaining('put the remote back, or name repository') },
    });
  });
});
