import { FaultError, fault, parseDuration, ProposedPart } from '@agentgate/core';
import { parse } from 'yaml';
import * as z from 'zod';
import { readRegularFile } from '../regular-file.ts';

const Wait = z.string().transform((value, context) => {
  const ms = parseDuration(value);
  if (ms !== null) return ms;
  context.addIssue({ code: 'custom', message: 'expected a duration such as 200ms or 2s' });
  return z.NEVER;
});

const plainTurn = {
  say: z.string().optional(),
  /** Prints the whole prompt, as careless agents do. */
  echo: z.boolean().optional(),
  write: z.record(z.string(), z.string()).optional(),
  append: z.record(z.string(), z.string()).optional(),
  replace: z.array(z.strictObject({ in: z.string(), from: z.string(), to: z.string() })).optional(),
  delete: z.array(z.string()).optional(),
  /** A shell command, run in the workspace. */
  run: z.string().optional(),
  /** Prints so many megabytes. */
  flood: z.number().optional(),
  wait: Wait.optional(),
  /** Waits until this file exists: lets a test steer the agent. */
  waitFor: z.string().optional(),
  /** Leaves a process behind that would outlive the agent. */
  orphan: z.boolean().optional(),
  tokens: z.number().optional(),
  costUsd: z.number().optional(),
  claim: z.boolean().optional(),
  giveUp: z.string().optional(),
  /** How it would take its item of a plan apart, and which items need not wait for it. */
  split: z.array(ProposedPart).optional(),
  drop: z.array(z.string()).optional(),
  hang: z.boolean().optional(),
  /** Ends as if killed by this signal. */
  crash: z.string().optional(),
  exit: z.number().int().optional(),
  /** Ends as an agent does whose usage limit is reached, with these words. */
  unavailable: z.string().optional(),
  retryAfter: Wait.optional(),
  /** The session that it tells; asked to go on in it, it has its context. */
  sessionId: z.string().optional(),
};
const PlainTurn = z.strictObject(plainTurn);

/** One turn of the scripted agent: it speaks, edits, runs, then waits or ends as told. */
export const Turn = z.strictObject({
  ...plainTurn,
  /** What it does instead when it begins with a fresh context. */
  whenFresh: PlainTurn.optional(),
  /** What it does instead when a file of the workspace holds a text. */
  whenFile: z.strictObject({ in: z.string(), contains: z.string(), turn: PlainTurn }).optional(),
});
export type Turn = z.infer<typeof Turn>;

export const Script = z.strictObject({
  turns: z.array(Turn).min(1),
  /** What comes after the last turn: the last one again, all from the first, or nothing at all. */
  after: z.enum(['repeat-last', 'start-over', 'idle']).default('idle'),
});
export type Script = z.infer<typeof Script>;

/** Reads a script file (YAML or JSON). */
export function readScript(path: string): Script {
  const text = readRegularFile(path);
  if (text === null) throw new FaultError(fault('agent.script', `cannot read the agent's script ${path}`));
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new FaultError(fault('agent.script', `cannot read the agent's script ${path}`, error));
  }
  const parsed = Script.safeParse(value);
  if (parsed.success) return parsed.data;
  const first = parsed.error.issues[0];
  throw new FaultError(
    fault(
      'agent.script',
      `the agent's script ${path} is not valid: ${first?.path.join('.')}: ${first?.message}`,
    ),
  );
}

/** The turn an iteration plays; null when the script has ended and says to idle. */
export function turnOf(script: Script, iteration: number): Turn | null {
  const turn = script.turns[iteration - 1];
  if (turn) return turn;
  switch (script.after) {
    case 'repeat-last':
      return script.turns.at(-1) ?? null;
    case 'start-over':
      return script.turns[(iteration - 1) % script.turns.length] ?? null;
    case 'idle':
      return null;
  }
}
