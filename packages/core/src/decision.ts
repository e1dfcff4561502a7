import * as z from 'zod';
import { Status } from './outcome.ts';
import { moveKinds } from './spec.ts';

export const Evidence = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.union([z.string(), z.number()]))]),
);
export type Evidence = z.infer<typeof Evidence>;

/** One thing that holds after an iteration and would end or carry on the run. */
export const Condition = z.object({
  code: z.string(),
  reason: z.string(),
  confidence: z.number().min(0).max(1),
  evidence: Evidence,
});
export type Condition = z.infer<typeof Condition>;

/** The suggested outcome in the words of the older contract (C-08); never the same type as a gate's policy. */
export const Action = z.enum(['continue', 'complete', 'timeout', 'fail']);
export type Action = z.infer<typeof Action>;

/** Why a decision was made: the first condition in the order of deciding, and all others that also held. */
export const Because = Condition.extend({ action: Action, also: z.array(Condition) });
export type Because = z.infer<typeof Because>;

/** What the lap does next. A decision is recorded before it is performed. */
export const Decision = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('measure-baseline'), because: Because }),
  z.object({ kind: z.literal('start-iteration'), iteration: z.number().int(), because: Because }),
  z.object({
    kind: z.literal('judge'),
    iteration: z.number().int(),
    tree: z.string(),
    attempt: z.number().int(),
    gates: z.array(z.string()),
    /** Whatever was spared before, by a cache or a condition, is judged now. */
    unspared: z.literal(true).optional(),
    because: Because,
  }),
  z.object({
    kind: z.literal('confirm'),
    iteration: z.number().int(),
    attempt: z.number().int(),
    tree: z.string(),
    because: Because,
  }),
  /** Gates that were red before the agent began are judged once more on the tree of then: they must still be red. */
  z.object({
    kind: z.literal('control'),
    iteration: z.number().int(),
    tree: z.string(),
    gates: z.array(z.string()),
    because: Because,
  }),
  /** A strategy that lives outside of the core is asked; its answer is a fact. */
  z.object({ kind: z.literal('consult'), iteration: z.number().int(), because: Because }),
  /** A person is asked; without an answer in time the default counts. */
  z.object({
    kind: z.literal('ask'),
    iteration: z.number().int(),
    forMs: z.number(),
    default: z.enum(['continue', 'stop', 'accept']),
    because: Because,
  }),
  /** A move of the ladder, before the next iteration. */
  z.object({
    kind: z.literal('make-move'),
    iteration: z.number().int(),
    move: z.enum(moveKinds),
    /** For a revert: the tree to bring back, and the iteration that left it. */
    tree: z.string().optional(),
    to: z.number().int().optional(),
    because: Because,
  }),
  z.object({
    kind: z.literal('notify'),
    iteration: z.number().int(),
    about: z.enum(['escalation', 'waiting']),
    gates: z.array(z.string()),
    because: Because,
  }),
  z.object({ kind: z.literal('wait'), forMs: z.number(), because: Because }),
  z.object({
    kind: z.literal('end-run'),
    status: Status,
    caveats: z.array(z.string()),
    goalSatisfied: z.boolean(),
    because: Because,
  }),
]);
export type Decision = z.infer<typeof Decision>;
