import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'agentgate-folder-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const at = (path: string) => join(base, path);

describe('a folder is made', () => {
  it('with those above it, and the first of them is told', () => {
    expect(makeFolder(at('a/b/c'))).toBe(at('a'));
    expect(makeFolder(at('a/b/d/e'), 0o700)).toBe(at('a/b/d'));
    for (const made of ['a/b/d', 'a/b/d/e']) expect(statSync(at(made)).mode & 0o777).toBe(0o700);
    expect(makeFolder(at('a/b/f'))).toBe(at('a/b/f'));
  });
  it('once, also where it is a link, and keeps its mode', () => {
    mkdirSync(at('there'));
    chmodSync(at('there'), 0o755);
    symlinkSync('there', at('link'));
    expect([makeFolder(at('there'), 0o700), makeFolder(at('link')), makeFolder('/')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(statSync(at('there')).mode & 0o777).toBe(0o755);
    expect(makeFolder(at('link/inner'))).toBe(at('link/inner'));
    expect(statSync(at('there/inner')).isDirectory()).toBe(true);
  });
  it('or it is told what lies in the way', () => {
    writeFileSync(at('file'), '');
    symlinkSync('nowhere', at('dangling'));
    for (const [path, where] of [
      ['file', 'file'],
      ['file/a/b', 'file'],
      ['dangling', 'dangling'],
      ['dangling/a', 'dangling'],
    ] as const)
      expect(() => makeFolder(at(path))).toThrow(
        expect.objectContaining({ code: 'EEXIST', syscall: 'mkdir', path: at(where) }),
      );
  });
});
