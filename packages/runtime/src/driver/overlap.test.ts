import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openHome } from '../store/index.ts';
import { warnOfOverlap } from './overlap.ts';
import { ownWorkspace } from './owner.ts';

it('who begins around or inside of a workspace at work is told, and nobody else', async () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-overlap-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const env = { AGENTGATE_STATE_DIR: join(base, 'state') };
  const homeOf = (path: string) => {
    mkdirSync(join(base, path), { recursive: true });
    return openHome(join(base, path), env);
  };
  const [around, inside, beside, same] = ['mono', 'mono/a/b', 'mono/apple', 'mono/a'].map(homeOf);
  const lock = await ownWorkspace(same!, 'abc234');
  if (lock.kind === 'busy') throw new Error('busy');
  const told = (path: string, where: string) =>
    expect.stringMatching(
      `^${join(base, path)}, which ${where} this workspace, is held by run abc234 \\(process ${process.pid}`,
    );
  expect(warnOfOverlap(around!, env)).toEqual([told('mono/a', 'lies in')]);
  expect(warnOfOverlap(inside!, env)).toEqual([told('mono/a', 'contains')]);
  for (const one of [beside!, same!]) expect(warnOfOverlap(one, env)).toEqual([]);
  lock.release();
  expect(warnOfOverlap(around!, env)).toEqual([]);
});
