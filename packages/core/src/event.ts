import * as z from 'zod';
import { Action, Decision } from './decision.ts';
import { Fault } from './fault.ts';
import { Learned } from './learned.ts';
import { Status } from './outcome.ts';
import { ShutIn } from './sandbox.ts';
import { moveKinds, type RunSpec } from './spec.ts';
import { ProtectedChange, Ratchet, Unchecked, rungs, runners } from './tampering.ts';
import { Verdict } from './verdict.ts';

/** The version of the stored shape. A new meaning is a new version, and the old one keeps its reader. */
export const eventVersion = 1;

/** How a build came to its end. Only `finished` is a good build. */
export const BuildEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('finished') }),
  z.object({ kind: z.literal('failed'), detail: z.string(), exitCode: z.number().optional() }),
  z.object({ kind: z.literal('aborted'), by: z.enum(['stop', 'wall-clock', 'redirect']) }),
  /** The agent could not work for a reason that passes: no iteration is used, and it is tried again later. */
  z.object({
    kind: z.literal('unavailable'),
    why: z.enum(['usage-limit', 'overloaded', 'network', 'environment', 'configuration']),
    detail: z.string(),
    retryAfterMs: z.number().positive().optional(),
  }),
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
  /** What it names as proof. */
  evidence: z.string().optional(),
});
export type Claim = z.infer<typeof Claim>;

/** How full a usage window of an agent's account is, from 0 to 1, and when it opens again. */
export const UsageWindow = z.object({ name: z.string(), used: z.number(), resetsAtMs: z.number() });
export type UsageWindow = z.infer<typeof UsageWindow>;

/** A part that an agent proposes for its own item. Gates are not an agent's to propose. */
export const ProposedPart = z.object({
  id: z.string().optional(),
  task: z.string().min(1),
  weight: z.number().positive().optional(),
});
export type ProposedPart = z.infer<typeof ProposedPart>;

/** How an agent would change the plan: its item in parts, items that need not wait for it. */
export const Proposal = z.object({
  split: z.array(ProposedPart).optional(),
  drop: z.array(z.string()).optional(),
});
export type Proposal = z.infer<typeof Proposal>;

/** What a person granted when going on from an ended run. No limit is ever raised by itself. */
export const Added = z.object({
  iterations: z.number().optional(),
  wallClockMs: z.number().optional(),
  tokens: z.number().optional(),
  costUsd: z.number().optional(),
});
export type Added = z.infer<typeof Added>;

/** What a person says when a run asks: go on, end it, go on with other words, take the tree as it is. */
export const Answer = z.enum(['continue', 'stop', 'redirect', 'accept']);
export type Answer = z.infer<typeof Answer>;

/** One move of the ladder and what came of it. */
export const Move = z.object({
  move: z.enum(moveKinds),
  /** The last iteration before it. */
  after: z.number().int(),
  /** The code that led to it. */
  because: z.string(),
  /** `progress`, or `none`; null while it is not known. */
  effect: z.enum(['progress', 'none']).nullable(),
  /** The iteration whose tree was brought back, or the agent that took over. */
  to: z.number().int().optional(),
});
export type Move = z.infer<typeof Move>;

/** What a strategy outside of the core answered: advice, or why there is none. */
export const StrategyAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('advice'),
    continue: z.boolean(),
    reason: z.string(),
    code: z.string().optional(),
    action: Action.optional(),
    confidence: z.number().min(0).max(1).optional(),
    feedback: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ kind: z.literal('failed'), fault: Fault }),
]);
export type StrategyAnswer = z.infer<typeof StrategyAnswer>;

const iteration = z.number().int().nonnegative();
const attempt = z.number().int().positive();
const LeftOut = z.object({ path: z.string(), why: z.string() });

/** Everything that can happen in a run. Events are past; the log holds nothing else. */
export const EventBody = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('run.started'),
    /** Counts the runs of a workspace, so that which one is newer does not depend on a clock; older logs have none. */
    number: z.number().int().positive().optional(),
    runId: z.string(),
    version: z.string(),
    root: z.string(),
    nonce: z.string(),
    spec: z.custom<RunSpec>((value) => typeof value === 'object' && value !== null),
    specHash: z.string(),
    source: z.string(),
    /**
     * The run this one goes on from; its events up to `seq` come before these, and `hash` is the chain's up to there.
     * A fork leaves that run to go on by itself.
     */
    parent: z
      .object({
        runId: z.string(),
        seq: z.number(),
        hash: z.string().optional(),
        fork: z.literal(true).optional(),
      })
      .optional(),
    added: Added.optional(),
    sandbox: ShutIn.optional(),
    /** What was learned from earlier runs; a run that goes on keeps what it began with. */
    learned: Learned.optional(),
  }),
  /** A run that was cut short goes on; `lostMs` is the time its open step had taken at the last sign of life. */
  z.object({
    kind: z.literal('run.resumed'),
    pid: z.number(),
    /** The version that goes on, which may be another one than began. */
    version: z.string().optional(),
    lostMs: z.number(),
    /** The same for a step that only waited; it costs no active time. */
    waitedMs: z.number().optional(),
    sandbox: ShutIn.optional(),
  }),
  z.object({ kind: z.literal('decided'), decision: Decision }),
  z.object({
    kind: z.literal('agent.started'),
    iteration,
    marker: z.string(),
    /** Which start of the machine it was begun under. */
    boot: z.string().optional(),
    prompt: z.string(),
    feedback: z.string().optional(),
    /** The session that the agent is asked to go on in; without one it begins anew. */
    sessionId: z.string().optional(),
    /** How many redirects the prompt knows of; a later one ends this build. */
    redirects: z.number().int().optional(),
    /** Which agent of the ladder works; the first one is 0. */
    rung: z.number().int().optional(),
    /** An agent that was not available is started again for the same iteration. */
    start: z.number().int().optional(),
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
    /** What it asks a person, and stopped for. */
    asks: z.string().optional(),
    proposal: Proposal.optional(),
    tokens: z.number().optional(),
    costUsd: z.number().optional(),
    /** Tokens and money are not told but assumed: nobody was there to hear. */
    estimated: z.literal(true).optional(),
    /** The agent tells only a part of its tokens: it has used at least these. */
    atLeast: z.literal(true).optional(),
    sessionId: z.string().optional(),
    /** What the whole session has used so far, where the agent tells only that. */
    total: z.object({ tokens: z.number().optional(), costUsd: z.number().optional() }).optional(),
    windows: z.array(UsageWindow).optional(),
    /** Tools that the agent was not allowed to use: how often, and the first of them. */
    denied: z
      .object({ times: z.number().int(), first: z.array(z.object({ tool: z.string(), what: z.string() })) })
      .optional(),
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
    /** A key of everything the verdict depends on, where the gate says what that is. */
    inputsKey: z.string().optional(),
    /** The time that passed for the run, where gates ran side by side and their own times overlap. */
    activeMs: z.number().optional(),
    /** An earlier green verdict on the same inputs, used again. */
    cached: z.literal(true).optional(),
    /** What the gate's own generator wants the agent to be told. */
    feedback: z.string().optional(),
    /** Protected files were changed: how the gate answers with the agent's versions of them. */
    unsealed: z.enum(['passed', 'failed']).optional(),
    /** Where it was judged: in its room, or in place. */
    rung: z.enum(rungs).optional(),
    /** The runner that was asked for a report of ours, in place of the command as it is written. */
    runner: z.enum(runners).optional(),
    /** What a person should know about that. */
    line: z.string().optional(),
    /** Before the run: on an empty tree the gate says exactly the same. */
    blind: z.literal(true).optional(),
    /** A reference to the list of all tests the gate ran. */
    cases: z.string().optional(),
    /** Before the run: a reference to the list of all files the gate looked at. */
    scope: z.string().optional(),
    /** Files it looked at then and no longer does. */
    unchecked: z.array(Unchecked).optional(),
    /** How much of the code its tests ran, in per cent, where it measures that. */
    coverage: z.number().optional(),
  }),
  /** The tree was compared with the baseline: what the gates judge by, and what may hide failures. */
  z.object({
    kind: z.literal('integrity.checked'),
    iteration,
    attempt,
    tree: z.string(),
    tookMs: z.number(),
    /** Whether the gates judge the protected files in the form of the baseline. */
    sealed: z.boolean(),
    changed: z.array(ProtectedChange),
    ratchets: z.array(Ratchet),
    /** Dependencies that came or changed. */
    dependencies: z.array(z.string()),
  }),
  /** In strict mode: how a gate answers without the agent's change. */
  z.object({
    kind: z.literal('control.judged'),
    iteration,
    gate: z.string(),
    verdict: Verdict,
    tookMs: z.number(),
  }),
  /** A person allows these files to be as they are; the same path with another content is not allowed by it. */
  z.object({
    kind: z.literal('grant.given'),
    files: z.array(z.object({ path: z.string(), oid: z.string().nullable() })),
    by: z.string(),
    note: z.string().optional(),
    letter: z.string().optional(),
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
  /** From now on a session of a person's own works for this run, and is held until it is done. */
  z.object({
    kind: z.literal('session.held'),
    host: z.string(),
    sessionId: z.string(),
    /** The moves of the ladder that can happen to it; where they are not told, all are decided as if they could. */
    moves: z.array(z.enum(moveKinds)).optional(),
    /** The limits of the run that count what this host does not tell, so that they cannot bind. */
    unheard: z.array(z.string()).optional(),
  }),
  /** The session is let go while the run is open: why, and whether it comes back by itself. */
  z.object({
    kind: z.literal('session.left'),
    why: z.string(),
    /** It was gone before it could be given the iteration that was about to begin. */
    unbegun: z.literal(true).optional(),
  }),
  /** Whoever drives leaves on purpose, between two iterations; the run is open and goes on with a resume. */
  z.object({ kind: z.literal('run.paused') }),
  z.object({ kind: z.literal('wait.ended'), waitedMs: z.number() }),
  z.object({
    kind: z.literal('stop.requested'),
    /** `host`: the program whose session is held ends it, whatever we answer. */
    by: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP', 'command', 'api', 'host']),
    /** Who that was, in words, where `by` alone would name another. */
    who: z.string().optional(),
    note: z.string().optional(),
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('redirect.requested'),
    by: z.enum(['command', 'person', 'api']),
    text: z.string(),
    /** The request of another process that said so; by its name it is taken once. */
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('approval.given'),
    gate: z.string(),
    tree: z.string(),
    by: z.string(),
    approved: z.boolean(),
    note: z.string().optional(),
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('person.answered'),
    iteration,
    answer: Answer,
    text: z.string().optional(),
    by: z.enum(['prompt', 'command', 'api', 'timeout']),
    letter: z.string().optional(),
  }),
  z.object({
    kind: z.literal('strategy.answered'),
    iteration,
    answer: StrategyAnswer,
    tookMs: z.number(),
    /** What the strategy wants to find again after a restart. */
    state: z.unknown().optional(),
  }),
  /** For a revert: the tree that is now at hand. */
  z.object({
    kind: z.literal('move.made'),
    iteration,
    move: z.enum(moveKinds),
    tree: z.string().optional(),
    work: z.string().optional(),
    substance: z.string().optional(),
    /** What lay in the workspace before a revert; it is kept. */
    before: z.string().optional(),
    /** Why the move could not be made. */
    problem: z.string().optional(),
  }),
  z.object({
    kind: z.literal('notified'),
    about: z.enum(['end', 'escalation', 'waiting']),
    iteration,
    gates: z.array(z.string()),
    /** How it went, one line per way; empty when no way was given. */
    ways: z.array(z.object({ way: z.string(), ok: z.boolean(), detail: z.string().optional() })),
  }),
  z.object({
    kind: z.literal('delivered'),
    as: z.enum(['commit', 'branch', 'pr']),
    tree: z.string(),
    /** The commit and its name; absent when it could not be done. */
    commit: z.string().optional(),
    ref: z.string().optional(),
    /** Where people find it. */
    url: z.string().optional(),
    /** What a person should know or do about it. */
    notes: z.array(z.string()).optional(),
    problem: z.string().optional(),
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
    moves: z.array(Move).optional(),
  }),
]);
export type EventBody = z.infer<typeof EventBody>;
export type EventKind = EventBody['kind'];

/** A recorded event: numbered without gaps and dated for display. The store chains it to the one before it. */
export type Event = EventBody & { v: number; seq: number; at: string };
export type EventOf<K extends EventKind> = Extract<Event, { kind: K }>;
