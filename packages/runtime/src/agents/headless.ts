import {
  type Agent,
  type AgentRequest,
  type Built,
  type BuildEnd,
  type PlainAgent,
  type ProgramKind,
} from '@agentgate/core';
import type { ProcessEnd } from '../process/index.ts';
import { unavailableEnd } from './availability.ts';
import { JsonLines } from './json-lines.ts';
import { claude } from './programs/claude.ts';
import { codex } from './programs/codex.ts';
import { gemini } from './programs/gemini.ts';
import { opencode } from './programs/opencode.ts';
import type { Leave, Program, ProgramSpec, Told } from './programs/program.ts';
import { qwen } from './programs/qwen.ts';
import { readWords } from './outcome-file.ts';
import { buildEnd, missingProgram, outcomeFileOf, startAgent } from './start.ts';
import { Transcript } from './transcript.ts';

const programs: Record<ProgramKind, Program> = { claude, codex, gemini, opencode, qwen };

const isProgram = (spec: PlainAgent): spec is ProgramSpec => spec.kind in programs;

/** A program of a vendor, without a person: the prompt on standard input, a stream of its events back. */
export const headlessAgent: Agent = async (request) => {
  const { spec } = request;
  if (!isProgram(spec)) throw new Error(`there is no program for an agent of kind ${spec.kind}`);
  const first = await runOnce(request, spec);
  // A session that the program no longer knows is no reason to lose the iteration: nothing was spent on it.
  if (!first.isLost || request.sessionId === undefined || request.signal.aborted) return first.built;
  const { sessionId: _, ...fresh } = request;
  const second = await runOnce(fresh, spec);
  return { ...second.built, tookMs: first.built.tookMs + second.built.tookMs };
};

async function runOnce(request: AgentRequest, spec: ProgramSpec): Promise<{ built: Built; isLost: boolean }> {
  const program = programs[spec.kind];
  const leave = leaveOf(request, spec);
  const argv: [string, ...string[]] = [
    spec.program ?? spec.kind,
    ...program.args(spec, leave, request.sessionId),
    ...spec.args,
  ];
  const reader = program.read();
  const transcript = new Transcript(request);
  const lines = new JsonLines((event) => {
    for (const activity of reader.take(event)) transcript.take(activity);
  });
  const fromMs = Date.now();
  const result = await startAgent(request, argv, {
    env: program.env(spec, leave),
    stdin: request.prompt,
    separate: true,
    onOutput: (chunk, from) => from === 'stdout' && lines.take(chunk),
    ...(spec.timeout === undefined ? {} : { timeoutMs: spec.timeout }),
  });
  lines.end();
  const told = reader.end(result.end.kind === 'exited' ? result.end.code : null);
  const words = `${lines.otherText()}\n${result.stderr}`;
  const end = endOf(result.end, told, words, request.signal, missingProgram(argv, result.output));
  if (told.sessionId !== undefined)
    for (const one of program.denied?.(told.sessionId, process.env, fromMs) ?? [])
      transcript.take({ kind: 'denied', ...one });
  const { output, bytes } = transcript.result();
  const windows =
    told.windows ??
    (told.sessionId === undefined ? [] : (program.windows?.(told.sessionId, process.env) ?? []));
  return {
    isLost: told.isLost === true || program.isLost(words),
    built: {
      end,
      output,
      outputBytes: bytes,
      tookMs: result.tookMs,
      ...told.used,
      ...readWords(outcomeFileOf(request)),
      ...(told.sessionId === undefined ? {} : { sessionId: told.sessionId }),
      ...(windows.length > 0 ? { windows } : {}),
      ...(transcript.denied.length > 0 ? { denied: transcript.denied } : {}),
    },
  };
}

/** Inside of a sandbox everything is allowed, since nothing gets out; elsewhere edits and the gates' commands. */
function leaveOf({ sandbox, commands = [] }: AgentRequest, { permissions, allow }: ProgramSpec): Leave {
  const isShutIn = sandbox !== undefined;
  return {
    isAll: (permissions ?? (isShutIn ? 'all' : 'edits')) === 'all',
    isShutIn,
    commands: [...new Set([...commands, ...allow])],
  };
}

/**
 * An exit code of 0 is not enough: the program must say itself that it came to its end. What it says of its failure
 * tells whether it failed, only could not work just now, or never can until a person does something.
 */
function endOf(
  exit: ProcessEnd,
  told: Told,
  words: string,
  signal: AbortSignal,
  missing: string | null,
): BuildEnd {
  const plain = buildEnd(exit, signal, missing);
  if (plain.kind === 'aborted') return plain;
  if (plain.kind === 'finished' && told.problem === null) return plain;
  const last = lastLine(words);
  const detail =
    told.problem ?? (plain.kind === 'failed' ? plain.detail : 'it did not say that it came to its end');
  const exitCode =
    plain.kind === 'failed' && plain.exitCode !== undefined ? { exitCode: plain.exitCode } : {};
  const failed = {
    kind: 'failed' as const,
    detail: last && !told.problem ? `${detail}: ${last}` : detail,
    ...exitCode,
  };
  return told.away ?? unavailableEnd(failed, `${words}\n${told.problem ?? ''}`, undefined) ?? failed;
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1)?.trim().slice(0, 300) ?? '';
