import * as z from 'zod';
import { ProposedPart } from '../event.ts';
import { Condition } from '../decision.ts';
import { Status } from '../outcome.ts';
import { PlanDecision } from './plan-decision.ts';
import { planEndings } from './plan-ending.ts';
import { Redirect } from './redirect.ts';
import type { Plan } from './work-item.ts';

const plan = z.custom<Plan>((value) => typeof value === 'object' && value !== null);
const count = z.number().int().nonnegative();

/** What a gate that fails found, a line each, cut short. */
export const GateWords = z.object({ gate: z.string(), says: z.array(z.string()) });
export type GateWords = z.infer<typeof GateWords>;

/** How one attempt at an item came out: what the outer loop needs of its run. */
export const ItemOutcome = z.object({
  status: Status,
  code: z.string(),
  reason: z.string(),
  iterations: count,
  activeMs: z.number(),
  tokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  /** How many tests ran at the end, where the gates tell. */
  tests: z.number().nullable(),
  /** What it left, and what was there before the first attempt. */
  tree: z.string().nullable(),
  before: z.string().nullable(),
  /** What lay in the directory at its end; the tree that it ended with may be an earlier one. */
  left: z.string().nullable(),
  /** No run came of it, so that nothing can go on from it. */
  started: z.literal(false).optional(),
  /** The commit that holds it, where one was made. */
  commit: z.string().nullable(),
  /** How many findings failed after each of its iterations. */
  failures: z.array(z.number()),
  /** Names the failures and the work of the end: the same twice is the same attempt twice. */
  failureKey: z.string(),
  work: z.string(),
  /** Gates that fail, hard and soft. */
  failing: z.array(z.string()),
  soft: z.array(z.string()),
  /** What changed, at most 50 paths. */
  paths: z.array(z.string()),
  /** What the agent said at the end, cut short. */
  summary: z.string(),
  gaveUp: z.string().nullable(),
  /** What a reader of its result must know beside it, such as gates that prove nothing about this work. */
  caveats: z.array(z.string()).optional(),
  split: z.array(ProposedPart).optional(),
});
export type ItemOutcome = z.infer<typeof ItemOutcome>;

/** Everything that can happen in a plan. */
export const PlanEventBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('plan.started'),
    planId: z.string(),
    version: z.string(),
    root: z.string(),
    /** The file that it came from, as a person in the project would call it. */
    file: z.string(),
    plan,
    hash: z.string(),
  }),
  /** The file, or somebody, changed it; `changes` says what in words. */
  z.object({
    kind: z.literal('plan.changed'),
    plan,
    hash: z.string(),
    by: z.enum(['file', 'command', 'agent']),
    /** What the file says now, where it was the file that changed. */
    written: plan.optional(),
    changes: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('session.started'),
    session: count,
    pid: z.number(),
    version: z.string(),
    /** What is done is judged once more before the plan may be complete; sessions of before did without. */
    proves: z.literal(true).optional(),
  }),
  /** The same session goes on after a crash. */
  z.object({ kind: z.literal('session.resumed'), pid: z.number(), version: z.string() }),
  z.object({ kind: z.literal('plan.decided'), decision: PlanDecision }),
  z.object({
    kind: z.literal('item.ended'),
    item: z.string(),
    attempt: count,
    runId: z.string(),
    outcome: ItemOutcome,
  }),
  /** Gates were judged without an agent. */
  z.object({
    kind: z.literal('item.judged'),
    item: z.string(),
    passed: z.boolean(),
    failing: z.array(z.string()),
    soft: z.array(z.string()).optional(),
    said: z.array(GateWords).optional(),
    tree: z.string().nullable(),
    /** Why it could not be judged. */
    unable: z.string().optional(),
  }),
  /** The work of an item that was done elsewhere is in the workspace. */
  z.object({
    kind: z.literal('item.merged'),
    item: z.string(),
    attempt: count,
    before: z.string(),
    tree: z.string(),
  }),
  /** It does not fit to what was done meanwhile. Both trees are kept. */
  z.object({
    kind: z.literal('item.conflicted'),
    item: z.string(),
    attempt: count,
    /** What both sides grew from, what was there, and what came to it. */
    base: z.string(),
    before: z.string(),
    theirs: z.string(),
    paths: z.array(z.string()),
    /** The gates that fail on the merged tree, where the texts themselves fit. */
    failing: z.array(z.string()),
    said: z.array(GateWords).optional(),
    /** Names what does not fit: both sides of the texts, or what the gates found. */
    fingerprint: z.string().optional(),
  }),
  /** What an item left is taken out of the workspace; what others did since stays. */
  z.object({
    kind: z.literal('item.reverted'),
    item: z.string(),
    from: z.string(),
    to: z.string(),
    /** Where that could not be told apart, it was left as it is. */
    kept: z.array(z.string()).optional(),
  }),
  /** Something that was decided was cut short and had no effect: it is decided anew when it is needed. */
  z.object({ kind: z.literal('item.left'), item: z.string(), why: z.string() }),
  z.object({
    kind: z.literal('probe.ended'),
    item: z.string(),
    findings: z.string(),
    iterations: count,
    tokens: z.number().nullable(),
    costUsd: z.number().nullable(),
    activeMs: z.number(),
    /** It was stopped, and whatever it said by then is not taken for an answer. */
    cut: z.literal(true).optional(),
    split: z.array(ProposedPart).optional(),
    /** Dependencies that are not needed, as the agent found. */
    drop: z.array(z.string()).optional(),
  }),
  z.object({
    kind: z.literal('item.ticked'),
    item: z.string(),
    criterion: count,
    met: z.boolean(),
    by: z.string(),
    note: z.string().optional(),
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('stop.requested'),
    by: z.string(),
    note: z.string().optional(),
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('redirect.requested'),
    redirect: Redirect,
    by: z.string(),
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('session.ended'),
    status: z.enum(planEndings),
    code: z.string(),
    reason: z.string(),
    /** What else would have ended it. */
    also: z.array(Condition).optional(),
    activeMs: z.number(),
  }),
]);
export type PlanEventBody = z.infer<typeof PlanEventBody>;
export type PlanEvent = PlanEventBody & { v: number; seq: number; at: string };
export type PlanEventOf<K extends PlanEventBody['kind']> = Extract<PlanEvent, { kind: K }>;
