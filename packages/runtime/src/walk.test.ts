import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walk } from './walk.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-walk-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (...paths: string[]) => {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
};

describe('a look over a directory', () => {
  it('gives what is near first, and passes over what is installed, built, hidden or an environment', () => {
    write('src/deep/a', 'b', 'node_modules/x/c', 'target/d', '.cache/e', 'env/pyvenv.cfg', 'env/lib/f');
    expect(walk(root, 100)).toEqual({ files: ['b', 'src/deep/a'], repositories: [], whole: true });
  });
  it('names the repositories inside', () => {
    write('.git/HEAD', 'a/.git/HEAD', 'a/x', 'b/c/.git');
    expect(walk(root, 100)).toMatchObject({ repositories: ['a', 'b/c'] });
  });
  it('stops where it was told to, and says so', () => {
    write('a', 'b', 'c', 'd');
    expect(walk(root, 3)).toMatchObject({ files: ['a', 'b', 'c'], whole: false });
  });
  it('follows no link, and survives a directory that is not there', () => {
    write('a/x');
    symlinkSync(root, join(root, 'a', 'loop'));
    expect(walk(root, 100).files).toEqual(['a/x']);
    expect(walk(join(root, 'gone'), 100)).toEqual({ files: [], repositories: [], whole: true });
  });
});
