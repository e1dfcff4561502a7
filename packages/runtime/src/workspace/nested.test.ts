import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hashAll, makeBed } from './testing.ts';

const ask = { ref: 'run/1' };

describe('a nested repository', () => {
  it('has its files captured by its own rules, and its git directory not', async () => {
    const bed = makeBed();
    bed.git('init', '-q');
    bed.write('.gitignore', '*.log\n');
    bed.git('init', '-q', 'sub');
    bed.write('sub/.gitignore', '*.tmp\n');
    for (const name of ['sub/a', 'sub/b.log', 'sub/c.tmp', 'sub/forced.tmp', 'sub/deep/d'])
      bed.write(name, '');
    bed.git('-C', 'sub', 'add', '-f', 'forced.tmp');
    bed.git('init', '-q', 'sub/deep/inner');
    bed.write('sub/deep/inner/e', '');
    const ws = await bed.open();
    const { tree, nested } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual([
      '.gitignore',
      'sub/.gitignore',
      'sub/a',
      'sub/b.log',
      'sub/deep/d',
      'sub/deep/inner/e',
      'sub/forced.tmp',
    ]);
    expect(nested).toEqual(['sub', 'sub/deep/inner']);
  });

  it('may be a submodule or a working tree, whose .git is a file', async () => {
    const bed = makeBed();
    bed.git('init', '-q', '-b', 'main');
    bed.write('a', '1');
    bed.git('add', 'a');
    bed.git('commit', '-qm', 'one');
    bed.git('worktree', 'add', '-q', 'tree', '-b', 'other');
    bed.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', bed.root, 'module');
    const ws = await bed.open();
    const { tree, nested } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual(['.gitmodules', 'a', 'module/a', 'tree/a']);
    expect(nested).toEqual(['module', 'tree']);
  });

  it('may appear and vanish in the run', async () => {
    const bed = makeBed();
    bed.write('lib/a', '1');
    bed.write('.gitignore', '*.tmp\n');
    bed.write('lib/x.tmp', '1');
    const ws = await bed.open();
    const first = await ws.snapshot(ask);
    bed.git('init', '-q', 'lib');
    const second = await ws.snapshot(ask);
    expect([second.nested, bed.list(second.tree)]).toEqual([['lib'], ['.gitignore', 'lib/a', 'lib/x.tmp']]);
    rmSync(bed.at('lib/.git'), { recursive: true });
    bed.write('lib/y.tmp', '1');
    const third = await ws.snapshot(ask);
    expect([third.nested, third.tree]).toEqual([[], second.tree]);
    rmSync(bed.at('lib'), { recursive: true });
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['.gitignore']);
    expect(first.nested).toEqual([]);
  });

  it('keeps its git directory through a restore', async () => {
    const bed = makeBed();
    bed.write('a', '1');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    bed.git('init', '-q', 'lib');
    bed.write('lib/b', '2');
    const before = hashAll(bed.at('lib/.git'));
    expect(await ws.restore(tree, 'run/safety')).toMatchObject({ written: 0, deleted: 1 });
    expect(hashAll(bed.at('lib/.git'))).toBe(before);
  });

  it('is listed under any name', async () => {
    const bed = makeBed();
    const odd = Buffer.concat([Buffer.from(`${bed.root}/`), Buffer.from([0xff])]);
    mkdirSync(odd);
    mkdirSync(Buffer.concat([odd, Buffer.from('/.git')]));
    writeFileSync(Buffer.concat([odd, Buffer.from('/file')]), 'x');
    writeFileSync(Buffer.concat([odd, Buffer.from('/.git/config')]), 'x');
    const ws = await bed.open();
    const { tree, nested } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual(['\xff/file']);
    expect(nested).toEqual(['\ufffd']);
  });
});
