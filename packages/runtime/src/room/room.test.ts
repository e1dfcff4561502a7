import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRoomBed, noRooms, shellIn } from './testing.ts';

describe.skipIf(noRooms !== undefined)('a room', () => {
  it('shows the judged tree at the path of the workspace, and not what lies there now', async () => {
    const bed = await makeRoomBed();
    bed.write('src/a.txt', 'judged');
    const tree = await bed.snapshot();
    bed.write('src/a.txt', 'changed since');
    bed.write('src/late.txt', 'written since');
    const room = await bed.enter(tree);
    expect(shellIn(room, bed.root, 'pwd; cat src/a.txt; echo; ls src')).toBe(`${bed.root}\njudged\na.txt`);
  });

  it('keeps what gates write for the gates after them, and throws it away at the end', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const tree = await bed.snapshot();
    const room = await bed.enter(tree);
    shellIn(room, bed.root, 'mkdir dist; echo built > dist/out; rm a.txt; echo x > /tmp/note');
    expect(shellIn(room, bed.root, 'cat dist/out /tmp/note; ls a.txt')).toMatch(/^built\nx\n.*No such file/);
    expect(readFileSync(room.resolve('dist/out'), 'utf8')).toBe('built\n');
    expect(readFileSync(room.resolve('/tmp/note'), 'utf8')).toBe('x\n');
    expect(existsSync(room.resolve('a.txt'))).toBe(false);
    await room.close();
    expect(readdirSync(bed.root)).toEqual(['a.txt']);
    expect(readdirSync(bed.home).filter((name) => /now|old/.test(name))).toEqual([]);
    const next = await bed.enter(tree);
    expect(shellIn(next, bed.root, 'ls; cat /tmp/note')).toMatch(/^a.txt\n.*No such file/);
  });

  it('lets a gate be the user it knows, without network and without a way to the workspace', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const room = await bed.enter(await bed.snapshot());
    const said = shellIn(room, bed.root, 'id -u; cat /proc/net/dev | tail -n +3 | cut -d: -f1; touch /usr/x');
    expect(said).toMatch(new RegExp(`^${process.getuid?.()}\\n +lo\\n.*Read-only file system`));
  });

  it('shows the repository read-only, with the settings it had before anyone worked', async () => {
    const bed = await makeRoomBed();
    bed.git('init', '-q');
    bed.write('a.txt', 'a');
    bed.git('add', '-A');
    bed.git('commit', '-qm', 'first');
    const tree = await bed.snapshot();
    await bed.rooms.capture(['']);
    bed.git('config', 'alias.log', '!echo poisoned');
    bed.git('config', 'alias.hello', '!echo poisoned');
    const room = await bed.enter(tree);
    expect(shellIn(room, bed.root, 'git log --format=%s; git status --short')).toBe('first');
    expect(shellIn(room, bed.root, 'git hello')).toMatch(/not a git command/);
    expect(shellIn(room, bed.root, 'touch .git/x')).toMatch(/Read-only/);
  });

  it('puts back what is sealed: changed, deleted and added files, and contents of its own', async () => {
    const bed = await makeRoomBed();
    for (const name of ['changed', 'deleted', 'kept']) bed.write(`test/deep/${name}.txt`, 'base');
    bed.write('src/a.txt', 'base');
    bed.write('package.json', '{"v":1}');
    const baseTree = await bed.snapshot();
    bed.write('test/deep/changed.txt', 'agent');
    bed.write('test/added.txt', 'agent');
    bed.write('src/a.txt', 'agent');
    rmSync(bed.at('test/deep/deleted.txt'));
    const tree = await bed.snapshot();
    const room = await bed.enter(tree, {
      sealed: {
        baseTree,
        fromBase: (path) => path.startsWith('test/'),
        replaced: new Map([['package.json', '{"v":2}']]),
      },
    });
    expect(shellIn(room, bed.root, 'grep -r . test src package.json | sort')).toBe(
      [
        'package.json:{"v":2}',
        'src/a.txt:agent',
        'test/deep/changed.txt:base',
        'test/deep/deleted.txt:base',
        'test/deep/kept.txt:base',
      ].join('\n'),
    );
  });

  it('ends with whoever started it, to the last process', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    const room = await bed.enter(await bed.snapshot());
    const argv = room.argv(['/bin/sh', '-c', 'setsid sleep 77.125 & echo up; wait'], 'sealed');
    const parent = spawn('/bin/sh', ['-c', '"$@"; true', 'sh', ...argv], { cwd: bed.root });
    await new Promise((resolve) => parent.stdout.once('data', resolve));
    await expect.poll(sleepers, { timeout: 5_000 }).toBeGreaterThan(0);
    parent.kill('SIGKILL');
    await expect.poll(sleepers, { timeout: 5_000 }).toBe(0);
  });

  it('shows a tree as often as it is opened, also after a kill in the middle', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    bed.write('deep/b.txt', 'b');
    const tree = await bed.snapshot();
    await (await bed.enter(tree)).close();
    writeFileSync(join(bed.home, 'index.lock'), '');
    writeFileSync(join(bed.home, 'tree/a.txt'), 'half');
    writeFileSync(join(bed.home, 'tree/deep/foreign.txt'), 'foreign');
    rmSync(join(bed.home, 'tree/deep/b.txt'));
    mkdirSync(join(bed.home, 'now/upper'), { recursive: true });
    writeFileSync(join(bed.home, 'now/upper/a.txt'), 'written before the kill');
    const room = await bed.enter(tree);
    expect(shellIn(room, bed.root, 'grep -r . .')).toBe('./deep/b.txt:b\n./a.txt:a');
  });

  it('has links, executable files and names of any bytes as they were captured', async () => {
    const bed = await makeRoomBed();
    bed.write('run.sh', '#!/bin/sh\necho ran\n');
    chmodSync(bed.at('run.sh'), 0o755);
    symlinkSync('run.sh', bed.at('link'));
    writeFileSync(Buffer.concat([Buffer.from(`${bed.root}/`), Buffer.from([0xff, 0x0a, 0x41])]), 'odd');
    const room = await bed.enter(await bed.snapshot());
    expect(shellIn(room, bed.root, './link; readlink link; cat *A')).toBe('ran\nrun.sh\nodd');
  });
});

describe.skipIf(noRooms !== undefined)('the kept checkout', () => {
  it('goes from tree to tree, whatever becomes of files, links and folders', async () => {
    const bed = await makeRoomBed();
    const look = async () => {
      const tree = await bed.snapshot();
      const room = await bed.enter(tree);
      const seen = shellIn(
        room,
        bed.root,
        'find . -type l -printf "%p -> %l\\n" -o -type f -printf "%p %m " -exec cat {} ";" | sort',
      );
      await room.close();
      return seen;
    };
    bed.write('a', 'file\n');
    bed.write('d/e/f', 'deep\n');
    bed.write('same', 'same\n');
    expect(await look()).toBe('./a 644 file\n./d/e/f 644 deep\n./same 644 same');
    chmodSync(bed.at('a'), 0o755);
    rmSync(bed.at('d'), { recursive: true });
    bed.write('new/x', 'x\n');
    expect(await look()).toBe('./a 755 file\n./new/x 644 x\n./same 644 same');
    rmSync(bed.at('a'));
    bed.write('a/b', 'now a folder\n');
    rmSync(bed.at('new'), { recursive: true });
    symlinkSync('same', bed.at('new'));
    expect(await look()).toBe('./a/b 644 now a folder\n./new -> same\n./same 644 same');
    rmSync(bed.at('a'), { recursive: true });
    rmSync(bed.at('new'));
    bed.write('a', 'a file again\n');
    bed.write('new', 'no link\n');
    expect(await look()).toBe('./a 644 a file again\n./new 644 no link\n./same 644 same');
    expect(readdirSync(join(bed.home, 'tree')).sort()).toEqual(['a', 'new', 'same']);
  });

  it('takes the times of the workspace at first, and later changes only what differs', async () => {
    const bed = await makeRoomBed();
    bed.write('a.txt', 'a');
    bed.write('b.txt', 'b');
    utimesSync(bed.at('a.txt'), 1_000_000, 1_000_000);
    utimesSync(bed.at('b.txt'), 1_000_000, 1_000_000);
    const first = await bed.enter(await bed.snapshot());
    expect(statSync(first.resolve('a.txt')).mtimeMs).toBe(1_000_000_000);
    await first.close();
    bed.write('b.txt', 'changed');
    const startMs = Date.now();
    const second = await bed.enter(await bed.snapshot());
    expect(statSync(second.resolve('a.txt')).mtimeMs).toBe(1_000_000_000);
    expect(statSync(second.resolve('b.txt')).mtimeMs).toBeGreaterThan(startMs - 2_000);
    expect(readFileSync(join(bed.home, 'tree/b.txt'), 'utf8')).toBe('changed');
  });
});

function sleepers(): number {
  return execFileSync('ps', ['-eo', 'args'])
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('sleep 77.125')).length;
}
