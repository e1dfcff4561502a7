import { execFileSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRooms } from '../packages/runtime/src/room/index.ts';
import { openWorkspace } from '../packages/runtime/src/workspace/index.ts';
import { inPlace, makeFiles, makeRow, type Measured, millisecondsOf } from './figures.ts';

const fileCount = 50_000;
const warmUp = 2;
const rounds = 9;

/** 50,000 files, 20 changed since the room before: until gates can begin in it, beside one `git status` there. */
export async function measureRoom(): Promise<Measured[]> {
  return inPlace(async (home) => {
    const root = join(home, 'root');
    const files = makeFiles(root, fileCount);
    const git = gitIn(root);
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'all');
    const gitDir = join(home, 'ours');
    const workspace = await openWorkspace({ root, gitDir });
    const rooms = await openRooms({ home: { room: join(home, 'room') }, gitDir, root, workspace });
    try {
      if (rooms.kind === 'none') return [none(rooms.why)];
      const { tree: baseTree } = await workspace.snapshot({ ref: 'bench/base' });
      await rooms.capture(await workspace.repositories());
      await (await rooms.open(baseTree)).close();
      const sealed = { baseTree, fromBase: (path: string) => path.includes('part-7/') };
      const figures = { ours: [] as number[], beside: [] as number[] };
      for (let round = 0; round < warmUp + rounds; round++) {
        change(files, round);
        const { tree } = await workspace.snapshot({ ref: 'bench/round', baseTree });
        const beside = await millisecondsOf(() => git('status', '--short'));
        let close = async () => {};
        const ours = await millisecondsOf(async () => {
          ({ close } = await rooms.open(tree, { sealed }));
        });
        await close();
        if (round < warmUp) continue;
        figures.ours.push(ours);
        figures.beside.push(beside);
      }
      return [makeRow(name, 2, figures)];
    } finally {
      await workspace.close();
    }
  });
}

const name = 'the room of 50,000 files beside one git status';

const none = (why: string): Measured => ({
  name,
  ours: 0,
  beside: 0,
  ratio: 0,
  limit: 2,
  note: `not measured: ${why}`,
});

function gitIn(root: string): (...args: string[]) => void {
  const settings = ['-c', 'user.name=bench', '-c', 'user.email=bench@bench', '-c', 'gc.auto=0'];
  return (...args) =>
    void execFileSync('git', [...settings, ...args], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

function change(files: readonly string[], round: number): void {
  for (let at = 0; at < 20; at++) {
    appendFileSync(files[(round * 977 + at * 1931) % files.length] ?? '', `// ${round}\n`);
  }
}
