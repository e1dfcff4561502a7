import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../packages/core/src/event.ts';
import { play, specOf, type World } from '../packages/core/src/testing/play.ts';
import { findHome, openHome, sealLine } from '../packages/runtime/src/store/index.ts';
import { inPlace, makeRow, type Measured, millisecondsOf } from './figures.ts';
import { failedAt, gates } from './verdicts.ts';

const iterations = 1_000;
const rounds = 5;
const mostMs = 2_000;

/** The command, from its start until it has decided what to do next in a run of 10,000 events. */
export async function measureResume(): Promise<Measured[]> {
  const events = makeHistory();
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++)
    ours.push(await inPlace((dir) => layOut(dir, events, () => millisecondsOf(() => resume(dir)))));
  const beside = ours.map(() => mostMs);
  const note = `${events.length} events; beside is the promise`;
  return [makeRow('resume until the first decision', 1, { ours, beside }, note)];
}

/** Cut off in the middle of an iteration: what comes next is decided at once. */
function makeHistory(): Event[] {
  const limits = { iterations: iterations + 10, wallClock: '1000h' };
  const spec = specOf({ agent: ['true'], gates, strategy: 'hybrid', limits, integrity: 'off' });
  const world: World = {
    turn: (iteration) => ({ tree: `${iteration}`.padStart(40, '0'), similar: [0.4], tokens: 1200 }),
    judge: (gate, _, iteration) => failedAt(iteration, gate),
  };
  const { events } = play(spec, { ...world, stops: (iteration) => iteration >= iterations });
  const stop = events.findIndex((event) => event.kind === 'stop.requested');
  return events.slice(0, stop);
}

async function layOut<T>(dir: string, events: readonly Event[], use: () => Promise<T>): Promise<T> {
  mkdirSync(join(dir, 'root'));
  const env = { AGENTGATE_STATE_DIR: join(dir, 'state') };
  const { runs } = openHome(join(dir, 'root'), env);
  const { root } = findHome(join(dir, 'root'), env);
  const run = join(runs, 'r1');
  for (const name of ['blobs', 'inbox']) mkdirSync(join(run, name), { recursive: true });
  let before = '';
  const lines = events.map((event) => {
    const sealed = sealLine(event.kind === 'run.started' ? { ...event, root } : event, before);
    before = sealed.hash;
    return sealed.line;
  });
  writeFileSync(join(run, 'log.jsonl'), lines.join(''));
  return use();
}

/** Until the first decision is printed; then it is ended, since the rest is somebody else's figure. */
function resume(dir: string): Promise<void> {
  const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'agentgate.cjs');
  const child = spawn(process.execPath, [command, 'resume', '--json'], {
    cwd: join(dir, 'root'),
    env: { ...process.env, AGENTGATE_STATE_DIR: join(dir, 'state') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  return new Promise((done, fail) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (!said.includes('"kind":"decided"')) return;
      child.once('close', () => done());
      child.kill('SIGKILL');
    });
    child.once('exit', (code) => code !== null && fail(new Error(`resume ended with ${code}: ${said}`)));
  });
}
