import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { safeEnv } from './git.ts';
import { makeBed } from './testing.ts';

const ask = { ref: 'run/1' };

it('is not stopped by what a killed process left behind', async () => {
  const bed = makeBed();
  bed.write('a', '1');
  const first = await bed.open();
  await first.snapshot(ask);
  for (const name of ['index.lock', 'index.new', 'refs/last.new', 'objects/object.new', 'excludes.new']) {
    writeFileSync(join(bed.gitDir, name), 'half');
  }
  const ws = await bed.open();
  bed.write('b', '2');
  expect((await ws.snapshot(ask)).tree).toBe(bed.addAll());
});

it.each(['missing', 'cut', 'foreign'])('reads every file again when its index is %s', async (how) => {
  const bed = makeBed();
  for (let i = 0; i < 400; i++) bed.write(`d/${i}`, `${i}`);
  await bed.settle();
  const index = join(bed.gitDir, 'index');
  if (how === 'missing') rmSync(index);
  else if (how === 'cut') truncateSync(index, 100);
  else writeFileSync(index, 'something else');
  const ws = await bed.open();
  expect((await ws.snapshot(ask)).tree).toBe(bed.addAll());
  bed.write('d/7', 'x');
  expect((await ws.snapshot(ask)).tree).toBe(bed.addAll());
});

it.each(['missing', 'empty'])(
  'captures every file anew when a power cut left its objects %s',
  async (how) => {
    const bed = makeBed();
    for (const name of ['a', 'd/b', 'd/e/c']) bed.write(name, name);
    await bed.settle();
    for (const object of readdirSync(join(bed.gitDir, 'objects'), { recursive: true, withFileTypes: true })) {
      if (!object.isFile()) continue;
      const path = join(object.parentPath, object.name);
      if (how === 'missing') rmSync(path);
      else truncateSync(path);
    }
    bed.write('d/b', 'other');
    const { tree } = await (await bed.open()).snapshot(ask);
    expect(tree).toBe(bed.addAll());
    expect(execFileSync('git', ['show', `${tree}:d/e/c`], { env: safeEnv(bed.gitDir) }).toString()).toBe(
      'd/e/c',
    );
  },
);

it('goes on after a snapshot that failed halfway', async () => {
  const bed = makeBed();
  bed.write('a', '1');
  bed.write('sub/b', '1');
  const ws = await bed.open();
  await ws.snapshot(ask);
  bed.write('a', '2');
  rmSync(bed.at('sub/b'));
  execFileSync('mkfifo', [bed.at('sub/.gitignore')]);
  await expect(ws.snapshot(ask)).rejects.toThrow();
  rmSync(bed.at('sub/.gitignore'));
  const { tree, changed } = await ws.snapshot(ask);
  expect(tree).toBe(bed.addAll());
  expect(changed).toEqual({ added: 0, modified: 1, deleted: 1, paths: ['a', 'sub/b'] });
});

it('says when the disk is full, and goes on when it is not', async () => {
  const bed = makeBed();
  bed.write('a', '1');
  const ws = await bed.open();
  symlinkSync('/dev/full', join(bed.gitDir, 'objects/object.new'));
  await expect(ws.snapshot(ask)).rejects.toMatchObject({ fault: { code: 'state.full' } });
  rmSync(join(bed.gitDir, 'objects/object.new'));
  expect((await ws.snapshot(ask)).tree).toBe(bed.addAll());
});

it('leaves complete objects behind each snapshot', async () => {
  const bed = makeBed();
  const ws = await bed.open();
  for (const [at, count] of [5, 500, 3].entries()) {
    for (let i = 0; i < count; i++) bed.write(`d${at}/sub${i % 7}/${i}`, `${at} ${i}\n`);
    const { tree } = await ws.snapshot({ ref: `run/${at}` });
    const check = execFileSync('git', ['fsck', '--strict', '--full', tree], {
      env: safeEnv(bed.gitDir),
      stdio: 'pipe',
    });
    expect(check.toString()).not.toMatch(/missing|broken|corrupt/);
    const after = await bed.open();
    expect((await after.snapshot(ask)).tree).toBe(tree);
  }
});
