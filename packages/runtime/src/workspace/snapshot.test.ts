import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { FaultError } from '@agentgate/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Bed, makeBed } from './testing.ts';

const ask = { ref: 'run/1' };

/** Root may read everything, so under root the rest of a test runs as nobody. */
function asSomebody(bed: Bed): void {
  if (process.getuid?.() !== 0) return;
  const nobody = 65_534;
  chownSync(dirname(bed.root), nobody, nobody);
  chownSync(bed.root, nobody, nobody);
  process.seteuid?.(nobody);
  onTestFinished(() => void process.seteuid?.(0));
}

describe('a snapshot', () => {
  it('equals a full add of the directory', async () => {
    const bed = makeBed();
    bed.write('a.txt', 'a\n');
    bed.write('dir/b.txt', 'b\n');
    bed.write('dir.x', 'sorts between dir and dir/\n');
    bed.write('dir/run.sh', '#!/bin/sh\n');
    chmodSync(bed.at('dir/run.sh'), 0o755);
    symlinkSync('dir/b.txt', bed.at('link'));
    symlinkSync('nowhere', bed.at('dangling'));
    symlinkSync('dir', bed.at('dirlink'));
    mkdirSync(bed.at('empty/below'), { recursive: true });
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    expect(tree).toBe(bed.addAll());
    expect((await ws.snapshot(ask)).tree).toBe(tree);
  });

  it('takes names of any bytes', async () => {
    const bed = makeBed();
    const names = [
      '-dash',
      ' space ',
      'new\nline',
      'quote"\'',
      'ünïcode/日本',
      ':(top)magic',
      '*[a]?',
      '\\back',
      '\ttab',
    ];
    for (const name of names) bed.write(name, name);
    writeFileSync(Buffer.concat([Buffer.from(`${bed.root}/`), Buffer.from([0xff, 0xfe, 0x2d])]), 'no utf-8');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    expect(tree).toBe(bed.addAll());
    expect(bed.list(tree)).toContain('\xff\xfe-');
    expect((await ws.readFile(tree, 'new\nline'))?.toString()).toBe('new\nline');
  });

  it('packs a large first snapshot so that any git can read it', async () => {
    const bed = makeBed();
    for (let i = 0; i < 700; i++) bed.write(`d${i % 40}/f${i}`, `${i}\n`.repeat(1 + (i % 300)));
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    expect(tree).toBe(bed.addAll());
    execFileSync('git', [`--git-dir=${bed.gitDir}`, 'fsck', '--strict', tree], { stdio: 'pipe' });
  });

  it('of an empty directory is the empty tree', async () => {
    const ws = await makeBed().open();
    const snapshot = await ws.snapshot(ask);
    expect(snapshot.tree).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
    expect(snapshot.changed).toEqual({ added: 0, modified: 0, deleted: 0, paths: [] });
    expect(await ws.hasTree(snapshot.tree)).toBe(true);
  });

  it('counts what changed against the snapshot before, also one of an earlier process', async () => {
    const bed = makeBed();
    for (const name of ['same', 'edit', 'drop']) bed.write(name, name);
    const first = await bed.open();
    expect((await first.snapshot(ask)).changed).toEqual({ added: 0, modified: 0, deleted: 0, paths: [] });
    await first.close();
    bed.write('edit', 'edited');
    bed.write('new/file', 'new');
    bed.write('.claude/notes', 'own');
    rmSync(bed.at('drop'));
    const second = await bed.open();
    const { changed } = await second.snapshot(ask);
    expect(changed).toEqual({ added: 2, modified: 1, deleted: 1, paths: ['drop', 'edit', 'new/file'] });
    expect((await second.snapshot(ask)).changed.paths).toEqual([]);
  });

  it('keeps its tree under the ref', async () => {
    const bed = makeBed();
    bed.write('a', 'a');
    const ws = await bed.open();
    const { tree } = await ws.snapshot({ ref: 'runs/x/iteration-1' });
    const args = [`--git-dir=${bed.gitDir}`, 'rev-parse', 'refs/agentgate/runs/x/iteration-1'];
    expect(execFileSync('git', args).toString().trim()).toBe(tree);
  });
});

describe('a change is seen', () => {
  const edits: Record<string, (path: string) => void> = {
    'of the same size in the same second': (path) => writeFileSync(path, 'BBBB'),
    'of the same size with the time put back': (path) => {
      const { atime, mtime } = lstatSync(path);
      writeFileSync(path, 'BBBB');
      utimesSync(path, atime, mtime);
    },
    'by a file moved over it': (path) => {
      writeFileSync(`${path}.tmp`, 'BBBB');
      renameSync(`${path}.tmp`, path);
    },
    'of the mode alone': (path) => chmodSync(path, 0o755),
    'from a file to a link of the same text': (path) => {
      rmSync(path);
      symlinkSync('AAAA', path);
    },
    'from a file to a directory': (path) => {
      rmSync(path);
      mkdirSync(path);
      writeFileSync(`${path}/inner`, 'AAAA');
    },
    'through a hard link': (path) => {
      linkSync(path, `${path}.other`);
      writeFileSync(`${path}.other`, 'BBBB');
    },
  };
  const old = new Date(2001, 1, 1);

  it.each(Object.entries(edits))('%s', async (_name, edit) => {
    const bed = makeBed();
    bed.write('dir/file', 'AAAA');
    utimesSync(bed.at('dir/file'), old, old);
    const ws = await bed.open();
    const before = await ws.snapshot(ask);
    edit(bed.at('dir/file'));
    const after = await ws.snapshot(ask);
    expect(after.tree).not.toBe(before.tree);
    expect(after.tree).toBe(bed.addAll());
  });

  it('in each of these ways once the index speaks for the file', async () => {
    const bed = makeBed();
    const names = Object.keys(edits);
    for (const name of names) bed.write(name, 'AAAA');
    for (const name of names) utimesSync(bed.at(name), old, old);
    await bed.settle();
    const ws = await bed.open();
    await ws.snapshot(ask);
    for (const name of names) {
      edits[name]?.(bed.at(name));
      const after = await ws.snapshot(ask);
      expect(after.changed.paths.some((path) => path.startsWith(name))).toBe(true);
      expect(after.tree).toBe(bed.addAll());
    }
  });
});

describe('what is not captured', () => {
  it('is named: pipes, large files, secrets', async () => {
    const bed = makeBed();
    bed.write('kept', 'kept');
    execFileSync('mkfifo', [bed.at('pipe')]);
    bed.write('large', Buffer.alloc(50 * 1024 * 1024 + 1));
    for (const name of ['.env', '.env.local', 'tls.pem', 'app.key', 'id_rsa', 'id_ed25519.pub'])
      bed.write(name, 'x');
    for (const name of ['.env.example', '.env.sample', '.env.template', '.envrc', 'keys'])
      bed.write(name, 'x');
    const ws = await bed.open();
    for (const _again of [1, 2]) {
      const { tree, leftOut } = await ws.snapshot(ask);
      expect(bed.list(tree)).toEqual([
        '.env.example',
        '.env.sample',
        '.env.template',
        '.envrc',
        'kept',
        'keys',
      ]);
      expect(leftOut.map(({ path }) => path)).toEqual([
        '.env',
        '.env.local',
        'app.key',
        'id_ed25519.pub',
        'id_rsa',
        'large',
        'pipe',
        'tls.pem',
      ]);
    }
  });

  it('is what cannot be read, until it can', async () => {
    const bed = makeBed();
    asSomebody(bed);
    bed.write('closed/file', 'x');
    bed.write('file', 'x');
    const ws = await bed.open();
    const { tree } = await ws.snapshot(ask);
    chmodSync(bed.at('closed'), 0);
    chmodSync(bed.at('file'), 0);
    const blind = await ws.snapshot(ask);
    expect(bed.list(blind.tree)).toEqual([]);
    expect(blind.leftOut.map(({ path }) => path)).toEqual(['closed/', 'file']);
    chmodSync(bed.at('closed'), 0o755);
    chmodSync(bed.at('file'), 0o644);
    expect(await ws.snapshot(ask)).toMatchObject({ tree, leftOut: [] });
  });

  it('may have been captured before', async () => {
    const bed = makeBed();
    bed.write('grows', 'small');
    bed.write('piped', 'file');
    const ws = await bed.open();
    await ws.snapshot(ask);
    bed.write('grows', Buffer.alloc(50 * 1024 * 1024 + 1));
    rmSync(bed.at('piped'));
    execFileSync('mkfifo', [bed.at('piped')]);
    const { tree, leftOut } = await ws.snapshot(ask);
    expect(bed.list(tree)).toEqual([]);
    expect(leftOut.map(({ path }) => path)).toEqual(['grows', 'piped']);
    bed.write('grows', 'small again');
    expect(bed.list((await ws.snapshot(ask)).tree)).toEqual(['grows']);
  });

  it('are our own directories, when they lie in the workspace', async () => {
    const bed = makeBed();
    bed.write('file', 'x');
    bed.write('state/log', 'x');
    const ws = await bed.open({ gitDir: bed.at('.state/git'), outside: [bed.at('state')], include: ['**'] });
    const { tree, leftOut } = await ws.snapshot(ask);
    expect(
      (await ws.changedPaths('4b825dc642cb6eb9a060e54bf8d69288fbee4904', tree)).map(({ path }) => path),
    ).toEqual(['file']);
    expect(leftOut).toEqual([]);
  });
});

describe('a workspace that is gone', () => {
  it('is a fault, at the opening and at the snapshot', async () => {
    const bed = makeBed();
    const ws = await bed.open();
    await ws.snapshot(ask);
    rmSync(bed.root, { recursive: true });
    await expect(ws.snapshot(ask)).rejects.toMatchObject({ fault: { code: 'workspace.gone' } });
    await expect(bed.open()).rejects.toBeInstanceOf(FaultError);
    mkdirSync(bed.root);
    expect((await ws.snapshot(ask)).tree).toBe('4b825dc642cb6eb9a060e54bf8d69288fbee4904');
  });

  it('does not wait for a pipe that git would read', async () => {
    const bed = makeBed();
    bed.write('file', 'x');
    execFileSync('mkfifo', [bed.at('.gitignore')]);
    const ws = await bed.open();
    await expect(ws.snapshot(ask)).rejects.toMatchObject({ fault: { code: 'workspace.blocked' } });
  });
});
