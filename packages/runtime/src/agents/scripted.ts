import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import {
  type Agent,
  type AgentRequest,
  type BuildEnd,
  FaultError,
  fault,
  type Proposal,
} from '@agentgate/core';
import { agentEnvironment, endMarked, supervise } from '../process/index.ts';
import { abortedBy } from './aborted-by.ts';
import { readScript, type Turn, turnOf } from './script.ts';

/**
 * Plays a script of edits, outputs, costs, waits and crashes: the agent of the demo and of the tests.
 * It works in this process, so a run with it needs no model and no network.
 */
export const scriptedAgent: Agent = async (request) => {
  const { spec } = request;
  if (spec.kind !== 'scripted') throw new Error('the scripted agent was given another kind');
  const plain = turnOf(readScript(resolve(request.root, spec.script)), request.iteration) ?? {};
  const turn = variantOf(plain, request);
  const started = performance.now();
  const stage = makeStage(request);
  writeFileSync(request.startMark, '');
  const end = await play(turn, request, stage);
  await endMarked(ownMarker(request), { graceMs: 100 });
  return {
    end,
    output: stage.text(),
    outputBytes: stage.bytes(),
    tookMs: performance.now() - started,
    ...(turn.claim ? { claimed: true } : {}),
    ...(turn.giveUp === undefined ? {} : { giveUp: turn.giveUp }),
    ...(turn.split || turn.drop ? { proposal: proposalOf(turn) } : {}),
    ...(turn.tokens === undefined ? {} : { tokens: turn.tokens }),
    ...(turn.costUsd === undefined ? {} : { costUsd: turn.costUsd }),
    ...(turn.sessionId === undefined ? {} : { sessionId: turn.sessionId }),
  };
};

const proposalOf = ({ split, drop }: Turn): Proposal => ({
  ...(split ? { split } : {}),
  ...(drop ? { drop } : {}),
});

/** Some agents do otherwise in a fresh context, or when the workspace holds a certain text. */
function variantOf(turn: Turn, { sessionId, root }: AgentRequest): Turn {
  if (turn.whenFresh && sessionId === undefined) return turn.whenFresh;
  const { whenFile } = turn;
  if (!whenFile) return turn;
  const path = inside(root, whenFile.in);
  const holds = existsSync(path) && readFileSync(path, 'utf8').includes(whenFile.contains);
  return holds ? whenFile.turn : turn;
}

async function play(turn: Turn, request: AgentRequest, stage: Stage): Promise<BuildEnd> {
  if (turn.echo) stage.say(request.prompt);
  if (turn.say !== undefined) stage.say(turn.say.replaceAll('$NONCE', request.nonce));
  tryEdit(turn, request.root);
  if (turn.run !== undefined) await runCommand(turn.run, request, stage);
  for (let left = turn.flood ?? 0; left > 0; left--) stage.say('lorem ipsum '.repeat(87_382));
  if (turn.orphan) leaveOrphan(request);
  if (turn.waitFor !== undefined) await appearance(join(request.root, turn.waitFor), request.signal);
  if (turn.wait !== undefined) await pause(turn.wait, request.signal);
  if (turn.hang) await aborted(request.signal);
  if (request.signal.aborted) {
    return { kind: 'aborted', by: abortedBy(request.signal) };
  }
  if (turn.unavailable !== undefined) {
    const retry = turn.retryAfter === undefined ? {} : { retryAfterMs: turn.retryAfter };
    return { kind: 'unavailable', why: 'usage-limit', detail: turn.unavailable, ...retry };
  }
  if (turn.crash !== undefined) return { kind: 'failed', detail: `it was ended by ${turn.crash}` };
  if (turn.exit) return { kind: 'failed', detail: `it exited with ${turn.exit}`, exitCode: turn.exit };
  return { kind: 'finished' };
}

/** A script that does not fit its workspace is a mistake of whoever wrote it, told as one. */
function tryEdit(turn: Turn, root: string): void {
  try {
    edit(turn, root);
  } catch (error) {
    throw error instanceof FaultError
      ? error
      : new FaultError(fault('agent.script', 'the script cannot be played in this workspace', error));
  }
}

function edit(turn: Turn, root: string): void {
  for (const [path, text] of Object.entries(turn.write ?? {})) {
    const target = inside(root, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  for (const [path, text] of Object.entries(turn.append ?? {})) appendFileSync(inside(root, path), text);
  for (const { in: path, from, to } of turn.replace ?? []) {
    const before = readFileSync(inside(root, path), 'utf8');
    writeFileSync(
      inside(root, path),
      before.replace(from, () => to),
    );
  }
  for (const path of turn.delete ?? []) rmSync(inside(root, path), { recursive: true, force: true });
}

function inside(root: string, path: string): string {
  const target = resolve(root, path);
  const way = relative(root, target);
  if (way.startsWith('..') || isAbsolute(way)) {
    throw new FaultError(fault('agent.script', `the script names ${path}, which lies outside the workspace`));
  }
  return target;
}

async function runCommand(command: string, request: AgentRequest, stage: Stage): Promise<void> {
  const result = await supervise({
    argv: ['/bin/sh', '-c', command],
    cwd: request.root,
    env: agentEnvironment(process.env, { AGENTGATE_ITERATION: String(request.iteration) }),
    marker: request.marker,
    signal: request.signal,
  });
  stage.say(result.output);
}

/** Others of the run carry its marker, too; those are not the agent's to end. */
const ownMarker = ({ marker }: AgentRequest): string => `${marker}/agent`;

function leaveOrphan(request: AgentRequest): void {
  const child = spawn('/bin/sh', ['-c', 'sleep 600'], {
    cwd: request.root,
    detached: true,
    stdio: 'ignore',
    env: agentEnvironment(process.env, { AGENTGATE_PROCESS: ownMarker(request) }),
  });
  child.unref();
}

interface Stage {
  say(text: string): void;
  text(): string;
  bytes(): number;
}

const keptCharacters = 512 * 1024;

function makeStage({ onOutput }: AgentRequest): Stage {
  let kept = '';
  let bytes = 0;
  return {
    say(text) {
      const line = text.endsWith('\n') || text === '' ? text : `${text}\n`;
      bytes += Buffer.byteLength(line);
      kept = (kept + line).slice(-keptCharacters);
      onOutput?.(line);
    },
    text: () => kept,
    bytes: () => bytes,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener('abort', finish, { once: true });
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      done();
    }
  });
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((done) => signal.addEventListener('abort', () => done(), { once: true }));
}

function appearance(path: string, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(dirname(path), () => existsSync(path) && finish());
    signal.addEventListener('abort', finish, { once: true });
    if (existsSync(path) || signal.aborted) finish();
    function finish() {
      watcher.close();
      done();
    }
  });
}
