import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { findLack } from './lack.ts';
import { json, makeBed } from './testing.ts';

const machine = process.env['PATH'] ?? '';
const bed = makeBed();
const whatLacks = async (run: string | string[]) => (await findLack(run, bed.root))?.what ?? null;

describe('what a gate lacks on this machine', () => {
  it.each([
    ['a program', 'no-such-program --x', 'no-such-program is not installed'],
    ['a program behind another', 'git status && no-such-program', 'no-such-program is not installed'],
    ['a program of the project', './gradlew test', 'there is no program ./gradlew'],
    ['a tool that npx may not fetch', 'npx --no-install tsc --noEmit', 'tsc is not installed here'],
    ['the tool of a script', 'npm test', 'vitest is not installed here'],
    ['nothing: the shell knows the word', 'test -f a && echo yes', null],
    ['nothing: npx fetches it', 'npx tsc', null],
    ['nothing that can be told', '$(which x) y', null],
  ])('%s', async (_name, run, expected) => {
    bed.write({ 'package.json': json({ scripts: { test: 'vitest run' } }) });
    expect(await whatLacks(run)).toBe(expected);
  });
  it('nothing, where the tool is installed in the project or above it', async () => {
    bed.write({ 'node_modules/.bin/tsc': '', 'web/package.json': '{}' });
    expect(await whatLacks('npx --no-install tsc')).toBeNull();
    expect(await whatLacks('cd web && npx --no-install tsc')).toBeNull();
  });
  it('says how to get it', async () => {
    expect(await findLack(['cargo', 'test'], bed.root)).toMatchObject({
      next: expect.stringContaining('rustup'),
    });
  });
  it('looks into the environment of the project without starting its Python', async () => {
    bed.write({
      '.venv/bin/python': '#!/bin/sh\ntouch started\n',
      '.venv/lib/python3.12/site-packages/pytest/__init__.py': '',
    });
    chmodSync(join(bed.root, '.venv/bin/python'), 0o755);
    expect(await whatLacks('.venv/bin/python -m pytest')).toBeNull();
    expect(await whatLacks('.venv/bin/python -m mypy')).toBe('.venv/bin/python has no module mypy');
    expect(await whatLacks('ls started')).toBe('ls is not installed');
  });
});

describe('a module of the system', () => {
  it('is asked for where there is a real Python', async ({ skip }) => {
    vi.stubEnv('PATH', machine);
    if ((await whatLacks('python3')) !== null) skip();
    expect(await whatLacks('python3 -m unittest')).toBeNull();
    expect(await whatLacks('python3 -m no_such_module')).toBe('python3 has no module no_such_module');
  });
});
