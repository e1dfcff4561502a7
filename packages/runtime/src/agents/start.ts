import { join } from 'node:path';
import type { AgentRequest, BuildEnd } from '@agentgate/core';
import { FaultError } from '@agentgate/core';
import {
  agentEnvironment,
  type ProcessEnd,
  type ProcessRequest,
  type ProcessResult,
  supervise,
} from '../process/index.ts';
import { confinedArgv, inPlaceConfinement } from '../sandbox/index.ts';
import { abortedBy } from './aborted-by.ts';
import { programMissing } from './program.ts';

/** Where an agent, or a tool of its own, may leave its word on the work. */
export const outcomeFileOf = ({ scratch }: AgentRequest): string => join(scratch, 'outcome.json');

/** Starts the program of an agent where and as the request says, and stays with it to its last process. */
export function startAgent(
  request: AgentRequest,
  argv: readonly [string, ...string[]],
  own: Pick<ProcessRequest, 'stdin' | 'timeoutMs' | 'separate' | 'onOutput'> & {
    env?: Record<string, string>;
  },
): Promise<ProcessResult> {
  const { env = {}, ...rest } = own;
  return supervise({
    argv: markedStart(request.startMark, shutIn(argv, request)),
    cwd: request.root,
    env: agentEnvironment(process.env, {
      AGENTGATE_RUN_ID: request.runId,
      AGENTGATE_ITERATION: String(request.iteration),
      AGENTGATE_OUTCOME_FILE: outcomeFileOf(request),
      ...env,
    }),
    marker: request.marker,
    signal: request.signal,
    ...(request.keepFds ? { keepFds: request.keepFds } : {}),
    ...rest,
  });
}

/** The mark of the start lies with our records, which the agent does not see; it is made outside of the sandbox. */
function shutIn(
  argv: readonly [string, ...string[]],
  { sandbox, root, scratch }: AgentRequest,
): readonly [string, ...string[]] {
  if (sandbox === undefined) return argv;
  const confinement = inPlaceConfinement(root, sandbox);
  // By the words of this shell a missing program is known for one.
  const named = ['/bin/sh', '-c', 'exec "$@"', 'sh', ...argv];
  return confinedArgv(named, { ...confinement, readWrite: [...(confinement.readWrite ?? []), scratch] });
}

/** The mark is made by the new process itself, the moment before it becomes the agent. */
function markedStart(mark: string, argv: readonly string[]): [string, ...string[]] {
  return ['/bin/sh', '-c', ': > "$0" && exec "$@"', mark, ...argv];
}

/** How the build came to its end, as far as the end of its program tells. */
export function buildEnd(end: ProcessEnd, signal: AbortSignal, missing: string | null): BuildEnd {
  switch (end.kind) {
    case 'exited':
      if (end.code === 127 && missing !== null) throw new FaultError(programMissing(missing));
      return end.code === 0
        ? { kind: 'finished' }
        : { kind: 'failed', detail: `it exited with ${end.code}`, exitCode: end.code };
    case 'signalled':
      return { kind: 'failed', detail: `it was ended by ${end.signal}` };
    case 'timed-out':
      return { kind: 'failed', detail: `it did not end within its own time-out` };
    case 'aborted':
      return { kind: 'aborted', by: abortedBy(signal) };
    case 'unable':
      throw new FaultError(end.fault);
  }
}

/** What the shell said about a command it could not find; running that again would not help. */
export function missingProgram(run: string | readonly string[], output: string): string | null {
  const viaShell = typeof run === 'string' || (/(^|\/)(ba|da|z)?sh$/.test(run[0]!) && run[1] === '-c');
  const pattern = viaShell
    ? /: (?:\d+: |line \d+: )?(?:exec: )?([^:\n]+): (?:command )?not found$/m
    : /: (?:\d+: |line \d+: )?exec: ([^:\n]+): not found$/m;
  return pattern.exec(output)?.[1] ?? null;
}
