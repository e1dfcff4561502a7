import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { makeRoomBed, noRooms, type RoomBed, shellIn } from './testing.ts';

async function makeNodeBed(): Promise<RoomBed> {
  const bed = await makeRoomBed();
  bed.git('init', '-q');
  bed.write('.gitignore', 'node_modules\ndist\n.venv\ntarget\n');
  bed.write('package.json', '{}');
  bed.write('node_modules/dep/index.js', 'base');
  bed.write('node_modules/@scope/dep/index.js', 'base');
  bed.write('packages/a/index.js', 'own');
  bed.write('packages/a/node_modules/inner/index.js', 'base');
  symlinkSync('../packages/a', bed.at('node_modules/a'));
  return bed;
}

describe.skipIf(noRooms !== undefined)('the dependencies of a room', () => {
  it('are those of before anyone worked, at every level, and links between packages stay in the room', async () => {
    const bed = await makeNodeBed();
    const tree = await bed.snapshot();
    expect((await bed.rooms.capture([''])).paths.sort()).toEqual(['node_modules', 'packages/a/node_modules']);
    bed.write('node_modules/dep/index.js', 'tampered');
    bed.write('packages/a/index.js', 'changed since');
    const room = await bed.enter(tree);
    const files = 'node_modules/dep/index.js packages/a/node_modules/inner/index.js node_modules/a/index.js';
    expect(shellIn(room, bed.root, `cat ${files}`)).toBe('basebaseown');
  });

  it('keep bytes, modes and times, and a gate that writes to them writes nowhere else', async () => {
    const bed = await makeNodeBed();
    bed.write('node_modules/.bin/tool', '#!/bin/sh\necho tool\n');
    chmodSync(bed.at('node_modules/.bin/tool'), 0o755);
    linkSync(bed.at('node_modules/dep/index.js'), bed.at('node_modules/dep/linked.js'));
    utimesSync(bed.at('node_modules/dep/index.js'), 1_234_567, 1_234_567);
    const tree = await bed.snapshot();
    await bed.rooms.capture(['']);
    const room = await bed.enter(tree);
    expect(shellIn(room, bed.root, 'node_modules/.bin/tool; stat -c %Y node_modules/dep/index.js')).toBe(
      'tool\n1234567',
    );
    shellIn(room, bed.root, 'echo poison > node_modules/dep/linked.js');
    expect(readFileSync(bed.at('node_modules/dep/index.js'), 'utf8')).toBe('base');
    expect(readFileSync(join(bed.home, 'deps/node_modules/dep/index.js'), 'utf8')).toBe('base');
  });

  it('are copied again only where they changed', async () => {
    const bed = await makeNodeBed();
    await bed.snapshot();
    await bed.rooms.capture(['']);
    const copy = (path: string) => join(bed.home, 'deps/node_modules', path);
    const before = statSync(copy('dep/index.js')).ino;
    bed.write('node_modules/@scope/dep/index.js', 'upgraded');
    rmSync(bed.at('packages/a/node_modules'), { recursive: true });
    await bed.snapshot();
    await bed.rooms.capture(['']);
    expect(statSync(copy('dep/index.js')).ino).toBe(before);
    expect(readFileSync(copy('@scope/dep/index.js'), 'utf8')).toBe('upgraded');
    expect(() => statSync(join(bed.home, 'deps/packages/a/node_modules'))).toThrow();
  });

  it('are no longer believed when somebody changed our copy of them', async () => {
    const bed = await makeNodeBed();
    const tree = await bed.snapshot();
    await bed.rooms.capture(['']);
    await (await bed.enter(tree)).close();
    const copy = join(bed.home, 'deps/node_modules/dep/index.js');
    const { atime, mtime } = statSync(copy);
    writeFileSync(copy, 'evil');
    utimesSync(copy, atime, mtime);
    await expect(bed.enter(tree)).rejects.toMatchObject({ fault: { code: 'room.touched' } });
    await bed.rooms.capture(['']);
    expect(readFileSync(copy, 'utf8')).toBe('base');
    // The clock of the file system lags by some milliseconds.
    await setTimeout(20);
    rmSync(copy);
    await expect(bed.enter(tree)).rejects.toMatchObject({ fault: { code: 'room.touched' } });
  });

  it('leave build output out, unless a gate is on the rung that shows it', async () => {
    const bed = await makeNodeBed();
    bed.write('dist/out.js', 'built');
    const tree = await bed.snapshot();
    await bed.rooms.capture(['']);
    await bed.rooms.captureIgnored();
    bed.write('dist/out.js', 'changed since');
    const sealed = await bed.enter(tree);
    expect(shellIn(sealed, bed.root, 'cat dist/out.js')).toMatch(/No such file/);
    await sealed.close();
    const open = await bed.enter(tree, { ignored: true });
    expect(shellIn(open, bed.root, 'cat dist/out.js')).toBe('built');
  });

  it('take over packages that were added since, when a manifest says so, and nothing else', async () => {
    const bed = await makeNodeBed();
    const baseTree = await bed.snapshot();
    await bed.rooms.capture(['']);
    bed.write('node_modules/dep/evil.js', 'tampered');
    bed.write('node_modules/fresh/index.js', 'fresh');
    bed.write('node_modules/@scope/fresh/index.js', 'fresh');
    const sealed = { baseTree, fromBase: () => false };
    const untold = await bed.enter(await bed.snapshot(), { sealed });
    expect(untold.added).toEqual([]);
    await untold.close();
    bed.write('package.json', '{"dependencies":{"fresh":"1"}}');
    const room = await bed.enter(await bed.snapshot(), { sealed });
    expect(room.added.sort()).toEqual(['node_modules/@scope/fresh', 'node_modules/fresh']);
    expect(
      shellIn(room, bed.root, 'cat node_modules/fresh/index.js node_modules/@scope/fresh/index.js'),
    ).toBe('freshfresh');
    expect(shellIn(room, bed.root, 'cat node_modules/dep/evil.js')).toMatch(/No such file/);
  });
});

describe.skipIf(noRooms !== undefined)('a leak', () => {
  const site = '.venv/lib/python3.12/site-packages';
  const outside = (bed: RoomBed) => join(bed.root, '..', 'outside');
  const alias = (bed: RoomBed) => join(bed.root, '..', 'alias');

  it.each<[string, (bed: RoomBed) => void, string]>([
    [
      'a link to the live workspace by another path',
      (bed) => symlinkSync(join(alias(bed), 'packages/a'), bed.at('node_modules/b')),
      'node_modules/b',
    ],
    [
      'a link to a folder outside',
      (bed) => symlinkSync(outside(bed), bed.at('node_modules/b')),
      'node_modules/b',
    ],
    [
      'a relative link to a folder outside',
      (bed) => symlinkSync('../../outside', bed.at('node_modules/b')),
      'node_modules/b',
    ],
    [
      'an editable install in a .pth file',
      (bed) => bed.write(`${site}/x.pth`, `import x\n${outside(bed)}\n`),
      `${site}/x.pth`,
    ],
    [
      'an editable install in a finder',
      (bed) => bed.write(`${site}/__editable___x_finder.py`, `MAPPING = {'x': '${alias(bed)}/packages'}\n`),
      `${site}/__editable___x_finder.py`,
    ],
    [
      'an editable install by its address',
      (bed) =>
        bed.write(
          `${site}/x.dist-info/direct_url.json`,
          JSON.stringify({ url: `file://${outside(bed)}`, dir_info: { editable: true } }),
        ),
      'direct_url.json',
    ],
    ['an egg link', (bed) => bed.write(`${site}/x.egg-link`, `${outside(bed)}\n.\n`), 'x.egg-link'],
  ])('is %s, and nobody judges there', async (_, plant, named) => {
    const bed = await makeNodeBed();
    mkdirSync(outside(bed));
    symlinkSync(bed.root, alias(bed));
    bed.write('.venv/pyvenv.cfg', 'home = /usr/bin\n');
    plant(bed);
    const tree = await bed.snapshot();
    expect((await bed.rooms.capture([''])).leaks).toHaveLength(1);
    await expect(bed.enter(tree)).rejects.toMatchObject({
      fault: { code: 'room.leak', message: expect.stringContaining(named) },
    });
  });

  it('is none of what leads to the workspace by its own path, into the system or to a toolchain', async () => {
    const bed = await makeNodeBed();
    symlinkSync(bed.at('packages/a'), bed.at('node_modules/absolute'));
    symlinkSync('/usr/bin/env', bed.at('node_modules/.env'));
    symlinkSync('/nowhere/at/all', bed.at('node_modules/dangling'));
    bed.write('.venv/pyvenv.cfg', 'home = /usr/bin\n');
    bed.write(`${site}/x.pth`, `${bed.root}/packages\n`);
    const tree = await bed.snapshot();
    expect((await bed.rooms.capture([''])).leaks).toEqual([]);
    bed.write('packages/a/index.js', 'changed since');
    const room = await bed.enter(tree);
    expect(shellIn(room, bed.root, 'cat node_modules/absolute/index.js')).toBe('own');
  });
});

describe.skipIf(noRooms !== undefined)('prepare', () => {
  const install =
    'rm -rf node_modules && mkdir node_modules && cat package-lock.json > node_modules/installed && echo x > junk && echo x >> /tmp/../tmp/count';
  const prepare = { run: install, timeoutMs: 10_000, marker: 'prepare-test' };

  it('installs in the room when a lock file changed, once for the same lock files', async () => {
    const bed = await makeNodeBed();
    bed.write('package-lock.json', 'one');
    const baseTree = await bed.snapshot();
    await bed.rooms.capture(['']);
    const sealed = { baseTree, fromBase: () => false };
    const same = await bed.enter(baseTree, { sealed, prepare });
    expect(shellIn(same, bed.root, 'ls node_modules')).toContain('dep');
    await same.close();
    bed.write('package-lock.json', 'two');
    const tree = await bed.snapshot();
    for (const run of [install, install]) {
      const room = await bed.enter(tree, { sealed, prepare: { ...prepare, run } });
      expect(shellIn(room, bed.root, 'ls; ls node_modules; cat node_modules/installed')).toBe(
        'node_modules\npackage-lock.json\npackage.json\npackages\ninstalled\ntwo',
      );
      await room.close();
    }
    const layers = execFileSync('ls', [bed.home])
      .toString()
      .match(/prepared-/g);
    expect(layers).toHaveLength(1);
    expect(statSync(bed.at('node_modules/dep')).isDirectory()).toBe(true);
  });

  it('that fails leaves nobody judging', async () => {
    const bed = await makeNodeBed();
    const baseTree = await bed.snapshot();
    bed.write('package-lock.json', 'two');
    writeFileSync(bed.at('a.txt'), '');
    const tree = await bed.snapshot();
    const request = {
      sealed: { baseTree, fromBase: () => false },
      prepare: { ...prepare, run: 'echo no registry; exit 4' },
    };
    await expect(bed.enter(tree, request)).rejects.toMatchObject({
      fault: { code: 'room.prepare', message: expect.stringMatching(/no registry/) },
    });
  });
});
