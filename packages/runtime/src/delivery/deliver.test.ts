import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { FaultError } from '@agentgate/core';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findRepository } from '../workspace/repository.ts';
import { type Bed, makeBed, userEnv } from '../workspace/testing.ts';
import { makeBranch } from './branch.ts';
import { deliverTree, type TreeRequest } from './deliver-tree.ts';

let bed: Bed;
beforeEach(() => {
  bed = makeBed();
  vi.stubEnv('HOME', join(bed.root, '..'));
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** A repository with two commits, its identity and a file of every kind. */
function repository(dir = ''): void {
  const at = (path: string) => (dir === '' ? path : `${dir}/${path}`);
  bed.git('init', '-q', '-b', 'main', ...(dir === '' ? [] : [dir]));
  const git = (...args: string[]) => bed.git('-C', dir === '' ? '.' : dir, ...args);
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  bed.write(at('.gitignore'), '*.log\nbuild/\n');
  bed.write(at('keep.txt'), 'kept\n');
  bed.write(at('edit.txt'), 'before\n');
  bed.write(at('gone.txt'), 'to be deleted\n');
  bed.write(at('run.sh'), '#!/bin/sh\n');
  bed.write(at('dir/file.txt'), 'a file\n');
  git('add', '.');
  git('commit', '-qm', 'one');
  bed.write(at('keep.txt'), 'kept twice\n');
  git('commit', '-qam', 'two');
}

/** What an agent might do. */
function work(dir = ''): void {
  const at = (path: string) => bed.at(dir === '' ? path : `${dir}/${path}`);
  writeFileSync(at('edit.txt'), 'after\n');
  rmSync(at('gone.txt'));
  chmodSync(at('run.sh'), 0o755);
  symlinkSync('edit.txt', at('link'));
  mkdirSync(at('new'));
  writeFileSync(at('new/deep.txt'), 'new\n');
  // A directory takes the place of a file, and a file that of a directory.
  rmSync(at('dir'), { recursive: true });
  writeFileSync(at('dir'), 'now a file\n');
  writeFileSync(at('ignored.log'), 'x\n');
}

/** Takes the tree before, lets the work be done, takes the tree after. */
async function worked(
  act: () => void = work,
  options: { root?: string; include?: string[] } = {},
): Promise<Pick<TreeRequest, 'baseTree' | 'tree'>> {
  const ws = await bed.open(options);
  const { tree: baseTree } = await ws.snapshot({ ref: 'runs/r1/0' });
  act();
  const { tree } = await ws.snapshot({ ref: 'runs/r1/1', baseTree });
  await ws.close();
  return { baseTree, tree };
}

const deliver = (trees: Pick<TreeRequest, 'baseTree' | 'tree'>, more: Partial<TreeRequest> = {}) =>
  deliverTree({
    root: bed.root,
    gitDir: bed.gitDir,
    as: 'branch',
    runId: 'r1',
    branch: 'agentgate/r1',
    endedAt: null,
    isGateWrite: () => false,
    message: (notes) => ['The work', '', ...notes].join('\n'),
    ...trees,
    ...more,
  });

const refusal = async (doing: Promise<unknown>): Promise<string> => {
  try {
    await doing;
  } catch (error) {
    if (error instanceof FaultError) return `${error.fault.code}: ${error.message}`;
    throw error;
  }
  return 'nothing was refused';
};

/** Every byte of the user's: files, modes, links, and the git directory without objects and the new branch. */
function everything(dir = bed.root): string {
  const hash = createHash('sha256');
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\/(?:objects|refs\/heads\/agentgate)(?:\/|$)/.test(path))
    .sort();
  for (const path of entries) {
    const stat = lstatSync(path);
    hash.update(`${path}\0${stat.mode}\0${stat.isDirectory() ? '' : stat.mtimeMs}\0`);
    if (stat.isFile()) hash.update(readFileSync(path));
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
  }
  return hash.digest('hex');
}

const filesOf = (commit: string, dir = '.') =>
  bed.git('-C', dir, 'ls-tree', '-r', '--full-tree', '--name-only', commit).trim().split('\n');

describe('a delivered branch', () => {
  it('is HEAD with what the run changed: modes, links, deletions and replaced directories', async () => {
    repository();
    const head = bed.git('rev-parse', 'HEAD').trim();
    const { commit, ref, notes } = await deliver(await worked());
    expect(ref).toBe('refs/heads/agentgate/r1');
    expect(bed.git('rev-parse', 'agentgate/r1', 'agentgate/r1^').trim().split('\n')).toEqual([commit, head]);
    expect(bed.git('show', '--summary', '--format=%an <%ae>%n%B', commit)).toMatch(
      /^Ann <ann@example\.org>\nThe work\n/,
    );
    expect(
      bed
        .git('diff-tree', '-r', '--no-renames', head, commit)
        .trim()
        .split('\n')
        .map((row) =>
          row
            .split(/[ :\t]/)
            .filter((_, at) => [1, 2, 5, 6].includes(at))
            .join(' '),
        ),
    ).toEqual([
      '000000 100644 A dir',
      '100644 000000 D dir/file.txt',
      '100644 100644 M edit.txt',
      '100644 000000 D gone.txt',
      '000000 120000 A link',
      '000000 100644 A new/deep.txt',
      '100644 100755 M run.sh',
    ]);
    expect(bed.git('show', `${commit}:link`)).toBe('edit.txt');
    expect(bed.git('fsck', '--strict', '--no-dangling', '--connectivity-only')).toBe('');
    expect(notes).toEqual([]);
  });
  it('holds nothing that is ignored, secret, or made by tools, gates and agents for themselves', async () => {
    repository();
    const trees = await worked(
      () => {
        work();
        for (const path of [
          '.env',
          'build/out.js',
          'node_modules/x/index.js',
          'a/__pycache__/m.pyc',
          '.claude/x.json',
          'coverage/1.xml',
          'server.pem',
          'kept.log',
        ])
          bed.write(path, 'x');
      },
      { include: ['kept.log'] },
    );
    expect(bed.list(trees.tree)).toContain('kept.log');
    const { commit, notes } = await deliver(trees, { isGateWrite: (path) => path.startsWith('coverage/') });
    expect(filesOf(commit)).toEqual([
      '.gitignore',
      'dir',
      'edit.txt',
      'keep.txt',
      'link',
      'new/deep.txt',
      'run.sh',
    ]);
    expect(notes.join('\n')).toMatch(/ignored by git: kept\.log/);
    expect(notes.join('\n')).toMatch(/made by a tool: a\/__pycache__\/m\.pyc, node_modules\/x\/index\.js/);
    expect(notes.join('\n')).toMatch(/written by the gates: coverage\/1\.xml/);
    expect(notes.join('\n')).toMatch(/kept by an agent for itself: \.claude\/x\.json/);
  });
  it('holds what is ignored but tracked', async () => {
    repository();
    bed.write('tracked.log', 'one');
    bed.git('add', '-f', 'tracked.log');
    bed.git('commit', '-qm', 'three');
    const { commit } = await deliver(await worked(() => bed.write('tracked.log', 'two')));
    expect(bed.git('show', `${commit}:tracked.log`)).toBe('two');
  });
  it('leaves out what was changed before the run and never committed, and says so', async () => {
    repository();
    bed.write('keep.txt', 'not committed\n');
    bed.write('mine.txt', 'never added\n');
    const { commit, notes } = await deliver(await worked());
    expect(bed.git('show', `${commit}:keep.txt`)).toBe('kept twice\n');
    expect(filesOf(commit)).not.toContain('mine.txt');
    expect(notes).toEqual([
      'the gates also saw what was changed before the run and is not committed: keep.txt, mine.txt',
    ]);
  });
  it('is there once: the same again is no error, other work under its name is refused', async () => {
    repository();
    const trees = await worked();
    const first = await deliver(trees);
    expect((await deliver(trees)).commit).toBe(first.commit);
    const other = await worked(() => bed.write('edit.txt', 'third\n'));
    expect(await refusal(deliver(other))).toMatch(/^deliver\.exists: .*--branch/);
    expect(bed.git('rev-parse', 'agentgate/r1').trim()).toBe(first.commit);
  });
  it('stands on the commit that HEAD was at when the run ended', async () => {
    repository();
    const head = bed.git('rev-parse', 'HEAD').trim();
    const trees = await worked();
    // The log of HEAD knows seconds, so the later commit is dated.
    const env = { ...userEnv(join(bed.root, '..')), GIT_COMMITTER_DATE: '2099-01-01T00:00:00Z' };
    execFileSync('git', ['commit', '-q', '--allow-empty', '-m', 'later'], { cwd: bed.root, env });
    const { commit, notes } = await deliver(trees, { endedAt: '2098-01-01T00:00:00.000Z' });
    expect(bed.git('rev-parse', `${commit}^`).trim()).toBe(head);
    expect(notes[0]).toContain('HEAD has moved since the run ended');
  });
  it('has our name where the user told git none', async () => {
    repository();
    bed.git('config', '--unset', 'user.email');
    const { commit } = await deliver(await worked());
    expect(bed.git('show', '-s', '--format=%an <%ae> %cn', commit).trim()).toBe(
      'AgentGate <agentgate@localhost> AgentGate',
    );
  });
  it('takes a tree of any size', async () => {
    repository();
    const { commit } = await deliver(
      await worked(() => {
        for (let i = 0; i < 300; i++) bed.write(`many/${i}.txt`, `${i}`);
      }),
    );
    expect(filesOf(commit)).toHaveLength(306);
    expect(bed.git('fsck', '--strict', '--no-dangling')).toBe('');
  });
});

describe('no byte of the user changes', () => {
  const kinds: [string, () => void][] = [
    ['a clean checkout', () => {}],
    [
      'a dirty index, staged and unstaged changes, untracked files',
      () => {
        bed.write('edit.txt', 'staged\n');
        bed.git('add', 'edit.txt');
        bed.write('edit.txt', 'and changed again\n');
        bed.git('rm', '-q', '--cached', 'gone.txt');
        bed.write('untracked', 'x');
      },
    ],
    ['a stash', () => (bed.write('edit.txt', 'stashed\n'), void bed.git('stash', '-q'))],
    ['a detached HEAD', () => void bed.git('checkout', '-q', '--detach')],
    ['packed refs', () => void bed.git('pack-refs', '--all')],
    [
      'a merge with conflicts',
      () => {
        bed.git('checkout', '-q', '-b', 'other', 'HEAD^');
        bed.write('keep.txt', 'kept otherwise\n');
        bed.git('commit', '-qam', 'other');
        bed.git('checkout', '-q', 'main');
        expect(() => bed.git('merge', 'other')).toThrow();
      },
    ],
    [
      'hooks, filters and monitors that would leave a trace',
      () => {
        const program = join(bed.root, '../program');
        writeFileSync(program, `#!/bin/sh\ntouch ${join(bed.root, '../ran')}\ncat\n`, { mode: 0o755 });
        for (const hook of ['reference-transaction', 'pre-commit', 'post-commit', 'post-update', 'update'])
          writeFileSync(bed.at(`.git/hooks/${hook}`), readFileSync(program), { mode: 0o755 });
        appendFileSync(
          bed.at('.git/config'),
          `[core]\n\tfsmonitor = ${program}\n[commit]\n\tgpgSign = true\n[gpg]\n\tprogram = ${program}\n[gc]\n\tauto = 1\n`,
        );
      },
    ],
  ];
  it.each(kinds)('with %s', async (_, prepare) => {
    repository();
    prepare();
    const ran = join(bed.root, '../ran');
    const trees = await worked(() => {
      writeFileSync(bed.at('edit.txt'), 'after\n');
      writeFileSync(bed.at('new.txt'), 'new\n');
    });
    rmSync(ran, { force: true });
    const before = everything();
    const refs = bed.git('for-each-ref');
    const ourIndex = () =>
      existsSync(join(bed.gitDir, 'index')) ? readFileSync(join(bed.gitDir, 'index'), 'hex') : '';
    const ours = ourIndex();
    const branch = await deliver(trees);
    expect(everything()).toBe(before);
    expect(ourIndex()).toBe(ours);
    expect(readdirSync(bed.gitDir).filter((name) => name.includes('deliver'))).toEqual([]);
    const commit = await deliver(trees, { as: 'commit' });
    expect(everything()).toBe(before);
    expect(bed.git('for-each-ref').replace(/^.*refs\/heads\/agentgate\/r1\n/m, '')).toBe(refs);
    expect(bed.git('ls-tree', '-r', branch.commit)).toContain('new.txt');
    expect(bed.git('show', `${branch.commit}:edit.txt`)).toBe('after\n');
    expect(commit.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(existsSync(ran)).toBe(false);
  });
  it('with a HEAD that has no commit yet, where the branch begins a history', async () => {
    bed.git('init', '-q', '-b', 'main');
    bed.write('.gitignore', '*.log\n');
    bed.write('old.txt', 'from before\n');
    bed.git('add', 'old.txt');
    const trees = await worked(() => (bed.write('new.txt', 'new\n'), bed.write('x.log', 'x')));
    const before = everything();
    const { commit } = await deliver(trees);
    expect(everything()).toBe(before);
    expect(filesOf(commit)).toEqual(['.gitignore', 'new.txt', 'old.txt']);
    expect(bed.git('rev-list', commit).trim()).toBe(commit);
    expect(await refusal(deliver(trees, { branch: 'main' }))).toMatch(/^deliver\.checked-out/);
    expect(everything()).toBe(before);
  });
  it('in a working tree beside the main one', async () => {
    repository('repo');
    bed.git('-C', 'repo', 'worktree', 'add', '-q', '../tree', '-b', 'side');
    const root = bed.at('tree');
    const trees = await worked(() => work('tree'), { root });
    const before = everything();
    const { commit } = await deliver(trees, { root });
    expect(everything()).toBe(before);
    expect(bed.git('-C', 'repo', 'rev-parse', 'agentgate/r1').trim()).toBe(commit);
    expect(filesOf(commit, 'repo')).toContain('new/deep.txt');
  });
});

describe('repositories of other shapes', () => {
  it('takes a workspace below the top of its repository', async () => {
    repository();
    bed.write('pkg/one/a.txt', 'a\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'three');
    const root = bed.at('pkg/one');
    const trees = await worked(
      () => {
        bed.write('pkg/one/b.txt', 'b\n');
        rmSync(bed.at('pkg/one/a.txt'));
      },
      { root },
    );
    const { commit } = await deliver(trees, { root });
    expect(bed.git('diff', '--name-status', '--no-renames', 'HEAD', commit)).toBe(
      'D\tpkg/one/a.txt\nA\tpkg/one/b.txt\n',
    );
  });
  it('leaves a submodule and a nested repository to their own histories', async () => {
    repository();
    bed.git('init', '-q', 'lib');
    bed.write('lib/a.txt', 'a');
    bed.git('-C', 'lib', 'add', '.');
    bed.git('-C', 'lib', 'commit', '-qm', 'lib');
    bed.git('add', 'lib');
    bed.git('commit', '-qm', 'with a link');
    bed.git('init', '-q', 'nested');
    const { commit, notes } = await deliver(
      await worked(() => {
        bed.write('lib/a.txt', 'b');
        bed.write('nested/x.txt', 'x');
        bed.write('edit.txt', 'after\n');
      }),
    );
    expect(bed.git('diff', '--name-only', 'HEAD', commit).trim()).toBe('edit.txt');
    expect(notes.join()).toContain(
      'in a repository of its own, which keeps its own history: lib/a.txt, nested/x.txt',
    );
  });
  it('takes a shallow clone and one that borrows its objects', async () => {
    repository('origin');
    bed.git('clone', '-q', '--depth', '1', `file://${bed.at('origin')}`, 'shallow');
    bed.git('clone', '-q', '--shared', 'origin', 'shared');
    for (const name of ['shallow', 'shared']) {
      const root = bed.at(name);
      const gitDir = join(bed.root, `../ours-${name}`);
      const trees = await worked(() => work(name), { root, ...({ gitDir } as object) });
      const { commit } = await deliver(trees, { root, gitDir });
      expect(bed.git('-C', name, 'diff', '--name-only', 'HEAD', commit)).toContain('new/deep.txt');
      expect(bed.git('-C', name, 'fsck', '--no-dangling', '--connectivity-only')).toBe('');
    }
  });
  it('takes a repository whose path holds what a list of paths is split at', async () => {
    repository('a:"b');
    const root = bed.at('a:"b');
    const { commit } = await deliver(await worked(() => work('a:"b'), { root }), { root });
    expect(filesOf(commit, 'a:"b')).toContain('new/deep.txt');
  });
  it('keeps the version of HEAD where a file could not be captured', async () => {
    repository();
    const trees = await worked(() => {
      bed.write('edit.txt', 'after\n');
      truncateSync(bed.at('keep.txt'), 2 ** 31);
    });
    expect(bed.list(trees.tree)).not.toContain('keep.txt');
    const { commit, notes } = await deliver(trees);
    expect(bed.git('show', `${commit}:keep.txt`)).toBe('kept twice\n');
    expect(notes).toEqual(['left out, not captured, so it stays as it is in HEAD: keep.txt']);
  });
  it('stores line ends the way the repository does', async () => {
    repository();
    bed.write('.gitattributes', '* text=auto\n*.bat eol=crlf\n');
    bed.write('crlf.txt', 'a\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'three');
    bed.git('config', 'core.autocrlf', 'true');
    bed.write('keep.txt', 'kept twice\r\n');
    const { commit, notes } = await deliver(
      await worked(() => {
        bed.write('crlf.txt', 'a\r\nb\r\n');
        bed.write('x.bat', 'one\r\n');
        bed.write('raw.bin', Buffer.from('a\0\r\n'));
      }),
    );
    expect(bed.git('show', `${commit}:crlf.txt`)).toBe('a\nb\n');
    expect(bed.git('show', `${commit}:x.bat`)).toBe('one\n');
    expect(bed.git('show', `${commit}:raw.bin`)).toBe('a\0\r\n');
    expect(notes).toEqual([]);
  });
  it('runs no filter, and refuses a path that needs one', async () => {
    repository();
    bed.write('.gitattributes', '*.big filter=lfs\n');
    bed.git('add', '.');
    bed.git('commit', '-qm', 'three');
    bed.git('config', 'filter.lfs.clean', `touch ${join(bed.root, '../ran')}; cat`);
    const other = await worked(() => bed.write('edit.txt', 'after\n'));
    expect((await deliver(other)).paths).toBe(1);
    const big = await worked(() => bed.write('a.big', 'x'));
    expect(await refusal(deliver(big, { branch: 'big' }))).toMatch(/^deliver\.filter: cannot deliver a\.big/);
    expect(existsSync(join(bed.root, '../ran'))).toBe(false);
  });
  it('keeps names that are no text as they are', async () => {
    repository();
    const name = Buffer.from([0x66, 0xff, 0x2e, 0x74]);
    const { commit } = await deliver(
      await worked(() => writeFileSync(Buffer.concat([Buffer.from(`${bed.root}/`), name]), 'x')),
    );
    const listing = execFileSync('git', ['ls-tree', '-z', '--name-only', commit], { cwd: bed.root });
    expect(listing.includes(name)).toBe(true);
  });
});

describe('what cannot be delivered is refused with a way on', () => {
  it('without a repository, while a commit of our own is possible', async () => {
    bed.write('a.txt', 'a');
    const trees = await worked(() => bed.write('b.txt', 'b'));
    expect(await refusal(deliver(trees))).toMatch(/^deliver\.no-repository: .*git init.*--as commit/);
    const { commit } = await deliver(trees, { as: 'commit' });
    expect(bed.list(commit)).toEqual(['a.txt', 'b.txt']);
  });
  it('when the repository ignores the workspace', async () => {
    repository();
    bed.write('build/x/a.txt', 'a');
    const root = bed.at('build/x');
    const trees = await worked(() => bed.write('build/x/b.txt', 'b'), { root });
    expect(await refusal(deliver(trees, { root }))).toMatch(/^deliver\.no-repository/);
  });
  it.each(['-x', 'a..b', 'HEAD', 'a b', 'x.lock', ''])('when %j is no name for a branch', async (branch) => {
    repository();
    expect(await refusal(deliver(await worked(), { branch }))).toMatch(/^deliver\.name: .*--branch/);
  });
  it('when the name is in the way of another branch, or checked out', async () => {
    repository();
    bed.git('branch', 'agentgate');
    const trees = await worked();
    expect(await refusal(deliver(trees))).toMatch(/^deliver\.denied: cannot make the branch .*--as commit/);
    expect(await refusal(deliver(trees, { branch: 'main' }))).toMatch(/^deliver\.exists/);
  });
  it('when somebody else makes the branch in the same moment', async () => {
    repository();
    const [head, first] = bed.git('rev-parse', 'HEAD', 'HEAD^').trim().split('\n') as [string, string];
    bed.git('branch', 'agentgate/r1', first);
    const found = findRepository(bed.root)!;
    await worked();
    const making = makeBranch({ gitDir: bed.gitDir, repository: found }, 'agentgate/r1', {
      commit: head,
      head: first,
    });
    expect(await refusal(making)).toMatch(/^deliver\.denied/);
    expect(bed.git('rev-parse', 'agentgate/r1').trim()).toBe(first);
  });
  it('when HEAD holds it all, or nothing of it belongs into a commit', async () => {
    repository();
    const trees = await worked();
    bed.git('add', '-A');
    bed.git('commit', '-qm', 'by hand');
    expect(await refusal(deliver(trees))).toMatch(/^deliver\.nothing/);
    const junk = await worked(() => bed.write('node_modules/x.js', 'x'));
    expect(await refusal(deliver(junk))).toMatch(/^deliver\.nothing: .*made by a tool: node_modules\/x\.js/);
  });
  it('when git is given a repository with other hashes', async () => {
    bed.git('init', '-q', '--object-format=sha256', '-b', 'main');
    bed.write('a', '1');
    expect(await refusal(deliver(await worked(() => bed.write('b', '2'))))).toMatch(
      /^deliver\.format: .*sha256/,
    );
  });
});

it('is a commit under our own refs that git can fetch from there', async () => {
  repository();
  const head = bed.git('rev-parse', 'HEAD').trim();
  const { commit, ref } = await deliver(await worked(), { as: 'commit' });
  expect(ref).toMatch(/^refs\/agentgate\/delivered\/r1\/[0-9a-f]{12}$/);
  expect(() => bed.git('cat-file', '-e', commit)).toThrow();
  bed.git('fetch', '-q', bed.gitDir, ref);
  expect(bed.git('rev-parse', 'FETCH_HEAD', 'FETCH_HEAD^').trim().split('\n')).toEqual([commit, head]);
  expect(bed.git('show', 'FETCH_HEAD:new/deep.txt')).toBe('new\n');
});
