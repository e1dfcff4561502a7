import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultError } from '../../packages/core/src/index.ts';
import { type Fixture, makeFixture } from './kind.ts';
import { inRooms, type Row } from './try-kind.ts';

/** Ways by which a gate would see what the agent can still change. */
const planted: Record<string, (at: Fixture) => void> = {
  'leak: an absolute link into the live workspace': (at) => {
    symlinkSync(at.root, at.beside('alias'));
    at.write({ 'node_modules/.keep': '', 'packages/a/index.js': '' });
    symlinkSync(join(at.beside('alias'), 'packages/a'), join(at.root, 'node_modules/a'));
  },
  'leak: an editable install by path': (at) => {
    at.write({ 'src/lib.py': '', '.venv/pyvenv.cfg': 'home = /usr/bin\n' });
    cpSync(join(at.root, 'src'), at.beside('checkout'), { recursive: true });
    at.write({ '.venv/lib/python3/site-packages/__editable__.lib.pth': `${at.beside('checkout')}\n` });
  },
};

export const leakNames = Object.keys(planted);

/** Plants one leak and looks whether the room refuses to open and names it. */
export async function tryLeak(name: string): Promise<Row> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-rooms-')));
  const fromMs = performance.now();
  try {
    const fixture = makeFixture(home);
    fixture.write({ '.gitignore': 'node_modules\n.venv\n' });
    mkdirSync(join(fixture.root, 'src'), { recursive: true });
    planted[name]?.(fixture);
    const code = await inRooms(home, fixture, async (rooms, workspace) => {
      const { tree } = await workspace.snapshot({ ref: 'base' });
      await rooms.capture(['']);
      return rooms.open(tree).then(
        async (room) => {
          await room.close();
          return 'nothing was noticed';
        },
        (error: unknown) => (error instanceof FaultError ? error.fault.code : String(error)),
      );
    });
    const problems = code === 'room.leak' ? [] : [code];
    const result = problems.length === 0 ? 'right' : 'wrong';
    return { name, result, rungs: [], verdicts: [code], problems, tookMs: performance.now() - fromMs };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
