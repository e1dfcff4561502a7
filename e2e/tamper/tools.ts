import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Runner } from './case.ts';

/** Both this file and the bundle of the campaign lie two folders deep. */
export const root = fileURLToPath(new URL('../../', import.meta.url));
const cache = join(root, '.cache', 'tamper');

const run = promisify(execFile);

const packages: Partial<Record<Runner, string>> = {
  vitest: 'vitest@4.1.12',
  jest: 'jest@30.5.2',
  mocha: 'mocha@12.0.3',
  eslint: 'eslint@10.14.0',
  tsc: 'typescript@7.0.2',
};

/** Installs a runner once for all cases; false where it cannot be had. */
export function installTool(runner: Runner): boolean {
  const wanted = packages[runner];
  if (wanted === undefined) return runner === 'node' || python() !== null;
  const home = join(cache, 'tools', wanted);
  if (existsSync(home)) return true;
  const making = `${home}.${process.pid}`;
  mkdirSync(making, { recursive: true });
  writeFileSync(join(making, 'package.json'), '{"private":true}\n');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flags, wanted], {
    cwd: making,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  if (status === 0) prune(join(making, 'node_modules'), runner);
  if (status === 0 && !existsSync(home)) renameSync(making, home);
  else rmSync(making, { recursive: true, force: true });
  return status === 0;
}

/** Every case copies the packages, so they go without what no run of ours loads. */
function prune(packages: string, runner: Runner): void {
  if (runner === 'tsc') return;
  const names = ['*.md', '*.map', '*.d.ts', '*.d.mts', '*.d.cts'].flatMap((one) => ['-o', '-name', one]);
  spawnSync('find', [packages, '-type', 'f', '(', ...names.slice(1), ')', '-delete'], { stdio: 'inherit' });
  for (const path of [
    '@sinclair/typebox/build/esm',
    'caniuse-lite/data/features',
    'caniuse-lite/data/regions',
  ])
    rmSync(join(packages, path), { recursive: true, force: true });
}

/** Gives a workspace the packages of its runner as files of its own. */
export async function placeTool(runner: Runner, workspace: string): Promise<void> {
  const wanted = packages[runner];
  if (wanted === undefined) return;
  const from = join(cache, 'tools', wanted, 'node_modules');
  const to = join(workspace, 'node_modules');
  // Linked files are as quick as none; tricks replace files and never write into them. Across disks there are no links.
  await run('cp', ['-al', from, to]).catch(() => run('cp', ['-a', from, `${to}/..`]));
}

let found: string | null | undefined;

/** The folder of a Python that has pytest; a launcher would look for its settings in the home of the case. */
export function python(): string | null {
  if (found !== undefined) return found;
  try {
    const ask = 'import pytest, sys; print(sys.executable)';
    found = dirname(execFileSync('python3', ['-c', ask], { encoding: 'utf8', stdio: 'pipe' }).trim());
  } catch {
    // Not installed, or without pytest.
    found = null;
  }
  return found;
}
