import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { showDuration } from '@agentgate/core';
import { type Plain, plainOf } from './plain.ts';

export interface Thrown {
  name: string;
  message: string;
  stack: string;
}

type Loaded =
  | ({ kind: 'spec' } & Plain)
  | { kind: 'none'; found: string[] }
  | ({ kind: 'failed' } & Thrown)
  | { kind: 'ended'; why: string };

const loadMs = 10_000;
const memoryMb = 512;

/**
 * Loads a module in a thread of its own: one that never ends, ends the process, throws later or prints must not do
 * so to the command. What it prints goes to the error stream; the thread is ended as soon as it has answered.
 */
export function loadCode(path: string): Promise<Loaded> {
  const jiti = pathToFileURL(createRequire(import.meta.url).resolve('jiti')).href;
  const worker = new Worker(program, {
    eval: true,
    workerData: { jiti, path, id: pathToFileURL(path).href },
    stdout: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  worker.stdout.pipe(process.stderr, { end: false });
  return new Promise<Loaded>((done) => {
    const late = setTimeout(() => {
      done({ kind: 'ended', why: `it did not end within ${showDuration(loadMs)}` });
    }, loadMs);
    worker.on('message', (answer: Loaded) => done(answer));
    worker.on('error', (error) => {
      const { name, message, stack = '' } = error as Error;
      done({ kind: 'failed', name, message, stack });
    });
    worker.on('exit', (code) => {
      done({ kind: 'ended', why: `it ended by itself (${code}) before it gave a spec` });
      clearTimeout(late);
    });
  }).finally(() => void worker.terminate());
}

/** Runs in the thread. The transformer is large and few projects need it, so it is loaded only here. */
const program = `
const { parentPort, workerData } = require('node:worker_threads');
const plainOf = ${plainOf.toString()};
async function load() {
  const found = await import(workerData.jiti);
  const createJiti = found.createJiti ?? found.default?.createJiti ?? found.default;
  // Nothing is left behind in the workspace, and a changed file is read anew.
  const options = { fsCache: false, moduleCache: false, interopDefault: false };
  const plain = createJiti(workerData.id, options);
  // The command may be installed where the project cannot see its library.
  const known = plain.esmResolve('@agentgate/runtime', { try: true }) !== undefined;
  const virtualModules = { '@agentgate/runtime': { defineSpec: (spec) => spec } };
  const jiti = known ? plain : createJiti(workerData.id, { ...options, virtualModules });
  const module = await jiti.import(workerData.path);
  if (module.default === undefined) return { kind: 'none', found: Object.keys(module) };
  return { kind: 'spec', ...plainOf(module.default) };
}
load().then(
  (answer) => parentPort.postMessage(answer),
  (error) =>
    parentPort.postMessage(
      error instanceof Error
        ? { kind: 'failed', name: error.name, message: error.message, stack: error.stack ?? '' }
        : { kind: 'failed', name: '', message: String(error), stack: '' },
    ),
);
`;
