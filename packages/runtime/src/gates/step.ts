import { type Fault, fault, type GateRequest, invariant, type Verdict } from '@agentgate/core';
import { type ProcessEnd, supervise } from '../process/index.ts';
import { environmentOf } from './environment.ts';
import { excerpt } from './excerpt.ts';
import { inRoom } from './in-room.ts';
import { readable } from './said.ts';

/** One command of a gate that runs several. */
export interface Step {
  run: string | readonly string[];
  /** Its own time; the gate's time bounds it too. */
  timeoutMs: number;
  /** The root unless told. */
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
}

/** What ends a gate at once: it could not go on, whatever its other checks say. */
export interface Halt {
  kind: 'halt';
  verdict: Extract<Verdict, { kind: 'unable' | 'timed-out' | 'pending' | 'skipped' }>;
}

export interface Ran {
  kind: 'ran';
  end: Extract<ProcessEnd, { kind: 'exited' | 'signalled' }>;
  /** Cleaned, with paths relative to the root. */
  output: string;
  /** As they were printed, each alone. */
  stdout: string;
  stderr: string;
  /** More was printed than could be kept. */
  cut: boolean;
}

export type Stepped = Ran | { kind: 'late'; afterMs: number; output: string } | Halt;

const keptBytes = 2 * 1024 * 1024;

/** Runs one command within the time that it and the gate have. Running out of its own time is an answer. */
export async function runStep(request: GateRequest, step: Step, untilMs: number): Promise<Stepped> {
  const leftMs = Math.max(1, untilMs - performance.now());
  const ran = await supervise({
    argv: inRoom(request, words(step.run), step.cwd),
    cwd: request.room === undefined ? (step.cwd ?? request.root) : request.root,
    env: environmentOf(request.gate, { ...step.env, AGENTGATE_ROOT: request.root }),
    marker: request.marker,
    ...(request.keepFds ? { keepFds: request.keepFds } : {}),
    ...(step.stdin === undefined ? {} : { stdin: step.stdin }),
    timeoutMs: Math.min(step.timeoutMs, leftMs),
    signal: request.signal,
    headBytes: keptBytes,
    tailBytes: keptBytes,
    separate: true,
    ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
  });
  const trouble = request.room?.trouble() ?? null;
  if (trouble !== null && ran.end.kind === 'exited') return halt({ kind: 'unable', fault: trouble });
  const output = readable(ran.output, request.root);
  switch (ran.end.kind) {
    case 'unable':
      return halt({ kind: 'unable', fault: startFault(ran.end.fault) });
    case 'aborted':
      return stopped;
    case 'timed-out':
      return step.timeoutMs < leftMs
        ? { kind: 'late', afterMs: step.timeoutMs, output }
        : halt({ kind: 'timed-out', afterMs: request.timeoutMs, excerpt: excerpt(output) });
    default:
      return { ...ran, kind: 'ran', end: ran.end, output, cut: ran.truncated };
  }
}

export const halt = (verdict: Halt['verdict']): Halt => ({ kind: 'halt', verdict });

/** The run was stopped meanwhile. */
export const stopped: Halt = halt({ kind: 'skipped', why: 'the run was stopped' });

export function words(run: string | readonly string[]): readonly [string, ...string[]] {
  if (typeof run === 'string') return ['/bin/sh', '-c', run];
  const [program, ...rest] = run;
  invariant(program !== undefined, 'a command has a program');
  return [program, ...rest];
}

/** Says of a command that could not be started what to do about it. */
export function startFault(cause: Fault): Fault {
  const isProgram = cause.code.startsWith('program.');
  const next = isProgram ? "; install it, or correct the gate's command" : '';
  return fault(isProgram ? 'gate.missing' : cause.code, `${cause.message}${next}`, cause.cause, cause.retry);
}
