import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { hashAll, makeBed } from './testing.ts';

const ask = { ref: 'run/1' };

afterEach(() => vi.unstubAllEnvs());

it('runs nothing that the configuration of the user names', async () => {
  const bed = makeBed();
  const ran = join(bed.root, '../ran');
  const program = join(bed.root, '../program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $@" >> ${ran}\ncat\n`);
  chmodSync(program, 0o755);
  bed.git('init', '-q');
  bed.write('file', 'one\n');
  bed.write('.gitattributes', '* filter=poison diff=poison\n');
  bed.git('add', '.gitattributes');
  const poison = `[core]
	fsmonitor = ${program}
	hooksPath = ${join(bed.root, '../hooks')}
	pager = ${program}
	sshCommand = ${program}
[filter "poison"]
	clean = ${program}
	smudge = ${program}
	process = ${program}
	required = true
[diff]
	external = ${program}
[diff "poison"]
	textconv = ${program}
	command = ${program}
`;
  writeFileSync(bed.at('.git/config'), `${readFileSync(bed.at('.git/config'), 'utf8')}${poison}`);
  writeFileSync(join(bed.root, '../global'), poison);
  vi.stubEnv('GIT_CONFIG_GLOBAL', join(bed.root, '../global'));
  vi.stubEnv('GIT_EXTERNAL_DIFF', program);
  vi.stubEnv('GIT_DIR', bed.at('.git'));
  vi.stubEnv('GIT_INDEX_FILE', bed.at('elsewhere'));
  const ws = await bed.open();
  const first = await ws.snapshot(ask);
  bed.write('file', 'two\n');
  const second = await ws.snapshot({ ...ask, baseTree: first.tree });
  expect(await ws.diff(first.tree, second.tree)).toContain('+two');
  await ws.restore(first.tree, 'run/safety');
  expect(readFileSync(bed.at('file'), 'utf8')).toBe('one\n');
  expect(existsSync(ran)).toBe(false);
  expect(existsSync(bed.at('elsewhere'))).toBe(false);
});

it('stores the bytes as they are, whatever the attributes say', async () => {
  const bed = makeBed();
  bed.git('init', '-q');
  bed.git('config', 'filter.upper.clean', 'tr a-z A-Z');
  bed.git('config', 'core.autocrlf', 'true');
  bed.write('.gitattributes', '* text=auto eol=crlf ident filter=upper working-tree-encoding=UTF-16\n');
  const bodies = { crlf: 'a\r\nb\r\n', lf: 'a\nb\n', ident: '$Id: x $\n', mixed: 'a\r\nb\n\r' };
  for (const [name, body] of Object.entries(bodies)) bed.write(name, body);
  const ws = await bed.open();
  const { tree } = await ws.snapshot(ask);
  for (const name of Object.keys(bodies)) bed.write(name, 'gone');
  await ws.restore(tree, 'run/safety');
  for (const [name, body] of Object.entries(bodies)) {
    expect((await ws.readFile(tree, name))?.toString()).toBe(body);
    expect(readFileSync(bed.at(name), 'utf8')).toBe(body);
  }
});

it('changes no byte of the git directory, on any kind of head', async () => {
  const bed = makeBed();
  bed.git('init', '-q', '-b', 'main');
  const ws = await bed.open();
  const work = async () => {
    const before = hashAll(bed.at('.git'));
    const { tree } = await ws.snapshot(ask);
    bed.write('scratch', 'x');
    await ws.snapshot(ask);
    await ws.restore(tree, 'run/safety');
    expect(hashAll(bed.at('.git'))).toBe(before);
  };
  await work(); // unborn
  bed.write('a', '1');
  bed.git('add', 'a');
  await work(); // staged, nothing committed
  bed.git('commit', '-qm', 'one');
  bed.write('a', '2');
  bed.git('stash', '-q');
  bed.git('checkout', '-q', '--detach');
  await work();
});

it('knows a working tree whose .git is a file', async () => {
  const bed = makeBed();
  bed.git('init', '-q', '-b', 'main', 'repo');
  bed.write('repo/.gitignore', '*.gen\n');
  bed.write('repo/a.gen', '1');
  bed.git('-C', 'repo', 'add', '-f', 'a.gen', '.gitignore');
  bed.git('-C', 'repo', 'commit', '-qm', 'one');
  writeFileSync(bed.at('repo/.git/info/exclude'), '*.own\n');
  bed.git('-C', 'repo', 'worktree', 'add', '-q', '../tree', '-b', 'other');
  bed.write('tree/b.gen', '');
  bed.write('tree/c.own', '');
  const before = hashAll(bed.at('repo/.git'));
  const ws = await bed.open({ root: bed.at('tree') });
  const { tree, nested } = await ws.snapshot(ask);
  expect(bed.list(tree)).toEqual(['.gitignore', 'a.gen']);
  expect(nested).toEqual([]);
  expect(hashAll(bed.at('repo/.git'))).toBe(before);
});
