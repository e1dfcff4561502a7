import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { envWithoutGit, safeEnv } from './git.ts';
import { type GitWorkspace, openWorkspace, type WorkspaceOptions } from './open.ts';

/** A workspace in a temporary directory, with real git, for one test. */
export interface Bed {
  root: string;
  gitDir: string;
  /** The path of a file below the root. */
  at(path: string): string;
  write(path: string, body: string | Buffer): void;
  /** Runs the user's own git in the root. */
  git(...args: string[]): string;
  open(options?: Partial<WorkspaceOptions>): Promise<GitWorkspace>;
  /** Takes snapshots until every captured file is old enough for the index to speak for it. */
  settle(): Promise<void>;
  /** What a tree holds: its paths, bytes as latin1. */
  list(tree: string): string[];
  /** The tree that a full `git add -A` with nothing known and nothing converted gives. */
  addAll(): string;
}

export function makeBed(): Bed {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const root = join(home, 'root');
  const gitDir = join(home, 'ours');
  mkdirSync(root);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: userEnv(home), stdio: 'pipe' }).toString();
  return {
    root,
    gitDir,
    git,
    at: (path) => join(root, path),
    write(path, body) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), body);
    },
    async open(options = {}) {
      const workspace = await openWorkspace({ root, gitDir, ...options });
      onTestFinished(() => workspace.close());
      return workspace;
    },
    async settle() {
      for (let unlike = 'yes'; unlike !== ''; ) {
        const workspace = await openWorkspace({ root, gitDir });
        const { tree } = await workspace.snapshot({ ref: 'settle' });
        await workspace.close();
        const args = ['diff-index', '--cached', '--name-only', tree];
        unlike = execFileSync('git', args, { env: safeEnv(gitDir) }).toString();
      }
    },
    list(tree) {
      const args = ['ls-tree', '-r', '-z', '--name-only', tree];
      return execFileSync('git', args, { env: safeEnv(gitDir) })
        .toString('latin1')
        .split('\0')
        .slice(0, -1);
    },
    addAll() {
      const other = mkdtempSync(join(home, 'add-'));
      execFileSync('git', ['init', '-q', '--bare', other], { env: envWithoutGit() });
      mkdirSync(join(other, 'info'), { recursive: true });
      writeFileSync(join(other, 'info/attributes'), '* -text -ident !filter\n');
      const options = { cwd: root, env: safeEnv(other, root) };
      execFileSync('git', ['add', '-A'], options);
      return execFileSync('git', ['write-tree'], options).toString().trim();
    },
  };
}

/** A user without settings from outside the test. */
export function userEnv(home: string): NodeJS.ProcessEnv {
  const name = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
  };
  return { ...envWithoutGit(), ...name, GIT_CONFIG_NOSYSTEM: '1', HOME: home };
}

/** One hash over every file below a directory, names and bytes. */
export function hashAll(dir: string): string {
  const hash = createHash('sha256');
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }).sort((a, b) =>
    file(a) < file(b) ? -1 : 1,
  )) {
    hash.update(`${file(entry)}\0`);
    if (entry.isFile()) hash.update(readFileSync(file(entry)));
  }
  return hash.digest('hex');
}

function file(entry: { parentPath: string; name: string }): string {
  return join(entry.parentPath, entry.name);
}
