import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fault, type GateRequest, showDuration } from '@agentgate/core';
import { type ProcessResult, supervise } from '../../process/index.ts';
import { environmentOf } from '../environment.ts';
import { inRoom } from '../in-room.ts';
import { whatIsMissing } from '../missing.ts';
import { ownProgram } from '../own-program.ts';
import { readable } from '../said.ts';
import { type Halt, halt, startFault, stopped, words } from '../step.ts';
import { ask } from '../../net/ask.ts';
import type { HttpGate } from './gate.ts';

type Start = NonNullable<HttpGate['start']>;

/** A server that runs, or why it does not. `end` ends it to its last process and gives what it printed. */
export type Served =
  | { kind: 'ready'; end(): Promise<string> }
  | { kind: 'failed'; id: string; title: string; output: string }
  | Halt;

const keptBytes = 256 * 1024;
const pauseMs = 50;
const graceMs = 2_000;
const handOverMs = 1_000;

/** Starts the gate's server and waits until it is ready. */
export async function serve(
  request: GateRequest,
  gate: HttpGate,
  start: Start,
  untilMs: number,
): Promise<Served> {
  const url = new URL(gate.url);
  // An answer of somebody else, perhaps of an older server, would prove nothing.
  if (await staysTaken(url, request.signal))
    return halt({ kind: 'unable', fault: busyFault(gate.name, url.host) });
  const stop = new AbortController();
  const life = supervise({
    argv: inRoom(request, words(start.run)),
    cwd: request.root,
    env: environmentOf(gate, { AGENTGATE_ROOT: request.root }),
    marker: request.marker,
    ...(request.keepFds ? { keepFds: request.keepFds } : {}),
    signal: AbortSignal.any([stop.signal, request.signal]),
    graceMs,
    headBytes: keptBytes,
    tailBytes: keptBytes,
    ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
  });
  const end = async () => {
    stop.abort();
    return readable((await life).output, request.root);
  };
  const limitMs = Math.min(untilMs, performance.now() + start.timeout);
  const settled = await Promise.race([life, waitUntilReady(url, start, limitMs, stop.signal)]);
  if (settled === 'ready') return { kind: 'ready', end };
  const output = await end();
  if (request.signal.aborted) return stopped;
  const trouble = request.room?.trouble() ?? null;
  if (settled !== 'late' && trouble !== null) return halt({ kind: 'unable', fault: trouble });
  if (settled !== 'late') return diedEarly(start, settled, output);
  if (performance.now() >= untilMs)
    return halt({ kind: 'timed-out', afterMs: request.timeoutMs, excerpt: '' });
  const title = `the server was not ready within ${showDuration(start.timeout)}`;
  return { kind: 'failed', id: 'http:start:not-ready', title, output };
}

function diedEarly({ run }: Start, { end }: ProcessResult, output: string): Served {
  const isOwn = ownProgram(run) !== undefined;
  if (end.kind === 'unable' && !isOwn) return halt({ kind: 'unable', fault: startFault(end.fault) });
  const missing = end.kind === 'exited' && !isOwn ? whatIsMissing(output, end.code, run) : undefined;
  if (missing !== undefined) {
    const message = `${missing}; install it, or correct the command that starts the server`;
    return halt({ kind: 'unable', fault: fault('gate.missing', message) });
  }
  const how = end.kind === 'exited' ? `exited with ${end.code}` : 'was ended';
  return { kind: 'failed', id: 'http:start:ended', title: `the server ${how} before it was ready`, output };
}

async function waitUntilReady(
  url: URL,
  start: Start,
  limitMs: number,
  signal: AbortSignal,
): Promise<'ready' | 'late'> {
  while (performance.now() < limitMs && !signal.aborted) {
    const isReady =
      start.ready === undefined ? await listens(url, signal) : await answers(start.ready, limitMs, signal);
    if (isReady) return 'ready';
    await sleep(pauseMs, undefined, { signal }).catch(() => {}); // An aborted pause is noticed above.
  }
  return 'late';
}

/** Whether the address is somebody's; one that is just being given up is waited for a moment. */
async function staysTaken(url: URL, signal: AbortSignal): Promise<boolean> {
  const untilMs = performance.now() + handOverMs;
  while (await listens(url, signal)) {
    if (performance.now() >= untilMs) return true;
    await sleep(pauseMs, undefined, { signal }).catch(() => {}); // An aborted pause is noticed by the next look.
  }
  return false;
}

/** Whether somebody takes a connection at the address. Nothing is sent. */
function listens(url: URL, signal: AbortSignal): Promise<boolean> {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  return new Promise((resolve) => {
    const socket = connect({ host: url.hostname.replace(/^\[|\]$/g, ''), port, timeout: 1_000 });
    const settle = (answer: boolean) => {
      signal.removeEventListener('abort', onAbort);
      resolve(answer);
      socket.destroy();
    };
    // Not the option of that name: its listener would stay with the signal after every look.
    const onAbort = () => settle(false);
    signal.addEventListener('abort', onAbort);
    socket.on('connect', () => settle(true));
    socket.on('timeout', () => settle(false));
    socket.on('error', () => settle(false));
    if (signal.aborted) onAbort();
  });
}

async function answers(ready: string, limitMs: number, signal: AbortSignal): Promise<boolean> {
  const timeoutMs = Math.max(1, limitMs - performance.now());
  const asked = await ask({ url: new URL(ready), method: 'GET', headers: {}, timeoutMs, signal });
  return asked.kind === 'answered' && asked.status >= 200 && asked.status < 300;
}

function busyFault(gate: string, host: string) {
  return fault(
    'gate.port',
    `gate ${gate} cannot start its server: somebody listens at ${host} already; end that program, or give the gate another port`,
  );
}
