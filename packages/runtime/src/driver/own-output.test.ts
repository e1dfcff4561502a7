import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorkspace } from '../workspace/index.ts';
import { ownOutputs } from '../process/index.ts';

describe.skipIf(process.platform !== 'linux')('a log that this process writes into the workspace', () => {
  it('is found by its descriptor, and is in no snapshot; once it is replaced it is a file like any other', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-output-')));
    const path = join(base, 'nohup.out');
    const fd = openSync(path, 'w');
    try {
      writeFileSync(join(base, 'work.txt'), 'work\n');
      const outside = ownOutputs([fd]);
      expect(outside).toEqual([path]);
      const workspace = await openWorkspace({ root: base, gitDir: join(base, '.state'), outside });
      const first = await workspace.snapshot({ ref: 'runs/r/1' });
      writeFileSync(fd, 'a line\n');
      const second = await workspace.snapshot({ ref: 'runs/r/2' });
      expect([first.tree === second.tree, await workspace.readFile(first.tree, 'nohup.out')]).toEqual([
        true,
        null,
      ]);
      expect((await workspace.readFile(first.tree, 'work.txt'))?.toString()).toBe('work\n');
      await workspace.close();
      rmSync(path);
      writeFileSync(path, 'mine\n');
      expect(ownOutputs([fd])).toEqual([]);
    } finally {
      closeSync(fd);
      rmSync(base, { recursive: true, force: true });
    }
  });
});
