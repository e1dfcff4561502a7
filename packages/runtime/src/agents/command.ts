import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, type AgentRequest, type BuildEnd, FaultError } from '@agentgate/core';
import { agentEnvironment, type ProcessEnd, supervise } from '../process/index.ts';
import { confinedArgv, inPlaceConfinement } from '../sandbox/index.ts';
import { programMissing } from './program.ts';
import { abortedBy } from './aborted-by.ts';
import { unavailableEnd } from './availability.ts';
import { readOutcomeFile } from './outcome-file.ts';

/** Any program as an agent: the prompt on standard input, the facts about the run in its environment. */
export const commandAgent: Agent = async (request) => {
  const { spec, scratch } = request;
  if (spec.kind !== 'command') throw new Error('the command agent was given another kind');
  const files = {
    AGENTGATE_PROMPT_FILE: join(scratch, 'prompt.md'),
    AGENTGATE_FEEDBACK_FILE: join(scratch, 'feedback.md'),
    AGENTGATE_OUTCOME_FILE: join(scratch, 'outcome.json'),
  };
  writeFileSync(files.AGENTGATE_PROMPT_FILE, request.prompt);
  writeFileSync(files.AGENTGATE_FEEDBACK_FILE, request.feedback);
  const result = await supervise({
    argv: markedStart(request.startMark, shutIn(argvOf(spec.run), request)),
    cwd: request.root,
    env: agentEnvironment(process.env, {
      AGENTGATE_RUN_ID: request.runId,
      AGENTGATE_ITERATION: String(request.iteration),
      ...(request.sessionId === undefined ? {} : { AGENTGATE_SESSION_ID: request.sessionId }),
      ...files,
    }),
    marker: request.marker,
    stdin: request.prompt,
    signal: request.signal,
    ...(spec.timeout === undefined ? {} : { timeoutMs: spec.timeout }),
    ...(request.onOutput ? { onOutput: request.onOutput } : {}),
    ...(request.keepFds ? { keepFds: request.keepFds } : {}),
  });
  const { unavailable, ...told } = readOutcomeFile(files.AGENTGATE_OUTCOME_FILE);
  const end = buildEnd(result.end, request.signal, missingProgram(spec.run, result.output));
  return {
    end: unavailableEnd(end, result.output, unavailable) ?? end,
    output: result.output,
    outputBytes: result.bytes,
    tookMs: result.tookMs,
    ...told,
  };
};

/** The mark of the start lies with our records, which the agent does not see; it is made outside of the sandbox. */
function shutIn(
  argv: [string, ...string[]],
  { sandbox, root, scratch }: AgentRequest,
): [string, ...string[]] {
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

/** A text is for the shell; a list of words is run as it stands. */
function argvOf(run: string | string[]): [string, ...string[]] {
  return typeof run === 'string' ? ['/bin/sh', '-c', run] : (run as [string, ...string[]]);
}

/** What the shell said about a command it could not find; running that again would not help. */
function missingProgram(run: string | string[], output: string): string | null {
  const viaShell = typeof run === 'string' || (/(^|\/)(ba|da|z)?sh$/.test(run[0]!) && run[1] === '-c');
  const pattern = viaShell
    ? /: (?:\d+: |line \d+: )?(?:exec: )?([^:\n]+): (?:command )?not found$/m
    : /: (?:\d+: |line \d+: )?exec: ([^:\n]+): not found$/m;
  return pattern.exec(output)?.[1] ?? null;
}

function buildEnd(end: ProcessEnd, signal: AbortSignal, missing: string | null): BuildEnd {
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
