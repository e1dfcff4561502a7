import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitWorkspace, openWorkspace } from '../packages/runtime/src/workspace/index.ts';
import type { Measured } from './figures.ts';

const fileCount = 50_000;
const warmUp = 2;
const rounds = 7;

/** 50,000 files, 20 changed, 5 new, 2 deleted: a snapshot and an exact restore, each beside one `lstat` walk. */
export async function measureSnapshot(): Promise<Measured[]> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-bench-')));
  const root = join(home, 'root');
  const files = makeFiles(root);
  const workspace = await openWorkspace({ root, gitDir: join(home, 'ours') });
  try {
    const { tree } = await workspace.snapshot({ ref: 'bench/first' });
    return await measure(workspace, tree, files, join(home, 'plain'));
  } finally {
    await workspace.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measure(
  workspace: GitWorkspace,
  first: string,
  files: string[],
  plain: string,
): Promise<Measured[]> {
  const walks: number[] = [];
  const snapshots: number[] = [];
  const restores: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    change(workspace.root, files, round);
    const walked = await millisecondsOf(() => walk(workspace.root));
    const request = { ref: `bench/${round}`, baseTree: first };
    let tree = '';
    const taken = await millisecondsOf(async () => {
      tree = (await workspace.snapshot(request)).tree;
    });
    if (round === 0) expectSame(tree, addAll(workspace.root, plain), 'the snapshot and a full add');
    change(workspace.root, files, round + 1000);
    const restored = await millisecondsOf(() => workspace.restore(tree, `bench/safety-${round}`));
    if (round === 0) expectSame(tree, addAll(workspace.root, plain), 'the restored directory and its tree');
    if (round < warmUp) continue;
    walks.push(walked);
    snapshots.push(taken);
    restores.push(restored);
  }
  const beside = medianOf(walks);
  return [
    makeRow('snapshot of 50,000 files beside one lstat walk', medianOf(snapshots), beside, 1.3),
    makeRow('restore of 50,000 files beside one lstat walk', medianOf(restores), beside, 3),
  ];
}

function makeFiles(root: string): string[] {
  const files: string[] = [];
  for (let at = 0; at < fileCount; at++) {
    const dir = join(root, `package-${at % 10}`, `part-${Math.floor(at / 10) % 250}`);
    if (at < 2500) mkdirSync(dir, { recursive: true });
    const file = join(dir, `file-${at}.ts`);
    writeFileSync(file, `export const value${at} = ${at};\n`.repeat(1 + (at % 20)));
    files.push(file);
  }
  return files;
}

function change(root: string, files: string[], round: number): void {
  for (let at = 0; at < 20; at++)
    appendFileSync(files[(round * 977 + at * 1931) % files.length] ?? '', `// ${round}\n`);
  for (let at = 0; at < 5; at++)
    writeFileSync(join(root, `package-${at}`, `new-${round}-${at}.ts`), `${round}\n`);
  for (let at = 0; at < 2; at++)
    rmSync(files[(round * 577 + at * 7919 + 1) % files.length] ?? '', { force: true });
}

function walk(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory()) walk(path);
    else lstatSync(path);
  }
}

function addAll(root: string, gitDir: string): string {
  rmSync(gitDir, { recursive: true, force: true });
  const settings = ['-c', 'core.autocrlf=false', '-c', 'core.excludesFile=/dev/null'];
  const git = (...args: string[]) =>
    execFileSync('git', [`--git-dir=${gitDir}`, ...settings, ...args], { cwd: root });
  git('init', '-q');
  git('--work-tree=.', 'add', '-A');
  return git('write-tree').toString().trim();
}

function expectSame(a: string, b: string, what: string): void {
  if (a !== b) throw new Error(`${what} differ: ${a} and ${b}`);
}

function makeRow(name: string, ours: number, beside: number, limit: number): Measured {
  return { name, ours, beside, ratio: ours / beside, limit };
}

async function millisecondsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function medianOf(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
