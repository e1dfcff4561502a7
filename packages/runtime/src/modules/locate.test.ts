import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { locateModule } from './locate.ts';
import { makeProject } from './testing.ts';

test('finds a module by its path in the project, by its whole path, and behind a link', async () => {
  const root = makeProject({ 'a/b.mjs': '' });
  symlinkSync('a/b.mjs', join(root, 'link.mjs'));
  const found = { kind: 'found', module: join(root, 'a/b.mjs'), root };
  for (const path of ['a/b.mjs', './a/../a/b.mjs', join(root, 'a/b.mjs'), 'link.mjs'])
    expect(await locateModule(root, path)).toEqual(found);
});

test('finds it in a project that is itself behind a link', async () => {
  const root = makeProject({ 'b.mjs': '' });
  const link = `${root}-link`;
  symlinkSync(root, link);
  expect(await locateModule(link, 'b.mjs')).toEqual({ kind: 'found', module: join(root, 'b.mjs'), root });
  expect(await locateModule(link, join(link, 'b.mjs'))).toMatchObject({ kind: 'found' });
  rmSync(link);
});

test('refuses what leads out of the project, by dots, by its whole path or by a link', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'outside-'));
  writeFileSync(join(outside, 'x.mjs'), '');
  const root = makeProject({ 'a.mjs': '' });
  symlinkSync(outside, join(root, 'folder'));
  symlinkSync(join(outside, 'x.mjs'), join(root, 'file.mjs'));
  for (const path of [join(outside, 'x.mjs'), 'folder/x.mjs', 'file.mjs', `${root}-twin/../../etc/passwd`])
    expect(await locateModule(root, path)).toMatchObject({ kind: 'failed' });
  expect(await locateModule(root, 'file.mjs')).toMatchObject({ failure: { code: 'outside' } });
  rmSync(outside, { recursive: true });
});

test('says why there is nothing to load', async () => {
  const root = makeProject({ 'a.txt': '', 'dir.mjs/x': '' });
  symlinkSync('loop.mjs', join(root, 'loop.mjs'));
  const details = await Promise.all(
    ['none.mjs', 'a.txt/b.mjs', 'dir.mjs', 'a.txt', 'loop.mjs'].map(async (path) => {
      const located = await locateModule(root, path);
      return located.kind === 'failed' ? located.failure.detail : 'found';
    }),
  );
  expect(details).toEqual([
    'there is no such file',
    'there is no such file',
    'it is not a file',
    expect.stringContaining('it is no module'),
    'its links lead in a circle',
  ]);
});
