import * as z from 'zod';
import { Duration } from '../quantity.ts';
import { asKind, command, isRecord, strict, text } from './words.ts';

/** The next agents of the ladder, weakest first; each stands for the whole agent. */
const escalate = <T extends z.ZodType>(rung: T) =>
  z.array(rung, { error: () => 'a list of agents to go to when the run is stuck' }).default([]);

const CommandRung = z.preprocess(
  (value) => (typeof value === 'string' || Array.isArray(value) ? { run: value } : value),
  strict({ run: command, timeout: Duration.optional() }),
);

const kinds = [
  strict({
    kind: z.literal('command'),
    run: command,
    timeout: Duration.optional(),
    escalate: escalate(CommandRung),
  }),
  strict({
    kind: z.literal('scripted'),
    script: text('the path of a script file'),
    escalate: escalate(strict({ script: text('the path of a script file') })),
  }),
] as const;

export const agentKinds = kinds.map((one) => one.shape.kind.value);

export const AgentKinds = z.discriminatedUnion('kind', kinds, {
  error: () => `an agent of kind ${agentKinds.join(', ')}`,
});

/** An agent, in its short form or with all its options. */
export const AgentInput = z.preprocess(asAgent, AgentKinds);

function asAgent(value: unknown): unknown {
  if (isRecord(value) && !('kind' in value)) {
    if ('run' in value) return { kind: 'command', ...value };
    if ('script' in value) return { kind: 'scripted', ...value };
  }
  return Array.isArray(value) ? { kind: 'command', run: value } : asKind(value);
}
