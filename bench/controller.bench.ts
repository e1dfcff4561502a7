import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../packages/core/src/ports.ts';
import { specOf } from '../packages/core/src/testing/play.ts';
import { substanceOf } from '../packages/core/src/text/index.ts';
import { systemClock } from '../packages/runtime/src/driver/clock.ts';
import { makeControl } from '../packages/runtime/src/driver/control.ts';
import { drive } from '../packages/runtime/src/driver/drive.ts';
import type { Ports, Watcher } from '../packages/runtime/src/driver/ports.ts';
import { openRunStore } from '../packages/runtime/src/store/index.ts';
import { openWorkspace } from '../packages/runtime/src/workspace/index.ts';
import { inPlace, type Measured, makeFiles, makeRow, medianOf, millisecondsOf, walk } from './figures.ts';
import { failedAt, gates } from './verdicts.ts';

const fileCount = 10_000;
const iterations = 81;
const warmUp = 5;
const eventsEach = 10;
const line = Buffer.from(`${'x'.repeat(349)}\n`);

/** What the lap itself costs in one iteration, with an agent and gates that take no time. */
export function measureController(): Promise<Measured[]> {
  return inPlace(async (home) => {
    const root = join(home, 'root');
    const files = makeFiles(root, fileCount);
    const plain = openSync(join(home, 'plain.jsonl'), 'a');
    const laps = await driveLaps(home, root, files, plain);
    closeSync(plain);
    return [rowOf(laps)];
  });
}

/** One iteration: from its decision to the next one's, and of that the time that was not the controller's. */
interface Lap {
  from: number;
  to: number;
  events: number;
  agentMs: number;
  besideMs: number;
  snapshotMs: number;
}

async function driveLaps(home: string, root: string, files: string[], plain: number): Promise<Lap[]> {
  const store = openRunStore(join(home, 'runs'));
  const workspace = await openWorkspace({ root, gitDir: join(home, 'git'), outside: [home], substanceOf });
  const laps: Lap[] = [];
  // The beside is measured while the agent would work, before it writes: our own append has just flushed the disk.
  const build: Agent = async ({ iteration }) => {
    const besideMs = await millisecondsOf(() => {
      walk(root);
      for (let at = 0; at < eventsEach; at++) appendDurably(plain);
    });
    const editMs = await millisecondsOf(() => edit(root, files, iteration));
    Object.assign(laps.at(-1) ?? {}, { besideMs, agentMs: besideMs + editMs });
    const output = outputOf(iteration);
    return { end: { kind: 'finished' }, output, outputBytes: output.length, tookMs: 1 };
  };
  const ports: Ports = {
    store,
    workspace,
    build,
    judge: async ({ gate }) => ({
      verdict: failedAt(laps.length, gate.name),
      tookMs: 1,
      output: outputOf(laps.length),
    }),
    clock: systemClock,
    advisor: null,
    notify: async () => [],
    deliver: async () => null,
    scratch: () => makeScratch(home),
    keepFds: [],
  };
  const spec = specOf({ gates, strategy: 'hybrid', limits: { iterations } });
  const runId = store.newId();
  store.create(runId);
  const first = { runId, version: 'bench', root, nonce: '0123456789ab', spec, specHash: '', source: 'bench' };
  await store.append(runId, 0, [{ kind: 'run.started', ...first }]);
  try {
    await drive(runId, ports, makeControl(), watcherOf(laps));
  } finally {
    await workspace.close();
    store.close();
  }
  return laps;
}

/** The watching stays small, because what it takes is counted as the controller's. */
function watcherOf(laps: Lap[]): Watcher {
  return {
    onEvent(event) {
      if (event.kind === 'decided' && event.decision.kind === 'start-iteration') {
        const now = performance.now();
        const open = laps.at(-1);
        if (open) open.to = now;
        laps.push({ from: now, to: now, events: 0, agentMs: 0, besideMs: 0, snapshotMs: 0 });
      }
      const lap = laps.at(-1);
      if (!lap) return;
      lap.events += 1;
      if (event.kind === 'snapshot.taken') lap.snapshotMs = event.tookMs;
    },
  };
}

function rowOf(laps: readonly Lap[]): Measured {
  // The last one ends the run and has no decision after it.
  const measured = laps.slice(warmUp, -1);
  const unlike = measured.find((lap) => lap.events !== eventsEach);
  if (unlike) throw new Error(`an iteration recorded ${unlike.events} events, not ${eventsEach}`);
  const ours = measured.map((lap) => lap.to - lap.from - lap.agentMs);
  const snapshot = medianOf(measured.map((lap) => lap.snapshotMs));
  return makeRow(
    'controller: an iteration of ten events, 10,000 files',
    1.5,
    { ours, beside: measured.map((lap) => lap.besideMs) },
    `beside is one lstat walk and ten durable appends; ${snapshot.toFixed(1)} ms of ours is the snapshot`,
  );
}

function appendDurably(fd: number): void {
  writeSync(fd, line);
  fdatasyncSync(fd);
}

/** What an agent does in a short turn: three files changed, one new. */
function edit(root: string, files: readonly string[], iteration: number): void {
  for (let at = 0; at < 3; at++) {
    appendFileSync(files[(iteration * 977 + at * 1931) % files.length] ?? '', `// turn ${iteration}\n`);
  }
  writeFileSync(join(root, `new-${iteration}.ts`), `export const turn = ${iteration};\n`);
}

/** Two kilobytes as agents and gates print them. */
function outputOf(turn: number): string {
  return Array.from(
    { length: 40 },
    (_, at) => `step ${at} of turn ${turn}: looked at part ${turn * at}\n`,
  ).join('');
}

function makeScratch(home: string): { path: string; remove(): void } {
  const path = mkdtempSync(join(home, 'scratch-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
