import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GateRequest, noRun, parseSpec } from '../packages/core/src/index.ts';
import { judge } from '../packages/runtime/src/gates/index.ts';
import { openSeal } from '../packages/runtime/src/seal/index.ts';
import { openWorkspace } from '../packages/runtime/src/workspace/index.ts';
import { inPlace, makeFiles, makeRow, type Measured, millisecondsOf } from './figures.ts';

const fileCount = 5_000;
const rounds = 5;
const name = 'a gate of 5 s, compared and sealed, beside the same gate in place';

/** 5,000 files, 20 changed and a test added: comparison, room and judgement beside the judgement alone. */
export async function measureIntegrity(): Promise<Measured[]> {
  return inPlace(async (home) => {
    const root = join(home, 'root');
    const files = makeFiles(root, fileCount);
    execFileSync('git', ['init', '-q'], { cwd: root });
    const gitDir = join(home, 'ours');
    const workspace = await openWorkspace({ root, gitDir });
    const parsed = parseSpec({ task: 'x', agent: ['true'], gates: { slow: 'sleep 5' } });
    if (parsed.kind === 'invalid') throw new Error('the spec of the bench is wrong');
    const spec = { ...parsed.spec, task: 'x' };
    const room = join(home, 'room');
    const seal = await openSeal({ room, gitDir, root, spec, workspace, judge, hide: [] });
    const request: GateRequest = {
      gate: spec.gates[0]!,
      root,
      run: noRun,
      timeoutMs: 60_000,
      marker: `bench-${process.pid}`,
      signal: new AbortController().signal,
    };
    try {
      const { tree: baseTree } = await workspace.snapshot({ ref: 'bench/base' });
      const { rung = 'in-place' } = await seal.rehearse(request, baseTree);
      await seal.rest();
      const figures = { ours: [] as number[], beside: [] as number[] };
      for (let round = 0; round < rounds; round++) {
        for (let at = 0; at < 20; at++)
          appendFileSync(files[(round * 977 + at * 1931) % files.length] ?? '', `// ${round}\n`);
        writeFileSync(join(root, `new-${round}.test.ts`), `// ${round}\n`);
        const { tree } = await workspace.snapshot({ ref: 'bench/round', baseTree });
        figures.beside.push(await millisecondsOf(() => judge(request)));
        figures.ours.push(
          await millisecondsOf(async () => {
            await seal.compare({ tree, baseTree }, { grants: [], rungs: [rung] });
            await seal.judge(request, { tree, baseTree, form: 'sealed', rung });
            await seal.rest();
          }),
        );
      }
      return [makeRow(name, 1.25, figures, rung === 'sealed' ? undefined : `judged on the rung ${rung}`)];
    } finally {
      await seal.close();
      await workspace.close();
    }
  });
}
