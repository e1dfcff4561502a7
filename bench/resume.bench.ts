import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../packages/core/src/event.ts';
import type { RunSpec } from '../packages/core/src/spec.ts';
import { play, specOf, type World } from '../packages/core/src/testing/play.ts';
import { findHome, openHome, sealLine } from '../packages/runtime/src/store/index.ts';
import { inPlace, makeRow, type Measured, millisecondsOf } from './figures.ts';
import { failedAt, gates } from './verdicts.ts';

const iterations = 1_000;
const rounds = 5;
const mostMs = 2_000;

/** The command, from its start until it has decided what to do next in a run of 10,000 events. */
export async function measureResume(): Promise<Measured[]> {
  const ended = play(...makeRun(iterations)).events;
  const child = makeChild(ended);
  return [
    await measure('resume until the first decision', [makeHistory()]),
    await measure('the same of an ended run with a grant', [ended], ['--add-iterations', '5']),
    await measure('the same of a run that went on from it', [ended, child]),
  ];
}

async function measure(name: string, logs: readonly Event[][], args: string[] = []): Promise<Measured> {
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++)
    ours.push(await inPlace((dir) => layOut(dir, logs, () => millisecondsOf(() => resume(dir, args)))));
  const beside = ours.map(() => mostMs);
  const count = logs.reduce((sum, { length }) => sum + length, 0);
  return makeRow(name, 1, { ours, beside }, `${count} events; beside is the promise`);
}

/** Cut off in the middle of an iteration: what comes next is decided at once. */
function makeHistory(): Event[] {
  const [spec, world] = makeRun(iterations + 10);
  const { events } = play(spec, { ...world, stops: (iteration) => iteration >= iterations });
  const stop = events.findIndex((event) => event.kind === 'stop.requested');
  return events.slice(0, stop);
}

/** One that began on an ended run with a grant, and was cut off at once. */
function makeChild(before: readonly Event[]): Event[] {
  const first = before[0];
  if (first?.kind !== 'run.started') throw new Error('a run begins with its start');
  const { runId } = first;
  const spec = { ...first.spec, limits: { ...first.spec.limits, iterations: iterations + 5 } };
  const parent = { runId, seq: before.length };
  return [{ ...first, at: '2030-01-01T00:00:00.000Z', runId: 'r2', spec, parent, added: { iterations: 5 } }];
}

function makeRun(most: number): [RunSpec, World] {
  const limits = { iterations: most, wallClock: '1000h' };
  const spec = specOf({ agent: ['true'], gates, strategy: 'hybrid', limits, integrity: 'off' });
  const world: World = {
    turn: (iteration) => ({ tree: `${iteration}`.padStart(40, '0'), similar: [0.4], tokens: 1200 }),
    judge: (gate, _, iteration) => failedAt(iteration, gate),
  };
  return [spec, world];
}

async function layOut<T>(dir: string, logs: readonly Event[][], use: () => Promise<T>): Promise<T> {
  mkdirSync(join(dir, 'root'));
  const env = { AGENTGATE_STATE_DIR: join(dir, 'state') };
  const { runs } = openHome(join(dir, 'root'), env);
  const { root } = findHome(join(dir, 'root'), env);
  for (const [at, events] of logs.entries()) write(join(runs, `r${at + 1}`), events, root);
  return use();
}

function write(run: string, events: readonly Event[], root: string): void {
  for (const name of ['blobs', 'inbox']) mkdirSync(join(run, name), { recursive: true });
  let before = '';
  const lines = events.map((event) => {
    const sealed = sealLine(event.kind === 'run.started' ? { ...event, root } : event, before);
    before = sealed.hash;
    return sealed.line;
  });
  writeFileSync(join(run, 'log.jsonl'), lines.join(''));
}

/** Until the first decision is printed; then it is ended, since the rest is somebody else's figure. */
function resume(dir: string, args: readonly string[]): Promise<void> {
  const command = join(import.meta.dirname, '..', '..', 'packages', 'cli', 'bin', 'agentgate.cjs');
  const child = spawn(process.execPath, [command, 'resume', '--json', ...args], {
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
