import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { specOf } from '../packages/core/src/testing/play.ts';
import { substanceOf } from '../packages/core/src/text/index.ts';
import { systemClock } from '../packages/runtime/src/driver/clock.ts';
import { makeControl } from '../packages/runtime/src/driver/control.ts';
import { drive } from '../packages/runtime/src/driver/drive.ts';
import type { Ports } from '../packages/runtime/src/driver/ports.ts';
import { openRunStore } from '../packages/runtime/src/store/index.ts';
import { openWorkspace } from '../packages/runtime/src/workspace/index.ts';
import { inPlace, type Measured, makeFiles } from './figures.ts';
import { failedAt, gates } from './verdicts.ts';

const warmUp = 100;
const iterations = 1_000;
const allowedMb = 20;

/** What a run keeps in memory for 1,000 iterations with five failing gates each, after the warm-up; in megabytes. */
export function measureMemory(): Promise<Measured[]> {
  return inPlace(async (home) => {
    const { before, after } = await driveLong(home);
    const grown = Math.max(0, after - before);
    const note = `megabytes, not milliseconds: ${before.toFixed(1)} after ${warmUp} iterations, ${after.toFixed(1)} after ${warmUp + iterations}`;
    const ratio = grown / allowedMb;
    return [
      { name: 'memory grown in 1,000 iterations', ours: grown, beside: allowedMb, ratio, limit: 1, note },
    ];
  });
}

async function driveLong(home: string): Promise<{ before: number; after: number }> {
  const root = join(home, 'root');
  const files = makeFiles(root, 200);
  const store = openRunStore(join(home, 'runs'));
  const workspace = await openWorkspace({ root, gitDir: join(home, 'git'), outside: [home], substanceOf });
  let before = 0;
  let now = 0;
  const ports: Ports = {
    store,
    workspace,
    build: async ({ iteration }) => {
      now = iteration;
      if (iteration === warmUp) before = usedMb();
      writeFileSync(files[iteration % files.length]!, `export const turn = ${iteration};\n`);
      const output = `turn ${iteration} did something about part ${iteration % 97}`;
      return { end: { kind: 'finished' }, output, outputBytes: output.length, tookMs: 1 };
    },
    judge: async ({ gate }) => ({ verdict: failedAt(now, gate.name), tookMs: 1, output: `output ${now}` }),
    clock: systemClock,
    advisor: null,
    notify: async () => [],
    deliver: async () => null,
    scratch: () => {
      const path = mkdtempSync(join(home, 'scratch-'));
      return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
    },
    keepFds: [],
  };
  const limits = { iterations: warmUp + iterations, wallClock: '10h' };
  const runId = store.newId();
  store.create(runId);
  const spec = specOf({ gates, limits });
  const first = { runId, version: 'bench', root, nonce: '0123456789ab', spec, specHash: '', source: 'bench' };
  await store.append(runId, 0, [{ kind: 'run.started', ...first }]);
  const state = await drive(runId, ports, makeControl());
  const after = usedMb();
  if (state.iteration !== warmUp + iterations)
    throw new Error(`the run ended after ${state.iteration} iterations`);
  await workspace.close();
  store.close();
  return { before, after };
}

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

function usedMb(): number {
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}
