import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace({
    'a.txt': 'one\n',
    'test/a.test.sh': 'grep -q two a.txt\n',
    'sub/b.txt': 'one\n',
    '.gitignore': 'build/\n',
  });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  git('add', '.');
  git('commit', '-qm', 'one');
});
afterEach(() => place.remove());

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: place.workspace, env: place.env, stdio: 'pipe' }).toString();

const run = (agent: string, ...flags: string[]) => {
  writeFileSync(join(place.workspace, '..', 'agent.sh'), `${agent}\n`);
  const gate = 'work=sh test/a.test.sh';
  return agentgate(place, 'run', '-p', 'x', '--gate', gate, '--json', ...flags, '--', 'sh', '../agent.sh');
};

/** A program of its own for each poison, which leaves its name where it can be found and passes on what it is given. */
function poisonFor(fired: string, name: string): string {
  const path = join(place.workspace, '..', `poison-${name}`);
  writeFileSync(path, `#!/bin/sh\ntouch ${fired}/${name}\ncat 2>/dev/null\nexit 0\n`, { mode: 0o755 });
  return path;
}

const settings = (program: (name: string) => string, base: string) => `
[core]
	fsmonitor = ${program('fsmonitor')}
	pager = ${program('pager')}
	editor = ${program('editor')}
	sshCommand = ${program('ssh')}
	gitProxy = ${program('proxy')}
	askPass = ${program('askpass')}
	hooksPath = ${base}/hooks
	attributesFile = ${base}/attributes
	alternateRefsCommand = ${program('alternate-refs')}
[filter "poison"]
	clean = ${program('clean')}
	smudge = ${program('smudge')}
	required = true
[filter "longer"]
	process = ${program('process')}
[diff]
	external = ${program('diff-external')}
[diff "poison"]
	textconv = ${program('textconv')}
	command = ${program('diff-command')}
[merge "poison"]
	driver = ${program('merge-driver')}
[gpg]
	program = ${program('gpg')}
[commit]
	gpgSign = true
[tag]
	gpgSign = true
[credential]
	helper = ${program('credential')}
[sequence]
	editor = ${program('sequence-editor')}
[interactive]
	diffFilter = ${program('diff-filter')}
[uploadpack]
	packObjectsHook = ${program('pack-objects')}
[alias]
	status = !${program('alias')}
	diff = !${program('alias-diff')}
[init]
	templateDir = ${base}/template
[include]
	path = ${base}/included
[gc]
	auto = 1
`;

const hooks = [
  'pre-commit',
  'post-commit',
  'commit-msg',
  'prepare-commit-msg',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
  'update',
  'pre-push',
  'fsmonitor-watchman',
];

/** Everything by which a repository can have git run a program, planted everywhere; gives what it would leave. */
function poisonAll(): { fired: string; planted: number } {
  const base = join(place.workspace, '..');
  const fired = join(base, 'fired');
  for (const folder of [fired, join(base, 'hooks'), join(base, 'template', 'hooks')])
    mkdirSync(folder, { recursive: true });
  let planted = 0;
  const program = (name: string) => {
    planted += 1;
    return poisonFor(fired, name);
  };
  for (const hook of hooks) {
    const body = `#!/bin/sh\ntouch ${fired}/hook-${hook}\n`;
    for (const folder of [
      join(place.workspace, '.git', 'hooks'),
      join(base, 'hooks'),
      join(base, 'template/hooks'),
    ])
      writeFileSync(join(folder, hook), body, { mode: 0o755 });
    planted += 1;
  }
  writeFileSync(join(base, 'attributes'), '*.md filter=longer\n');
  writeFileSync(join(base, 'included'), `[core]\n\tfsmonitor = ${program('included')}\n`);
  writeFileSync(
    join(place.workspace, '.gitattributes'),
    '*.txt diff=poison merge=poison\nsub/*.txt filter=poison\n',
  );
  const text = settings(program, base);
  const own = join(place.workspace, '.git', 'config');
  writeFileSync(own, `${readFileSync(own, 'utf8')}${text}`);
  writeFileSync(join(place.env['HOME']!, '.gitconfig'), text);
  // A repository inside of the workspace has settings of its own.
  const inner = join(place.workspace, 'inner');
  mkdirSync(inner);
  execFileSync('git', ['init', '-q'], { cwd: inner, env: { ...place.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
  writeFileSync(join(inner, 'c.txt'), 'c\n');
  writeFileSync(join(inner, '.gitattributes'), '*.txt filter=poison\n');
  writeFileSync(
    join(inner, '.git', 'config'),
    `${readFileSync(join(inner, '.git', 'config'), 'utf8')}${text}`,
  );
  return { fired, planted };
}

describe('git settings that run programs', () => {
  it('run none of them, in any command', async () => {
    const { fired, planted } = poisonAll();
    expect(planted).toBeGreaterThan(30);
    place.env['GIT_EXTERNAL_DIFF'] = poisonFor(fired, 'variable-diff');
    place.env['GIT_SSH_COMMAND'] = poisonFor(fired, 'variable-ssh');
    place.env['GIT_PAGER'] = poisonFor(fired, 'variable-pager');
    const ended = await run('echo two >> a.txt; echo new > new.txt');
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged' });
    for (const words of [
      ['diff'],
      ['report'],
      ['explain'],
      ['deliver'],
      ['deliver', '--as', 'commit'],
      ['audit', '--since', 'HEAD', '--gate', 'sh test/a.test.sh'],
      ['restore', '--to', '0'],
      ['doctor'],
      ['list'],
    ]) {
      const { exit, stderr } = await agentgate(place, ...words);
      expect(exit, `${words.join(' ')}: ${stderr}`).toBe(0);
    }
    expect(readdirSync(fired)).toEqual([]);
  });

  it('are live: git itself runs many of them there', () => {
    const { fired } = poisonAll();
    for (const words of [
      ['status'],
      ['add', '-A'],
      ['commit', '-m', 'x'],
      ['diff', 'HEAD'],
      ['--paginate', 'log', '-p'],
    ])
      spawnSync('git', words, { cwd: place.workspace, env: place.env, timeout: 20_000, input: '' });
    expect(readdirSync(fired).length).toBeGreaterThan(4);
  });
});

/** Ways to change a file of tests so that git does not show it. */
const hidden: Record<string, string> = {
  'assume-unchanged': 'git update-index --assume-unchanged test/a.test.sh',
  'skip-worktree': 'git update-index --skip-worktree test/a.test.sh',
  'an exclude file':
    'mkdir -p .git/info; echo "test/" > .git/info/exclude; git rm -q --cached test/a.test.sh',
  'an ignore rule': 'echo "test/" >> .gitignore; git rm -q --cached test/a.test.sh',
  'a commit of its own': 'git add -A; git commit -qm hidden',
  'a commit that is amended': 'git add -A; git commit -q --amend -m one',
  'a branch that is moved':
    'git checkout -q -b other; git add -A; git commit -qm x; git branch -f main other',
  'checkStat and trustctime':
    'git config core.checkStat minimal; git config core.trustctime false; touch -r a.txt test/a.test.sh',
  'core.worktree': 'mkdir ../elsewhere; git config core.worktree "$PWD/../elsewhere"',
  'core.fileMode and ignoreCase':
    'git config core.fileMode false; git config core.ignoreCase true; chmod +x test/a.test.sh',
  'a repository of its own':
    'git -C test init -q; git -C test add -A; git -C test -c user.name=a -c user.email=a@b commit -qm x',
  'a filter that undoes it':
    'git config filter.undo.clean "git show HEAD:test/a.test.sh"; echo "test/* filter=undo" > .git/info/attributes',
  'sparse checkout':
    'git sparse-checkout set sub 2>/dev/null; mkdir -p test; echo true > test/a.test.sh; echo one > a.txt',
  'the times of before': 'touch -d "2001-01-01" test/a.test.sh a.txt',
  'no repository at all': 'rm -rf .git',
};

describe('an edit that git does not show', () => {
  it.each(Object.entries(hidden))('is seen: %s', { timeout: 120_000 }, async (_, hide) => {
    const ended = await run(`echo true > test/a.test.sh\n${hide}`, '--max-iterations', '1');
    const outcome = outcomeOf(ended);
    // The test of before still judges, and what was done to it is told.
    expect(outcome['status'], ended.stderr).not.toBe('converged');
    expect(existsSync(join(place.workspace, 'test/a.test.sh'))).toBe(true);
    const { stdout } = await agentgate(place, 'diff');
    expect(stdout).toMatch(/^\+true$/m);
    expect(ended.stdout).toContain('"path":"test/a.test.sh"');
  });
});
