import { PassThrough } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, type AgentRequest, type BuildEnd, type Built } from '@agentgate/core';
import { Conversation, type Said } from './acp-conversation.ts';
import { unavailableEnd } from './availability.ts';
import { readWords } from './outcome-file.ts';
import { buildEnd, missingProgram, outcomeFileOf, startAgent } from './start.ts';
import { Transcript } from './transcript.ts';

/** So long may an agent take to leave after its last answer; nothing is lost by ending it then. */
const leavingMs = 2_000;

/** Any program that speaks the Agent Client Protocol on its standard input and output. */
export const acpAgent: Agent = async (request) => {
  const { spec, sandbox, commands = [] } = request;
  if (spec.kind !== 'acp') throw new Error('the agent of the protocol was given another kind');
  const argv = typeof spec.run === 'string' ? (['/bin/sh', '-c', spec.run] as const) : spec.run;
  const over = new AbortController();
  const toAgent = new PassThrough();
  const transcript = new Transcript(request);
  const conversation = new Conversation(toAgent, {
    root: request.root,
    prompt: request.prompt,
    sessionId: request.sessionId,
    mode: spec.mode,
    model: spec.model,
    login: spec.login,
    isAll: (spec.permissions ?? (sandbox === undefined ? 'edits' : 'all')) === 'all',
    commands: [...commands, ...spec.allow],
    tell: (activity) => transcript.take(activity),
  });
  const said = conversation.said().then(async (one) => {
    toAgent.end();
    await pause(leavingMs, undefined, { signal: over.signal }).catch(() => undefined);
    over.abort();
    return one;
  });
  const result = await startAgent(
    { ...request, signal: AbortSignal.any([request.signal, over.signal]) },
    argv as [string, ...string[]],
    {
      stdin: toAgent,
      separate: true,
      onOutput: (chunk, from) => from === 'stdout' && conversation.hear(chunk),
      ...(spec.timeout === undefined ? {} : { timeoutMs: spec.timeout }),
    },
  );
  conversation.hangUp();
  over.abort();
  const last = await said;
  const { output, bytes } = transcript.result();
  return {
    end: endOf(
      request,
      last,
      () => buildEnd(result.end, request.signal, missingProgram(spec.run, result.output)),
      result.stderr,
    ),
    output,
    outputBytes: bytes,
    tookMs: result.tookMs,
    ...usedOf(last),
    ...readWords(outcomeFileOf(request)),
    ...(transcript.denied.length > 0 ? { denied: transcript.denied } : {}),
  };
};

/** We end the program ourselves after a good answer, so that its exit tells nothing then. */
function endOf({ signal }: AgentRequest, said: Said, plain: () => BuildEnd, stderr: string): BuildEnd {
  if (signal.aborted) return plain();
  if (said.kind === 'answered')
    return said.stopReason === 'end_turn'
      ? { kind: 'finished' }
      : { kind: 'failed', detail: `it stopped with ${said.stopReason}` };
  if (said.isLogin)
    return {
      kind: 'unavailable',
      why: 'configuration',
      detail: `the agent is not logged in: ${said.problem}`,
    };
  const exit = plain();
  const failed: BuildEnd =
    exit.kind === 'failed'
      ? { ...exit, detail: `${said.problem} (${exit.detail})` }
      : { kind: 'failed', detail: said.problem };
  return unavailableEnd(failed, `${stderr}\n${said.problem}`, undefined) ?? failed;
}

function usedOf(said: Said): Partial<Built> {
  return {
    ...(said.sessionId === undefined ? {} : { sessionId: said.sessionId }),
    ...(said.tokens === undefined ? {} : { tokens: said.tokens }),
    ...(said.atLeast ? { atLeast: said.atLeast } : {}),
    ...(said.costUsd === undefined ? {} : { total: { costUsd: said.costUsd } }),
  };
}
