import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '@agentgate/core';
import { unavailableEnd } from './availability.ts';
import { readOutcomeFile } from './outcome-file.ts';
import { buildEnd, missingProgram, outcomeFileOf, startAgent } from './start.ts';

/** Any program as an agent: the prompt on standard input, the facts about the run in its environment. */
export const commandAgent: Agent = async (request) => {
  const { spec, scratch } = request;
  if (spec.kind !== 'command') throw new Error('the command agent was given another kind');
  const files = {
    AGENTGATE_PROMPT_FILE: join(scratch, 'prompt.md'),
    AGENTGATE_FEEDBACK_FILE: join(scratch, 'feedback.md'),
  };
  writeFileSync(files.AGENTGATE_PROMPT_FILE, request.prompt);
  writeFileSync(files.AGENTGATE_FEEDBACK_FILE, request.feedback);
  const result = await startAgent(request, argvOf(spec.run), {
    env: {
      ...(request.sessionId === undefined ? {} : { AGENTGATE_SESSION_ID: request.sessionId }),
      ...files,
    },
    stdin: request.prompt,
    ...(spec.timeout === undefined ? {} : { timeoutMs: spec.timeout }),
    ...(request.onOutput ? { onOutput: request.onOutput } : {}),
  });
  const { unavailable, ...told } = readOutcomeFile(outcomeFileOf(request));
  const end = buildEnd(result.end, request.signal, missingProgram(spec.run, result.output));
  return {
    end: unavailableEnd(end, result.output, unavailable) ?? end,
    output: result.output,
    outputBytes: result.bytes,
    tookMs: result.tookMs,
    ...told,
  };
};

/** A text is for the shell; a list of words is run as it stands. */
function argvOf(run: string | string[]): [string, ...string[]] {
  return typeof run === 'string' ? ['/bin/sh', '-c', run] : (run as [string, ...string[]]);
}
