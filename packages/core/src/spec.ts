import * as z from 'zod';
import { Count, Duration, Money } from './quantity.ts';
import { defaultSignals } from './text/index.ts';

/**
 * A strict object whose error names its options, so that an unknown one can be answered with the nearest.
 * The names travel in the message because an issue has no other room for them; `parseSpec` takes them out.
 */
const strict = <T extends z.core.$ZodLooseShape>(shape: T) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? Object.keys(shape).join('\n') : 'a group of options',
  });

const text = (expected: string) => z.string({ error: () => expected }).regex(/\S/, { error: () => expected });
const whole = (min: number, max: number) => {
  const expected = `a whole number from ${min} to ${max}`;
  const error = () => expected;
  return z.number({ error }).int({ error }).min(min, { error }).max(max, { error });
};
const share = z
  .number({ error: () => 'a number from 0 to 1' })
  .min(0, { error: () => 'a number from 0 to 1' })
  .max(1, { error: () => 'a number from 0 to 1' });
const flag = z.boolean({ error: () => 'true or false' });
const oneOf = <T extends string>(...values: [T, ...T[]]) =>
  z.enum(values, { error: () => `one of ${values.join(', ')}` });
const list = z
  .union([text('a path'), z.array(text('a path'))], { error: () => 'a path or a list of paths' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

const command = z.union(
  [text('a command'), z.array(text('a word of the command')).min(1, { error: () => 'at least the program' })],
  {
    error: () => 'a command: one text for the shell, or a list of words',
  },
);

const common = {
  severity: oneOf('hard', 'soft').default('hard'),
  baseline: oneOf('absolute', 'no-new').default('absolute'),
  timeout: Duration.optional(),
  onFailure: oneOf('iterate', 'stop').default('iterate'),
  maxAttempts: whole(1, 100).optional(),
};

const CommandGate = strict({
  kind: z.literal('command'),
  run: command,
  report: z
    .union(
      [
        oneOf('auto', 'tap', 'junit', 'plain'),
        strict({ format: oneOf('tap', 'junit'), path: text('the path of the report') }),
      ],
      {
        error: () => 'one of auto, tap, junit, plain, or {format, path} for a report file',
      },
    )
    .default('auto'),
  expectExit: whole(0, 255).default(0),
  ...common,
});

const ArtifactGate = strict({
  kind: z.literal('artifact'),
  exists: list.default([]),
  notExists: list.default([]),
  contains: z
    .array(
      strict({
        path: text('a path'),
        text: text('a text to look for').optional(),
        matches: text('a regular expression').optional(),
      }),
      { error: () => 'a list of {path, text} or {path, matches}' },
    )
    .default([]),
  ...common,
});

const GateKinds = z.discriminatedUnion('kind', [CommandGate, ArtifactGate], {
  error: () => 'a gate of kind command or artifact',
});
const GateInput = z.preprocess(asGate, GateKinds);

const AgentKinds = z.discriminatedUnion(
  'kind',
  [
    strict({ kind: z.literal('command'), run: command, timeout: Duration.optional() }),
    strict({ kind: z.literal('scripted'), script: text('the path of a script file') }),
  ],
  { error: () => 'an agent of kind command or scripted' },
);

/** The share of equal tokens from which two outputs count as the same (C-02). */
export const defaultSimilarity = 0.95;

const StrategyKinds = z.discriminatedUnion(
  'kind',
  [
    strict({ kind: z.literal('fixed'), iterations: whole(1, 1000).default(3) }),
    strict({
      kind: z.literal('hybrid'),
      base: whole(1, 100).default(3),
      bonus: z
        .union([z.literal('progress'), whole(0, 100)], {
          error: () => 'the word progress, or a whole number from 0 to 100',
        })
        .default('progress'),
      progressThreshold: share.default(0.1),
      progressMode: oneOf('delta', 'level').default('delta'),
    }),
    strict({
      kind: z.literal('ralph'),
      min: whole(1, 100).default(1),
      max: whole(1, 1000).default(10),
      window: whole(2, 20).default(3),
      similarityThreshold: share.default(defaultSimilarity),
      signals: z
        .array(text('a completion word'), { error: () => 'a list of completion words' })
        .default([...defaultSignals]),
      onFalseClaim: oneOf('iterate', 'stop').default('iterate'),
    }),
  ],
  { error: () => 'a strategy' },
);

const switchable = { enabled: flag.optional(), window: whole(2, 100).optional() };
const asSwitch = (value: unknown): unknown => (typeof value === 'boolean' ? { enabled: value } : value);
const detector = () => z.preprocess(asSwitch, strict(switchable).optional());

export const detectorNames = [
  'failure-set-repeat',
  'stall',
  'snapshot-repeat',
  'oscillation',
  'divergence',
  'output-similarity',
  'no-changes',
] as const;
export type DetectorName = (typeof detectorNames)[number];

const Detectors = strict({
  enabled: flag.optional(),
  'failure-set-repeat': detector(),
  stall: detector(),
  'snapshot-repeat': detector(),
  oscillation: detector(),
  divergence: detector(),
  'output-similarity': z.preprocess(
    asSwitch,
    strict({
      ...switchable,
      window: whole(2, 20).optional(),
      threshold: share.optional(),
      measure: oneOf('shingles', 'jaccard', 'levenshtein').optional(),
    }).optional(),
  ),
  'no-changes': detector(),
});

/** The shape of `agentgate.yaml`. */
export const SpecFile = strict({
  task: z.union([text('the task, in words'), strict({ file: text('the path of a file') })], {
    error: () => 'the task in words, or {file: PROMPT.md}',
  }),
  agent: z.preprocess(asAgent, AgentKinds),
  gates: z.record(z.string(), GateInput, { error: () => 'gates by name, such as {tests: npm test}' }),
  strategy: z.preprocess(asKind, StrategyKinds).prefault('hybrid'),
  limits: strict({
    iterations: whole(1, 10_000).default(100),
    wallClock: Duration.default(3_600_000),
    tokens: Count.optional(),
    cost: Money.optional(),
    maxWait: Duration.default(12 * 3_600_000),
  }).prefault({}),
  detectors: Detectors.prefault({}),
  workspace: strict({ include: list.default([]), exclude: list.default([]) }).prefault({}),
  feedback: strict({ maxChars: whole(500, 20_000).default(4_000) }).prefault({}),
  integrity: oneOf('off').default('off'),
});

export type RunSpec = Omit<z.output<typeof SpecFile>, 'task' | 'gates'> & {
  task: string;
  gates: (GateSpec & { name: string })[];
};
export type GateSpec = z.output<typeof GateKinds>;
export type AgentSpec = RunSpec['agent'];
export type StrategySpec = RunSpec['strategy'];
export type Limits = RunSpec['limits'];

function asGate(value: unknown): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return { kind: 'command', run: value };
  if (!isRecord(value) || 'kind' in value) return value;
  const artifact = ['exists', 'notExists', 'contains'].some((key) => key in value);
  return { kind: artifact ? 'artifact' : 'command', ...value };
}

function asAgent(value: unknown): unknown {
  if (isRecord(value) && !('kind' in value)) {
    if ('run' in value) return { kind: 'command', ...value };
    if ('script' in value) return { kind: 'scripted', ...value };
  }
  return Array.isArray(value) ? { kind: 'command', run: value } : asKind(value);
}

function asKind(value: unknown): unknown {
  return typeof value === 'string' ? { kind: value } : value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
