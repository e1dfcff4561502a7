import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeBed } from '../workspace/testing.ts';
import { checkIntegrity, openTreeReader } from './index.ts';
import { noRules } from './testing.ts';

describe('trees in our own git directory', () => {
  it('show every trick that the user’s own git would hide', async () => {
    const bed = makeBed();
    bed.write('src/add.ts', 'export const add = 1;\n');
    bed.write('src/add.test.ts', "it('a', () => { expect(add).toBe(1); });\n");
    bed.write('check.sh', 'npm test\n');
    bed.write('package.json', '{"scripts":{"test":"vitest run"}}');
    bed.git('init', '-q');
    bed.git('add', '-A');
    bed.git('commit', '-qm', 'a');
    const workspace = await bed.open();
    const base = await workspace.snapshot({ ref: 'run/0' });
    bed.git('update-index', '--assume-unchanged', 'src/add.test.ts');
    bed.git('update-index', '--skip-worktree', 'package.json');
    bed.write('src/add.test.ts', "it.skip('a', () => { expect(add).toBe(1); });\n");
    bed.write('package.json', '{"scripts":{"test":"true"}}');
    bed.write('src/add.ts', '// @ts-ignore\nexport const add = 2;\n');
    bed.write('ünï\ncode/sitecustomize.py', 'x\n');
    writeFileSync(Buffer.concat([Buffer.from(`${bed.root}/`), Buffer.from([0xff, 0xfe])]), 'no utf-8');
    chmodSync(bed.at('check.sh'), 0o755);
    symlinkSync('/etc/passwd', bed.at('link'));
    bed.git('commit', '-qam', 'hide');
    const now = await workspace.snapshot({ ref: 'run/1' });
    const reader = openTreeReader(bed.gitDir);
    onTestFinished(() => reader.close());
    const checked = await checkIntegrity(base.tree, now.tree, reader, {
      ...noRules,
      gateFiles: ['check.sh'],
    });
    expect(checked.changed.map(({ status, path }) => `${status} ${path}`)).toEqual([
      'mode check.sh',
      'modified package.json',
      'modified src/add.test.ts',
      'added ünï\ncode/sitecustomize.py',
    ]);
    expect(checked.ratchets.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      'suppression src/add.ts',
      'skip src/add.test.ts',
      'smell link',
    ]);
    expect([...checked.replaced.keys()]).toEqual(['package.json']);
  });

  it('are the same when nothing changed, and tell what was deleted', async () => {
    const bed = makeBed();
    bed.write('tests/test_a.py', 'def test_a():\n    assert f()\n');
    bed.write('a.py', 'f = 1\n');
    const workspace = await bed.open();
    const base = await workspace.snapshot({ ref: 'run/0' });
    rmSync(bed.at('tests'), { recursive: true });
    const now = await workspace.snapshot({ ref: 'run/1' });
    const reader = openTreeReader(bed.gitDir);
    onTestFinished(() => reader.close());
    expect(await checkIntegrity(base.tree, base.tree, reader, noRules)).toMatchObject({
      changed: [],
      ratchets: [],
    });
    const { changed, fromBase } = await checkIntegrity(base.tree, now.tree, reader, noRules);
    expect(changed).toMatchObject([{ path: 'tests/test_a.py', status: 'deleted', oid: null }]);
    expect([...fromBase]).toEqual(['tests/test_a.py']);
  });

  it('say so when an object is not there', async () => {
    const bed = makeBed();
    bed.write('a', 'a');
    await (await bed.open()).snapshot({ ref: 'run/0' });
    const reader = openTreeReader(bed.gitDir);
    onTestFinished(() => reader.close());
    await expect(reader.read('0'.repeat(40))).rejects.toThrow('the store has no file');
  });
});
