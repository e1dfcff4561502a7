import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeBed } from './testing.ts';

const ask = { ref: 'run/1' };

afterEach(() => vi.unstubAllEnvs());

describe('ignore rules', () => {
  it('hold in a directory that is no repository', async () => {
    const bed = makeBed();
    bed.write('.gitignore', '*.log\nbuild/\n!keep.log\n');
    bed.write('a.log', '');
    bed.write('keep.log', '');
    bed.write('build/out', '');
    bed.write('sub/.gitignore', '/only-here\n');
    bed.write('sub/only-here', '');
    bed.write('sub/deep/only-here', '');
    const ws = await bed.open();
    const { tree, leftOut } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual(['.gitignore', 'keep.log', 'sub/.gitignore', 'sub/deep/only-here']);
    expect(tree).toBe(bed.addAll());
    expect(leftOut).toEqual([]);
  });

  it('are live, and a path once captured stays captured', async () => {
    const bed = makeBed();
    bed.write('a.log', '1');
    const ws = await bed.open();
    await ws.snapshot(ask);
    bed.write('.gitignore', '*.log\n');
    bed.write('b.log', '');
    bed.write('a.log', '2');
    const second = await ws.snapshot(ask);
    expect(bed.list(second.tree)).toEqual(['.gitignore', 'a.log']);
    expect((await ws.readFile(second.tree, 'a.log'))?.toString()).toBe('2');
    bed.write('.gitignore', '*.lot\n');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.gitignore', 'a.log', 'b.log']);
    bed.write('.gitignore', '*.log\n');
    bed.write('c.log', '');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.gitignore', 'a.log', 'b.log']);
    rmSync(bed.at('.gitignore'));
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['a.log', 'b.log', 'c.log']);
  });

  it('judge a directory again that held nothing captured', async () => {
    const bed = makeBed();
    bed.write('.gitignore', '*.o\n');
    bed.write('out/a.o', '');
    const ws = await bed.open();
    await ws.snapshot(ask);
    bed.write('.gitignore', 'out/\n');
    bed.write('out/b.txt', '');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.gitignore']);
    bed.write('.gitignore', '*.o\n');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.gitignore', 'out/b.txt']);
  });

  it('come from info/exclude, stronger than the file of the user', async () => {
    const bed = makeBed();
    bed.git('init', '-q');
    const mine = join(bed.root, '../mine');
    writeFileSync(mine, '*.tmp\n*.bak\n');
    writeFileSync(join(bed.root, '../config'), `[core]\n\texcludesFile = ${mine}\n`);
    vi.stubEnv('GIT_CONFIG_GLOBAL', join(bed.root, '../config'));
    mkdirSync(bed.at('.git/info'), { recursive: true });
    appendFileSync(bed.at('.git/info/exclude'), '!kept.tmp\n/secret-plan\n');
    for (const name of ['a.tmp', 'kept.tmp', 'a.bak', 'secret-plan']) bed.write(name, '');
    const ws = await bed.open();
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['kept.tmp']);
    writeFileSync(mine, '*.bak\n');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['a.tmp', 'kept.tmp']);
    writeFileSync(bed.at('.git/info/exclude'), '');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['a.tmp', 'kept.tmp', 'secret-plan']);
  });

  it('come from the directory of the user when nothing is configured', async () => {
    const bed = makeBed();
    vi.stubEnv('GIT_CONFIG_GLOBAL', '/dev/null');
    vi.stubEnv('XDG_CONFIG_HOME', join(bed.root, '../xdg'));
    mkdirSync(join(bed.root, '../xdg/git'), { recursive: true });
    writeFileSync(join(bed.root, '../xdg/git/ignore'), '*.swp\n');
    bed.write('a.swp', '');
    const ws = await bed.open();
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual([]);
  });

  it('come from the repository around the workspace, unless it ignores the workspace', async () => {
    const bed = makeBed();
    bed.git('init', '-q');
    bed.write('.gitignore', 'node_modules\n/sandbox\n');
    for (const dir of ['app', 'sandbox']) bed.write(`${dir}/node_modules/x`, '');
    for (const dir of ['app', 'sandbox']) bed.write(`${dir}/.env`, '');
    bed.git('add', '-f', 'app/.env');
    const app = await bed.open({ root: bed.at('app') });
    expect(bed.list((await app.snapshot(ask)).tree)).toEqual(['.env']);
    const other = `${bed.gitDir}-2`;
    const sandbox = await bed.open({ root: bed.at('sandbox'), gitDir: other });
    const { tree } = await sandbox.snapshot(ask);
    expect((await sandbox.readFile(tree, 'node_modules/x'))?.toString()).toBe('');
  });
});

describe('the repository of the user', () => {
  it.each(['umlü', '日本', "d\u00e9 'x\n", 'de\u0301'])(
    'is found whatever its directory is called: %j',
    async (name) => {
      const bed = makeBed();
      bed.git('init', '-q', name);
      for (const file of ['.env', 'private', 'inner/.gitignore', 'inner/a.o'])
        bed.write(`${name}/${file}`, '*.o\n');
      bed.git('-C', name, 'add', '-f', '.env');
      writeFileSync(bed.at(`${name}/.git/info/exclude`), '/private\n');
      const ws = await bed.open({ root: bed.at(name) });
      const { tree, leftOut } = await ws.snapshot(ask);
      expect(bed.list(tree)).toEqual(['.env', 'inner/.gitignore']);
      expect(leftOut).toEqual([]);
      // What changes in it is seen in the next look.
      bed.write(`${name}/x.pem`, 'x');
      bed.git('-C', name, 'add', '-f', 'x.pem');
      writeFileSync(bed.at(`${name}/.git/info/exclude`), '');
      bed.write(`${name}/inner/.gitignore`, '');
      expect(bed.list((await ws.snapshot(ask)).tree)).toEqual([
        '.env',
        'inner/.gitignore',
        'inner/a.o',
        'private',
        'x.pem',
      ]);
      // The same where it lies inside of the workspace.
      const around = await bed.open({ gitDir: `${bed.gitDir}-2` });
      const outer = await around.snapshot(ask);
      expect(outer.leftOut).toEqual([]);
      expect(await around.readFile(outer.tree, `${name}/.env`)).not.toBeNull();
    },
  );

  it('may keep its data in a directory of any name, as working trees of it do', async () => {
    const bed = makeBed();
    bed.git('init', '-q', 'größe');
    bed.git('-C', 'größe', 'commit', '-q', '--allow-empty', '-m', 'x');
    bed.git('-C', 'größe', 'worktree', 'add', '-q', '../tree');
    bed.write('tree/.env', '');
    bed.git('-C', 'tree', 'add', '-f', '.env');
    const ws = await bed.open({ root: bed.at('tree') });
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.env']);
    bed.write('tree/x.pem', '');
    bed.git('-C', 'tree', 'add', '-f', 'x.pem');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.env', 'x.pem']);
  });

  it('has its tracked files captured, ignored or secret as they may be', async () => {
    const bed = makeBed();
    bed.git('init', '-q');
    bed.write('.gitignore', 'vendor/\n*.gen\n');
    for (const name of [
      'vendor/lib/kept',
      'vendor/lib/loose',
      'vendor/other',
      'a.gen',
      'b.gen',
      '.env',
      'x.pem',
    ]) {
      bed.write(name, name);
    }
    bed.git('add', '-f', 'vendor/lib/kept', 'a.gen', '.env');
    const ws = await bed.open();
    const { tree, leftOut } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual(['.env', '.gitignore', 'a.gen', 'vendor/lib/kept']);
    expect(leftOut.map(({ path }) => path)).toEqual(['x.pem']);
    bed.git('add', '-f', 'b.gen', 'x.pem', 'vendor/other');
    const now = await ws.snapshot(ask);
    expect(bed.list(now.tree)).toEqual([
      '.env',
      '.gitignore',
      'a.gen',
      'b.gen',
      'vendor/lib/kept',
      'vendor/other',
      'x.pem',
    ]);
    expect(now.leftOut).toEqual([]);
  });

  it('may have a broken index: told, and not in the way', async () => {
    const bed = makeBed();
    bed.git('init', '-q');
    bed.write('file', '1');
    bed.git('add', 'file');
    const ws = await bed.open();
    await ws.snapshot(ask);
    writeFileSync(bed.at('.git/index'), 'broken');
    bed.write('file', '2');
    const { tree, leftOut, changed } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual(['file']);
    expect(changed.modified).toBe(1);
    expect(leftOut.map(({ path }) => path)).toEqual(['.git/index']);
  });

  it('may appear and vanish', async () => {
    const bed = makeBed();
    bed.write('.env', '');
    bed.write('a', '');
    const ws = await bed.open();
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['a']);
    bed.git('init', '-q');
    bed.git('add', '.env');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.env', 'a']);
    rmSync(bed.at('.git'), { recursive: true });
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.env', 'a']);
  });
});

describe('the globs of the spec', () => {
  it('exclude always, and include what is ignored', async () => {
    const bed = makeBed();
    bed.write('.gitignore', 'dist/\n');
    for (const name of ['dist/app.js', 'dist/app.map', 'data/big', 'data/small', 'src/a'])
      bed.write(name, '');
    const first = await bed.open();
    expect(bed.list((await first.snapshot(ask)).tree)).toEqual([
      '.gitignore',
      'data/big',
      'data/small',
      'src/a',
    ]);
    await first.close();
    const ws = await bed.open({ exclude: ['data/big', 'src'], include: ['dist/*.js'] });
    const { tree, leftOut, changed } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual(['.gitignore', 'data/small', 'dist/app.js']);
    expect(leftOut).toEqual([
      { path: 'data/big', why: 'excluded by the spec' },
      { path: 'src/', why: 'excluded by the spec' },
    ]);
    expect(changed).toEqual({ added: 1, modified: 0, deleted: 0, paths: ['dist/app.js'] });
  });
});
