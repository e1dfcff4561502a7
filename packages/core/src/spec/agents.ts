import * as z from 'zod';
import { Duration } from '../quantity.ts';
import { asKind, command, isRecord, oneOf, strict, text } from './words.ts';

const texts = (expected: string) => z.array(text(expected), { error: () => `a list, each ${expected}` });

/** What every program of a vendor can be told, whatever its own words for it are. */
const program = {
  /** Where the program is, if not on the PATH under its own name. */
  program: text('the name or path of the program').optional(),
  model: text('the name of a model').optional(),
  effort: text('a level of effort, as the program names it').optional(),
  /** Whether an iteration goes on in the session of the one before; fresh under ralph, else resumed. */
  context: oneOf('resume', 'fresh').optional(),
  /** `edits`: files and the commands of the gates. `all`: everything; the default inside of a sandbox. */
  permissions: oneOf('edits', 'all').optional(),
  /** Commands that it may run besides those of the gates. */
  allow: texts('a command').default([]),
  /** Words that are put behind our own on its command line. */
  args: texts('a word of the command line').default([]),
  timeout: Duration.optional(),
} as const;

const { args: _, effort: __, program: ___, ...spoken } = program;

const spokenOnly = {
  /** The mode of a session, as the agent names it. */
  mode: text('the name of a mode').optional(),
  /** The way to log in that is asked for, where the agent wants one named. */
  login: text('the name of a way to log in').optional(),
} as const;

/** What more than one kind can be told. */
export const agentOptions = { ...program, ...spokenOnly };

/** The agents themselves, without a ladder. */
const shapes = {
  command: { run: command, timeout: Duration.optional() },
  scripted: { script: text('the path of a script file') },
  claude: program,
  codex: program,
  gemini: program,
  opencode: program,
  qwen: program,
  /** Any program that speaks the Agent Client Protocol on its standard input and output. */
  acp: { run: command, ...spoken, ...spokenOnly },
} as const;

type Shapes = typeof shapes;
export type AgentKind = keyof Shapes;
export const agentKinds = Object.keys(shapes) as [AgentKind, ...AgentKind[]];

/** Agents of a vendor whose program is started by name. */
export const programKinds = ['claude', 'codex', 'gemini', 'opencode', 'qwen'] as const;
export type ProgramKind = (typeof programKinds)[number];

const isKind = (value: unknown): value is AgentKind => agentKinds.includes(value as AgentKind);

const plain = <K extends AgentKind>(kind: K) => strict({ kind: z.literal(kind), ...shapes[kind] });

/** An agent without a ladder. */
export const PlainAgent = z.discriminatedUnion(
  'kind',
  [
    plain('command'),
    plain('scripted'),
    plain('claude'),
    plain('codex'),
    plain('gemini'),
    plain('opencode'),
    plain('qwen'),
    plain('acp'),
  ],
  { error: () => `an agent of kind ${agentKinds.join(', ')}` },
);

/** The next agents of the ladder, weakest first: the same one with other options, or another one. */
const escalate = <T extends z.ZodType>(same: T, short: (value: unknown) => unknown) =>
  z
    .array(
      z.preprocess((value) => (isKind(value) ? { kind: value } : short(value)), rung(same)),
      {
        error: () => 'a list of agents to go to when the run is stuck',
      },
    )
    .default([]);

/** One with a kind is another agent; the rest are options of this one. */
function rung<T extends z.ZodType>(same: T) {
  return z.union([same, PlainAgent], {
    error: () => 'other options for this agent, or another agent with its kind',
  });
}

const commandRung = strict(shapes.command);
const asRun = (value: unknown): unknown =>
  typeof value === 'string' || Array.isArray(value) ? { run: value } : value;
const asModel = (value: unknown): unknown => (typeof value === 'string' ? { model: value } : value);

/** What may differ from rung to rung; what is left out stays as it is. */
const programRung = strict({
  model: program.model,
  effort: program.effort,
  context: program.context,
  timeout: program.timeout,
});
const acpRung = strict({ model: program.model, mode: spokenOnly.mode, context: program.context });

const ofProgram = <K extends ProgramKind>(kind: K) =>
  strict({ kind: z.literal(kind), ...program, escalate: escalate(programRung, asModel) });

const kinds = [
  strict({ kind: z.literal('command'), ...shapes.command, escalate: escalate(commandRung, asRun) }),
  strict({
    kind: z.literal('scripted'),
    ...shapes.scripted,
    escalate: escalate(strict(shapes.scripted), (value) => value),
  }),
  ofProgram('claude'),
  ofProgram('codex'),
  ofProgram('gemini'),
  ofProgram('opencode'),
  ofProgram('qwen'),
  strict({ kind: z.literal('acp'), ...shapes.acp, escalate: escalate(acpRung, asModel) }),
] as const;

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
