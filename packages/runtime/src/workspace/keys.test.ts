import { chmodSync, rmSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { GitWorkspace } from './open.ts';
import { type Bed, makeBed } from './testing.ts';

const substanceOf = (_path: string, text: string) => text.replace(/\/\/.*$/gm, '').replace(/\s+/g, '');

let bed: Bed;
let ws: GitWorkspace;
let base: string;
let count = 0;

beforeEach(async () => {
  bed = makeBed();
  bed.write('a.ts', 'let a = 1;\n');
  bed.write('b.ts', 'let b = 1;\n');
  bed.write('blob', Buffer.from([0, 1, 2]));
  ws = await bed.open({ substanceOf });
  base = (await ws.snapshot({ ref: 'base' })).tree;
});

const snap = (ignores?: (path: string) => boolean) =>
  ws.snapshot({ ref: `s/${++count}`, ...(ignores ? { ignores } : {}), baseTree: base });

describe('the work key', () => {
  it('is the same for the same work, however it came about', async () => {
    const none = await snap();
    bed.write('a.ts', 'let a = 2;\n');
    const two = await snap();
    bed.write('a.ts', 'let a = 3;\n');
    const three = await snap();
    bed.write('a.ts', 'let a = 2;\n');
    const again = await snap();
    bed.write('a.ts', 'let a = 1;\n');
    const back = await snap();
    expect(new Set([none.work, two.work, three.work]).size).toBe(3);
    expect([again.work, back.work]).toEqual([two.work, none.work]);
    expect(none.work).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is the same in another process and after a restore', async () => {
    bed.write('a.ts', 'let a = 2;\n');
    bed.write('new', 'n');
    const before = await snap();
    await ws.close();
    ws = await bed.open({ substanceOf });
    expect(await snap()).toMatchObject({ work: before.work, substance: before.substance });
    await ws.restore(base, 'safety');
    expect((await snap()).work).toBe((await ws.snapshot({ ref: 'x' })).work);
    await ws.restore(before.tree, 'safety');
    expect(await snap()).toMatchObject({ work: before.work, substance: before.substance });
  });

  it('does not see what agents and gates write for themselves', async () => {
    const none = await snap((path) => path.startsWith('coverage/'));
    for (const path of ['.claude/x', 'sub/.codex/x', '.gemini/x', '.opencode/y/x', 'coverage/.dot/x'])
      bed.write(path, 'x');
    const own = await snap((path) => path.startsWith('coverage/'));
    expect(own.tree).not.toBe(none.tree);
    expect(own.work).toBe(none.work);
    expect((await snap()).work).not.toBe(none.work);
  });

  it('sees modes and deletions', async () => {
    const none = await snap();
    chmodSync(bed.at('a.ts'), 0o755);
    const mode = await snap();
    chmodSync(bed.at('a.ts'), 0o644);
    rmSync(bed.at('a.ts'));
    const gone = await snap();
    expect(new Set([none.work, mode.work, gone.work]).size).toBe(3);
    expect(new Set([none.substance, mode.substance, gone.substance]).size).toBe(3);
  });
});

describe('the substance key', () => {
  it('does not see white space and comments', async () => {
    const none = await snap();
    bed.write('a.ts', '// why\nlet  a = 1;\n');
    const comment = await snap();
    expect(comment.work).not.toBe(none.work);
    expect(comment.substance).toBe(none.substance);
    bed.write('a.ts', 'let a = 2;\n');
    const two = await snap();
    bed.write('a.ts', 'let a =   2; // two\n');
    const twoAgain = await snap();
    expect(two.substance).not.toBe(none.substance);
    expect(twoAgain.substance).toBe(two.substance);
  });

  it('sees an added file without substance', async () => {
    const none = await snap();
    bed.write('c.ts', '// nothing\n');
    const added = await snap();
    bed.write('c.ts', '// nothing yet\n');
    expect(added.substance).not.toBe(none.substance);
    expect((await snap()).substance).toBe(added.substance);
  });

  it('takes binary and large files as they are', async () => {
    const none = await snap();
    bed.write('blob', Buffer.from([0, 1, 2, 32]));
    const binary = await snap();
    bed.write('large.ts', ' '.repeat(1024 * 1024 + 1));
    const large = await snap();
    bed.write('large.ts', ' '.repeat(1024 * 1024 + 2));
    expect(new Set([none.substance, binary.substance, large.substance, (await snap()).substance]).size).toBe(
      4,
    );
  });
});
