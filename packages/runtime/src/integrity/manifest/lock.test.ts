import { describe, expect, it } from 'vitest';
import { check } from '../testing.ts';
import { compareLocks } from './index.ts';

const json = (value: unknown): string => JSON.stringify(value);

describe('a lock file', () => {
  const lock = (packages: Record<string, unknown>) =>
    json({ lockfileVersion: 3, packages: { '': {}, ...packages } });
  const a = { version: '1.0.0', resolved: 'https://r/a-1.tgz', integrity: 'sha512-a' };
  const base = {
    'package.json': json({ dependencies: { a: '1' } }),
    'package-lock.json': lock({ 'node_modules/a': a }),
  };

  it('may follow its manifest', async () => {
    const now = {
      'package.json': json({ dependencies: { a: '1', b: '2' } }),
      'package-lock.json': lock({
        'node_modules/a': a,
        'node_modules/b': { version: '2.0.0', resolved: 'x', integrity: 'y' },
      }),
    };
    const checked = await check(base, now);
    expect(checked.changed).toEqual([]);
    expect(checked.dependencies).toEqual([
      'b 2 was added in package.json',
      'package-lock.json pins 1 more packages and 0 fewer',
    ]);
  });

  it('may not move by itself', async () => {
    const now = { ...base, 'package-lock.json': lock({ 'node_modules/a': { ...a, version: '1.0.1' } }) };
    expect((await check(base, now)).changed).toMatchObject([
      { what: 'lock', diff: expect.stringContaining('no manifest') },
    ]);
  });

  it('may not bring another package under an old name, whatever else it does', async () => {
    const now = {
      'package.json': json({ dependencies: { a: '1', b: '2' } }),
      'package-lock.json': lock({
        'node_modules/a': { ...a, resolved: 'https://evil/a.tgz', integrity: 'sha512-z' },
      }),
    };
    expect((await check(base, now)).changed).toMatchObject([
      { what: 'lock', diff: expect.stringContaining('a@1.0.0: another source') },
    ]);
  });

  it.each([
    [
      'yarn.lock',
      'a@^1.0.0:\n  version "1.0.0"\n  resolved "x#1"\n\n',
      'a@^1.0.0, a@^1.0.1:\n  version "1.0.0"\n  resolved "x#2"\n\n',
      'a@1.0.0',
    ],
    [
      'pnpm-lock.yaml',
      'packages:\n  a@1.0.0:\n    resolution: {integrity: x}\n',
      'packages:\n  a@1.0.0:\n    resolution: {integrity: y}\n',
      'a@1.0.0',
    ],
    [
      'Cargo.lock',
      '[[package]]\nname = "a"\nversion = "1.0.0"\nchecksum = "x"\n',
      '[[package]]\nname = "a"\nversion = "1.0.0"\nchecksum = "y"\n',
      'a@1.0.0',
    ],
    [
      'poetry.lock',
      '[[package]]\nname = "a"\nversion = "1"\nfiles = [{hash = "x"}]\n',
      '[[package]]\nname = "a"\nversion = "1"\nfiles = [{hash = "y"}]\n',
      'a@1',
    ],
    ['go.sum', 'm v1.0.0 h1:x=\n', 'm v1.0.0 h1:y=\n', 'm@v1.0.0'],
    [
      'composer.lock',
      json({ packages: [{ name: 'a', version: '1', dist: { url: 'x' } }] }),
      json({ packages: [{ name: 'a', version: '1', dist: { url: 'y' } }] }),
      'a@1',
    ],
    [
      'Pipfile.lock',
      json({ default: { a: { version: '==1', hashes: ['x'] } } }),
      json({ default: { a: { version: '==1', hashes: ['y'] } } }),
      'a@==1',
    ],
  ])('of form %s is read pin by pin', (path, was, is, pin) => {
    expect(compareLocks(path, was, was)).toEqual({ swapped: [], added: [], removed: [] });
    expect(compareLocks(path, was, is)?.swapped).toEqual([pin]);
  });

  it('that nobody can read is protected as a whole', async () => {
    const checked = await check(
      { 'bun.lockb': 'a', 'package.json': '{}' },
      { 'bun.lockb': 'b', 'package.json': json({ dependencies: { a: '1' } }) },
    );
    expect(checked.changed).toMatchObject([{ path: 'bun.lockb', what: 'lock' }]);
  });
});
