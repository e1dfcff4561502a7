import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { runOf } from '../testing.ts';
import { type Seen } from '../../forge/testing.ts';
import { checkRuns, git, statuses } from './testing.ts';
import { commit, github, green, judge, place, serve, useRepository } from './testing-place.ts';

useRepository();

/** Puts other bytes under the name of a commit. */
function forge(id: string, text: string): void {
  const file = join(place.root, '.git/objects', id.slice(0, 2), id.slice(2));
  rmSync(file);
  writeFileSync(file, deflateSync(`commit ${Buffer.byteLength(text)}\0${text}`));
}

describe('which commit is asked about', () => {
  const paths = (seen: Seen[]) => seen.map(({ path }) => path);
  test('the one that has the judged tree, wherever it stands', async () => {
    const before = { head: place.head, tree: place.tree };
    git(place.root, 'branch', 'kept');
    commit('two');
    const { url, seen } = await github({ body: checkRuns(green) });
    const { verdict } = await judge({ apiUrl: url }, { run: runOf({ tree: before.tree }) });
    expect(verdict).toMatchObject({
      kind: 'passed',
      note: expect.stringContaining(before.head.slice(0, 12)),
    });
    expect(paths(seen)[0]).toBe(`/repos/acme/widget/commits/${before.head}/check-runs`);
  });

  test('a workspace inside of a repository is compared with its own folder', async () => {
    const { url } = await github({ body: checkRuns(green) });
    const inner = git(place.root, 'rev-parse', 'HEAD:pkg');
    const run = runOf({ tree: inner, home: join(place.root, 'pkg') });
    expect((await judge({ apiUrl: url }, { run })).verdict.kind).toBe('passed');
  });

  test('without such a commit it waits, says what to do, and asks nobody', async () => {
    const { url, seen } = await github({ body: checkRuns(green) });
    const { verdict } = await judge({ apiUrl: url }, { run: runOf({ tree: 'a'.repeat(40) }) });
    expect(verdict).toEqual({
      kind: 'pending',
      retryAfterMs: 15_000,
      note: 'no commit here has this tree; commit all of it (git add -A && git commit) and push it',
    });
    expect(seen).toEqual([]);
  });

  test('one that was not pushed is waited for, and passes once it was', async () => {
    let pushed = false;
    const { url } = await serve(({ path }) => {
      if (path === '/repos/acme/widget') return { body: { id: 1 } };
      if (!pushed) return { status: 422, body: { message: `No commit found for SHA: ${place.head}` } };
      return { body: path.endsWith('/status') ? statuses() : checkRuns(green) };
    });
    expect((await judge({ apiUrl: url })).verdict).toMatchObject({
      kind: 'pending',
      note: `acme/widget does not know commit ${place.head.slice(0, 12)}; push it`,
    });
    pushed = true;
    expect((await judge({ apiUrl: url })).verdict.kind).toBe('passed');
  });

  test.each<[string, (green: string) => void]>([
    ['is replaced by another', (other) => void git(place.root, 'replace', place.head, other)],
    ['is forged', (other) => forge(place.head, `${git(place.root, 'cat-file', 'commit', other)}\n`)],
  ])('one that %s proves nothing', async (_name, cheat) => {
    const { url } = await github({ body: checkRuns(green) });
    const wanted = place.tree;
    const other = git(place.root, 'commit-tree', wanted, '-m', 'judged');
    git(place.root, 'checkout', '-q', '--orphan', 'elsewhere');
    git(place.root, 'branch', '-D', 'main');
    commit('green before');
    cheat(other);
    const { verdict } = await judge({ apiUrl: url }, { run: runOf({ tree: wanted }) });
    expect(verdict).toMatchObject({ kind: 'pending', note: expect.stringContaining('no commit here') });
  });

  test('a branch that the gate names must have the judged tree', async () => {
    const { url } = await github(
      { body: checkRuns(green) },
      { '/commits/feature/x': { body: { sha: place.head } } },
    );
    const gate = { apiUrl: url, ref: 'feature/x' };
    expect((await judge(gate)).verdict.kind).toBe('passed');
    expect((await judge(gate, { run: runOf({ tree: 'a'.repeat(40) }) })).verdict).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('which is another tree'),
    });
  });

  test('a commit that the gate names is taken as it is', async () => {
    const { url } = await github({ body: checkRuns(green) });
    const run = runOf({ tree: 'a'.repeat(40) });
    expect((await judge({ apiUrl: url, ref: 'b'.repeat(40) }, { run })).verdict.kind).toBe('passed');
  });

  test('outside of a run it is the one that is checked out', async () => {
    const { url, seen } = await github({ body: checkRuns(green) });
    expect((await judge({ apiUrl: url }, { run: runOf({ tree: '' }) })).verdict.kind).toBe('passed');
    expect(paths(seen)[0]).toContain(place.head);
  });
});
