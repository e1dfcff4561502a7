import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeBed } from './testing.ts';

const ask = { ref: 'run/1' };

describe('restore', () => {
  it('brings back contents, modes, links and odd names, and keeps what was there', async () => {
    const bed = makeBed();
    const odd = Buffer.concat([Buffer.from(`${bed.root}/dé/`), Buffer.from([0xc3, 0x28])]);
    bed.write('plain', 'one');
    bed.write('run', 'sh');
    chmodSync(bed.at('run'), 0o755);
    bed.write('dé/new\nline', 'x');
    writeFileSync(odd, 'odd');
    symlinkSync('plain', bed.at('link'));
    bed.write('deep/er/file', 'deep');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);

    bed.write('plain', 'two');
    chmodSync(bed.at('run'), 0o644);
    rmSync(bed.at('dé'), { recursive: true });
    rmSync(bed.at('link'));
    symlinkSync('run', bed.at('link'));
    rmSync(bed.at('deep'), { recursive: true });
    bed.write('extra/dir/file', 'extra');
    const then = bed.addAll();

    const { safety, written, deleted } = await ws.restore(tree, 'run/safety');
    expect(safety).toBe(then);
    expect({ written, deleted }).toEqual({ written: 6, deleted: 1 });
    expect(bed.addAll()).toBe(tree);
    expect(readFileSync(odd, 'utf8')).toBe('odd');
    expect(lstatSync(bed.at('run')).mode & 0o777).toBe(0o755);
    expect(readlinkSync(bed.at('link'))).toBe('plain');
    expect(existsSync(bed.at('extra'))).toBe(false);

    await ws.restore(safety, 'run/safety-2');
    expect(bed.addAll()).toBe(then);
    expect((await ws.snapshot(ask)).changed.paths).toEqual([]);
  });

  it('turns files, directories and links into one another', async () => {
    const bed = makeBed();
    const shapes = {
      file: (path: string) => writeFileSync(path, 'file'),
      directory: (path: string) => {
        mkdirSync(`${path}/sub/hollow`, { recursive: true });
        writeFileSync(`${path}/sub/file`, 'inner');
      },
      link: (path: string) => symlinkSync('/etc', path),
      nothing: () => {},
    };
    const kinds = Object.keys(shapes) as (keyof typeof shapes)[];
    const pairs = kinds.flatMap((from) => kinds.map((to) => ({ from, to, path: bed.at(`${from}-${to}`) })));
    for (const { from, path } of pairs) shapes[from](path);
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    for (const { to, path } of pairs) {
      rmSync(path, { recursive: true, force: true });
      shapes[to](path);
    }
    const { safety } = await ws.restore(tree, 'run/safety');
    expect(bed.addAll()).toBe(tree);
    await ws.restore(safety, 'run/safety-2');
    expect(bed.addAll()).toBe(safety);
  });

  it('keeps who may read a file', async () => {
    const bed = makeBed();
    bed.write('private', 'one');
    chmodSync(bed.at('private'), 0o600);
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    bed.write('private', 'two');
    await ws.restore(tree, 'run/safety');
    expect(lstatSync(bed.at('private')).mode & 0o777).toBe(0o600);
  });

  it('never touches what is left out, ignored or excluded', async () => {
    const bed = makeBed();
    bed.write('.gitignore', 'node_modules/\n');
    bed.write('src/a', '1');
    const ws = await bed.open({ exclude: ['cache/**'] });
    const { tree } = await ws.snapshot(ask);
    const kept = { 'src/.env': 's', 'node_modules/x/y': 'n', 'cache/c': 'c', 'src/gen/tls.pem': 'p' };
    for (const [path, body] of Object.entries(kept)) bed.write(path, body);
    execFileSync('mkfifo', [bed.at('src/gen/pipe')]);
    mkdirSync(bed.at('idle'));
    bed.write('src/gen/b', '2');
    rmSync(bed.at('src/a'));
    expect(await ws.restore(tree, 'run/safety')).toMatchObject({ written: 1, deleted: 1 });
    for (const [path, body] of Object.entries(kept)) expect(readFileSync(bed.at(path), 'utf8')).toBe(body);
    expect(lstatSync(bed.at('src/gen/pipe')).isFIFO()).toBe(true);
    expect(existsSync(bed.at('idle'))).toBe(true);
    expect(existsSync(bed.at('src/gen/b'))).toBe(false);
  });

  it('keeps a file that is ignored by now before it writes over it', async () => {
    const bed = makeBed();
    bed.write('out.log', 'captured');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    rmSync(bed.at('out.log'));
    bed.write('.gitignore', '*.log\n');
    await ws.snapshot(ask);
    bed.write('out.log', 'ignored by now');
    const { safety } = await ws.restore(tree, 'run/safety');
    expect(readFileSync(bed.at('out.log'), 'utf8')).toBe('captured');
    expect((await ws.readFile(safety, 'out.log'))?.toString()).toBe('ignored by now');
  });

  it('never writes through a link', async () => {
    const bed = makeBed();
    bed.write('dir/file', 'captured');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    rmSync(bed.at('dir'), { recursive: true });
    bed.write('.gitignore', '/dir\n');
    await ws.snapshot(ask);
    mkdirSync(`${bed.root}-elsewhere`);
    symlinkSync(`${bed.root}-elsewhere`, bed.at('dir'));
    await ws.restore(tree, 'run/safety');
    expect(lstatSync(bed.at('dir')).isDirectory()).toBe(true);
    expect(existsSync(`${bed.root}-elsewhere/file`)).toBe(false);
  });

  it('refuses, before it changes anything, when something not captured is in the way', async () => {
    const bed = makeBed();
    bed.write('a', 'file');
    bed.write('b', 'file');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    bed.write('b', 'changed');
    rmSync(bed.at('a'));
    bed.write('.gitignore', 'node_modules\n');
    bed.write('a/node_modules/x', 'never captured');
    const there = { fault: { code: 'workspace.blocked' } };
    await expect(ws.restore(tree, 'run/safety')).rejects.toMatchObject(there);
    expect(readFileSync(bed.at('b'), 'utf8')).toBe('changed');
    expect(readFileSync(bed.at('a/node_modules/x'), 'utf8')).toBe('never captured');
  });
});

describe('between two trees', () => {
  it('tells which paths differ and how', async () => {
    const bed = makeBed();
    for (const name of ['same', 'edited', 'dropped']) bed.write(name, `${name}\n`);
    const ws = await bed.open();
    const from = (await ws.snapshot(ask)).tree;
    bed.write('edited', 'otherwise\n');
    bed.write('näw', 'new\n');
    rmSync(bed.at('dropped'));
    const to = (await ws.snapshot(ask)).tree;
    expect(await ws.changedPaths(from, to)).toEqual([
      { path: 'dropped', status: 'deleted' },
      { path: 'edited', status: 'modified' },
      { path: 'näw', status: 'added' },
    ]);
    expect(await ws.diff(from, to, { paths: ['edited'] })).toMatch(/-edited\n\+otherwise\n$/);
    expect(await ws.diff(from, to, { stat: true })).toContain('3 files changed');
    expect(await ws.diff(from, to, { color: true })).toContain('\x1b[');
    expect(await ws.readFile(to, 'dropped')).toBe(null);
    expect(await ws.hasTree('0'.repeat(40))).toBe(false);
  });
});
