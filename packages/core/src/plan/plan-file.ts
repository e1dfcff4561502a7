import * as z from 'zod';
import { Count, Duration, Money } from '../quantity.ts';
import { AgentInput } from '../spec/agents.ts';
import { GateInput } from '../spec/gates/index.ts';
import { amount, command, flag, list, oneOf, strict, text, whole } from '../spec/words.ts';

/** An id is a word: it stands in reports, in commands and in the names of branches. */
export const idPattern = /^(?!.*\.\.)(?!.*\.(?:lock|new)$)[A-Za-z0-9][\w.-]{0,62}[\w-]$|^[A-Za-z0-9]$/;

const id = z.string({ error: () => 'an id, such as parser or 1.2a' }).regex(idPattern, {
  error: () =>
    'an id that begins with a letter or a digit and goes on with these, dashes, underscores and single dots, at most 64, not ending in a dot, .lock or .new',
});

const ids = z
  .union([id, z.array(id)], { error: () => 'an id or a list of ids' })
  .transform((value) => (typeof value === 'string' ? [value] : value));

const severity = oneOf('soft', 'hard').default('soft');

/** What else must hold for an item to be done: a command, a judge with a rubric, or the tick of a person. */
export const Criterion = z.preprocess(
  (value) => (typeof value === 'string' ? { person: value } : value),
  z.union(
    [
      strict({ run: command, text: text('what it shows').optional(), severity }),
      strict({
        judge: command,
        rubric: text('what the judge looks for'),
        text: text('what it shows').optional(),
      }),
      strict({ person: text('what a person looks at') }),
    ],
    { error: () => 'a sentence for a person to tick, {run: command}, or {judge: command, rubric: …}' },
  ),
);
export type Criterion = z.output<typeof Criterion>;

const itemLimits = strict({
  iterations: whole(1, 1_000).optional(),
  wallClock: Duration.optional(),
  tokens: Count.optional(),
  cost: Money.optional(),
});

/** One piece of work as it is written. Parts and alternatives stand inside of it or name it. */
export const ItemFile = strict({
  id,
  title: text('a title').optional(),
  task: text('what to do, in words').optional(),
  dependsOn: ids.default([]),
  /** This one is done when all of these are. */
  parts: z.array(z.unknown(), { error: () => 'a list of items' }).optional(),
  /** This one is done when one of these is; they are tried in their order. */
  alternatives: z.array(z.unknown(), { error: () => 'a list of items' }).optional(),
  /** The item that this one is a part of. */
  parent: id.optional(),
  /** The item, or a new name, that this one is an alternative for. */
  orGroup: id.optional(),
  gates: z
    .record(z.string(), GateInput, { error: () => 'gates by name, such as {tests: npm test}' })
    .optional(),
  acceptance: z.array(Criterion, { error: () => 'a list of criteria' }).default([]),
  /** 1 comes first; without it the order of the plan counts. */
  priority: whole(1, 1_000_000).optional(),
  /** How much of the whole it is, beside its neighbours. */
  weight: amount(0.001, 1_000).default(1),
  limits: itemLimits.prefault({}),
  agent: AgentInput.optional(),
  /** What it may change. Items that say so and do not overlap may be worked on side by side. */
  paths: list.optional(),
  /** Not now: it is left alone, and nobody waits for it unless the plan says so. */
  deferred: flag.default(false),
  /** Somebody has done it already. */
  done: flag.default(false),
});

/** The shape of `plan.yaml`. What a run is to be like stands under `run`, or in `agentgate.yaml`. */
export const PlanFile = strict({
  title: text('a title').optional(),
  /** What all of it is for; every agent is told. */
  goal: text('the goal, in words').optional(),
  /** What every agent is told before its own task. */
  context: z
    .union([text('words for every agent'), strict({ file: text('the path of a file') })], {
      error: () => 'words for every agent, or {file: PROMPT.md}',
    })
    .optional(),
  items: z.array(z.unknown(), { error: () => 'a list of items' }),
  /** Gates that say when the whole is done, judged before the first item and after the last. */
  done: z
    .record(z.string(), GateInput, { error: () => 'gates by name, such as {all: npm run verify}' })
    .optional(),
  limits: strict({
    /** Iterations of all items together in one session. */
    session: whole(1, 10_000).default(20),
    /** Iterations of one item. */
    item: whole(1, 1_000).default(5),
    /** Items in a row that bring nothing, before the plan stops. */
    stalls: whole(1, 1_000).default(3),
    wallClock: Duration.default(12 * 3_600_000),
    tokens: Count.optional(),
    cost: Money.optional(),
  }).prefault({}),
  maxParallel: whole(1, 16).default(3),
  /** Whether an item that was deferred counts as there for those that depend on it. */
  allowDeferredDeps: flag.default(false),
  /** Anything that `agentgate.yaml` may say, for every item. */
  run: z
    .record(z.string(), z.unknown(), { error: () => 'options of a run, such as {agent: claude}' })
    .optional(),
  agent: z.unknown().optional(),
  gates: z.unknown().optional(),
});

export type PlanLimits = z.output<typeof PlanFile>['limits'];
export type ItemLimits = z.output<typeof itemLimits>;
