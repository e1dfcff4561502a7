// Where the runs of `npm run crash` live: a workspace with what a person left there, and what must still be so after.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A workspace of one file, or with `git` a repository in the middle of somebody's work. */
export function layPlace(agent, { git = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-crash-'));
  const workspace = join(dir, 'workspace');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'a.txt'), 'a\n');
  if (git) layOut(workspace);
  writeFileSync(join(dir, 'agent.sh'), agent);
  return {
    dir,
    workspace,
    state: join(dir, 'state'),
    ledger: join(dir, 'ledger'),
    /** Where each process of the command says which events it has recorded: files in `dir`. */
    told: [],
    before: contentsOf(workspace),
    /** What hung and had to be ended. */
    hung: [],
  };
}

/** Two branches, the head on the second one; a stash; changes in the index and beside it; files that git does not know. */
function layOut(workspace) {
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...args], {
      cwd: workspace,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      stdio: 'ignore',
    });
  const write = (name, text) => writeFileSync(join(workspace, name), text);
  git('init', '-q', '-b', 'main');
  write('.gitignore', '*.secret\n');
  for (const name of ['staged.txt', 'unstaged.txt', 'both.txt']) write(name, 'as committed\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
  git('checkout', '-q', '-b', 'work/half-done');
  write('a.txt', 'put away\n');
  git('stash', 'push', '-q');
  write('staged.txt', 'in the index\n');
  write('both.txt', 'in the index\n');
  write('new.txt', 'in the index\n');
  git('add', '.');
  write('both.txt', 'beside the index\n');
  write('unstaged.txt', 'beside the index\n');
  write('untracked.txt', 'unknown\n');
  write('own.secret', 'ignored\n');
}

/** What was a person's and is not as it was, in words; what the agent makes has names of its own. */
export function disturbed({ workspace, before }) {
  const after = contentsOf(workspace);
  const changed = [...before].filter(([path, was]) => after.get(path) !== was);
  const added = [...after.keys()].filter((path) => !before.has(path) && !/^(f\d+|done\.txt)$/.test(path));
  return [
    ...changed.map(([path]) => `${path} of the user is ${after.has(path) ? 'another one' : 'gone'}`),
    ...added.map((path) => `${path} is neither the user's nor the agent's`),
  ];
}

/** Every file, link and folder with what is in it, those of git too: index, head, branches, stash, settings. */
function contentsOf(workspace) {
  const found = new Map();
  const walk = (under) => {
    for (const name of readdirSync(join(workspace, under)).sort()) {
      const path = join(under, name);
      const at = join(workspace, path);
      const { mode } = lstatSync(at);
      const kind = mode & 0o170_000;
      const content = kind === 0o100_000 ? readFileSync(at) : kind === 0o120_000 ? readlinkSync(at) : '';
      found.set(path, `${mode.toString(8)} ${createHash('sha256').update(content).digest('hex')}`);
      if (kind === 0o040_000) walk(path);
    }
  };
  walk('');
  return found;
}
