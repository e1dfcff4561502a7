import { type GateRequest, showDuration } from '@agentgate/core';
import { excerpt } from './excerpt.ts';
import { type Halt, runStep } from './step.ts';

/** What a program that judges said, or why it said nothing. Neither is a verdict yet. */
export type ProgramAnswer =
  /** `cut` when it printed more than can be kept. */
  { kind: 'said'; stdout: string; cut: boolean } | { kind: 'silent'; why: string; said: string } | Halt;

/** Puts a question to a program, as JSON on its standard input. */
export async function askProgram(
  request: GateRequest,
  { run, timeoutMs, question }: { run: string | readonly string[]; timeoutMs: number; question: unknown },
  untilMs: number,
): Promise<ProgramAnswer> {
  const stdin = `${JSON.stringify(question)}\n`;
  const stepped = await runStep(request, { run, timeoutMs, stdin }, untilMs);
  if (stepped.kind === 'halt') return stepped;
  if (stepped.kind === 'late')
    return { kind: 'silent', why: `did not end within ${showDuration(stepped.afterMs)}`, said: '' };
  if (stepped.end.kind === 'signalled' || stepped.end.code !== 0)
    return { kind: 'silent', why: 'failed', said: excerpt(stepped.output).slice(-300) };
  return { kind: 'said', stdout: stepped.stdout, cut: stepped.cut };
}

/** The value that a text is as JSON; undefined when it is none, or more than one. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever checks the shape of the answer refuses this.
    return undefined;
  }
}
