import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { comeAbove, namesAbove } from './above.ts';

let home: string;
let root: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'agentgate-above-'));
  root = join(home, 'projects', 'shop');
  mkdirSync(root, { recursive: true });
  vi.stubEnv('HOME', home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

it('what has come above the workspace is known by what was there', () => {
  writeFileSync(join(home, 'projects', 'tsconfig.json'), '{}');
  const known = namesAbove(root);
  expect(comeAbove(root, known)).toEqual([]);
  mkdirSync(join(home, 'projects', 'node_modules'));
  writeFileSync(join(home, 'projects', 'loose.d.ts'), '');
  writeFileSync(join(home, 'package.json'), '{}');
  mkdirSync(join(home, '.cargo'));
  expect(comeAbove(root, known).sort()).toEqual([
    join(home, 'package.json'),
    join(home, 'projects', 'loose.d.ts'),
    join(home, 'projects', 'node_modules'),
  ]);
});

it('and nothing is said where nobody looked', () => {
  expect(comeAbove(root, [])).toEqual([]);
});
