import * as z from 'zod';
import { Decision } from './decision.ts';
import { Fault } from './fault.ts';
import { Status } from './outcome.ts';
import type { RunSpec } from './spec.ts';
import { Verdict } from './verdict.ts';

/** The version of the stored shape. A new meaning is a new version, and the old one keeps its reader. */
export const eventVersion = 1;

/** How a build came to its end. Only `finished` is a good build. */
export const BuildEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('finished') }),
  z.object({ kind: z.literal('failed'), detail: z.string(), exitCode: z.number().optional() }),
  z.object({ kind: z.literal('aborted'), by: z.enum(['stop', 'wall-clock']) }),
  /** The controller died while the agent worked; what it left is judged all the same. */
  z.object({ kind: z.literal('interrupted') }),
]);
export type BuildEnd = z.infer<typeof BuildEnd>;

/** What changed between two trees, in the words of a person. */
export const Changed = z.object({
  added: z.number(),
  modified: z.number(),
  deleted: z.number(),
  /** At most 50. */
  paths: z.array(z.string()),
});
export type Changed = z.infer<typeof Changed>;

/** An agent's word that it is finished: evidence to be judged, never a result. */
export const Claim = z.object({
  signal: z.string(),
  line: z.number().optional(),
  channel: z.enum(['text', 'marker', 'file']),
});
export type Claim = z.infer<typeof Claim>;

/** What a person granted when going on from an ended run. No limit is ever raised by itself. */
export const Added = z.object({
  iterations: z.number().optional(),
  wallClockMs: z.number().optional(),
  tokens: z.number().optional(),
  costUsd: z.number().optional(),
});
export type Added = z.infer<typeof Added>;

const iteration = z.number().int().nonnegative();
const attempt = z.number().int().positive();
const LeftOut = z.object({ path: z.string(), why: z.string() });

/** Everything that can happen in a run. Events are past; the log holds nothing else. */
export const EventBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('run.started'),
    runId: z.string(),
    version: z.string(),
    root: z.string(),
    nonce: z.string(),
    spec: z.custom<RunSpec>((value) => typeof value === 'object' && value !== null),
    specHash: z.string(),
    source: z.string(),
    /** The run this one goes on from; its events come before these. */
    parent: z.object({ runId: z.string(), seq: z.number() }).optional(),
    added: Added.optional(),
  }),
  /** A run that was cut short goes on; `lostMs` is the time its open step had taken at the last sign of life. */
  z.object({ kind: z.literal('run.resumed'), pid: z.number(), lostMs: z.number() }),
  z.object({ kind: z.literal('decided'), decision: Decision }),
  z.object({
    kind: z.literal('agent.started'),
    iteration,
    marker: z.string(),
    prompt: z.string(),
    feedback: z.string().optional(),
  }),
  z.object({
    kind: z.literal('agent.ended'),
    iteration,
    end: BuildEnd,
    tookMs: z.number(),
    output: z.string().nullable(),
    outputBytes: z.number(),
    /** Share of equal tokens with the outputs before it, newest first; null where one of the two is empty. */
    similar: z.array(z.number().nullable()),
    claim: Claim.optional(),
    giveUp: z.string().optional(),
    tokens: z.number().optional(),
    costUsd: z.number().optional(),
    sessionId: z.string().optional(),
  }),
  z.object({
    kind: z.literal('snapshot.taken'),
    iteration,
    tree: z.string(),
    work: z.string(),
    substance: z.string(),
    changed: Changed,
    leftOut: z.array(LeftOut),
    nested: z.array(z.string()),
    tookMs: z.number(),
  }),
  z.object({
    kind: z.literal('gate.judged'),
    iteration,
    attempt,
    gate: z.string(),
    tree: z.string(),
    verdict: Verdict,
    tookMs: z.number(),
    output: z.string().nullable(),
  }),
  /** The tree was hashed again after the gates; `moved` are the paths that changed while they ran,
   *  `fresh` those of them that did not exist before the agent began. */
  z.object({
    kind: z.literal('tree.confirmed'),
    iteration,
    attempt,
    tree: z.string(),
    after: z.string(),
    work: z.string(),
    substance: z.string(),
    moved: z.array(z.string()),
    fresh: z.array(z.string()),
  }),
  z.object({ kind: z.literal('wait.ended'), waitedMs: z.number() }),
  z.object({
    kind: z.literal('stop.requested'),
    by: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'command']),
    note: z.string().optional(),
  }),
  z.object({ kind: z.literal('fault.raised'), phase: z.string(), iteration, fault: Fault }),
  z.object({
    kind: z.literal('run.ended'),
    runId: z.string(),
    status: Status,
    code: z.string(),
    reason: z.string(),
    iterations: z.number(),
    tree: z.string().nullable(),
    best: z.object({ iteration: z.number(), tree: z.string() }).nullable(),
    caveats: z.array(z.string()),
    costUsd: z.number().nullable(),
    tokens: z.number().nullable(),
    goalSatisfied: z.boolean(),
    activeMs: z.number(),
  }),
]);
export type EventBody = z.infer<typeof EventBody>;
export type EventKind = EventBody['kind'];

/** A recorded event: numbered without gaps and dated for display. The store chains it to the one before it. */
export type Event = EventBody & { v: number; seq: number; at: string };
export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;
