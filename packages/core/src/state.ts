import type { Assessment } from './assess.ts';
import type { Current } from './current.ts';
import type { Decision } from './decision.ts';
import type { BuildEnd, EventOf, Move, UsageWindow } from './event.ts';
import type { Fault } from './fault.ts';
import type { Approval } from './ports.ts';
import type { Learned } from './learned.ts';
import type { ShutIn } from './sandbox.ts';
import type { MoveKind, RunSpec } from './spec.ts';
import type { Runner, Rung } from './tampering.ts';
import type { Verdict } from './verdict.ts';

/** What one finished iteration left for later decisions. Small on purpose: a run may have thousands. */
export interface IterationRecord {
  iteration: number;
  build: BuildEnd['kind'];
  judged: boolean;
  tree: string;
  work: string;
  substance: string;
  failures: number;
  failureKey: string;
  textKey: string | null;
  score: number;
  fixed: number;
  broken: number;
  unmasked: boolean;
  /** Gates that failed without showing what fails. */
  opaque: number;
  progress: Progress | null;
  /** Tree and failures were both never seen before: a plateau, but a moving one. */
  novel: boolean;
  newTree: boolean;
  newFailures: boolean;
  binary: boolean;
  /** Every hard gate passed: what fails is advice. */
  hardGreen?: true;
  moved: boolean;
  claimed: boolean;
  /** Some of the paths it changed, for telling what was tried. */
  paths: readonly string[];
  similar: readonly (number | null)[];
  silent: boolean;
  code: string;
  tookMs: number;
  tokens: number | null;
  costUsd: number | null;
  /** The length of what the agent wrote. */
  outputBytes: number;
  /** Tests that passed, over all gates that tell; null where none does. */
  passedTests: number | null;
  /** Only a grant stood between its tree and a green one. */
  grantable: boolean;
  /** Every gate that was judged, and whether it passed. */
  gates: Readonly<Record<string, boolean>>;
  /** When its facts were recorded, for display. */
  at: string;
}

/** Why an iteration counts as better than all before it. */
export type Progress = 'fixed' | 'score' | 'unmasked' | 'stand-in';

export interface BestTree {
  iteration: number;
  tree: string;
  work: string;
  rank: readonly number[];
}

/** What is remembered of a judged tree, so that what follows it can be compared with it. */
export interface Footing {
  failures: Set<string>;
  loads: Set<string>;
  levels: Map<string, number>;
  counts: Map<string, { failures: number; passed: number | null }>;
}

/** An agent that could not work for a reason that passes. */
export interface Away {
  why: string;
  detail: string;
  retryAfterMs: number | null;
  /** How often in a row. */
  times: number;
  waited: boolean;
}

/** Everything a decision needs, folded from the events. Owned by its fold: `evolve` extends it in place. */
export interface RunState {
  seq: number;
  /** When the newest event was recorded. */
  lastAt: string;
  runId: string;
  root: string;
  nonce: string;
  spec: RunSpec | null;
  parentRunId: string | null;
  /** The run in whose place this one goes on: its parent, unless it is a fork. */
  inPlaceOf: string | null;
  /** The runs that this one goes on from, the first one first, and itself. */
  lineage: string[];
  /** When the first of them began. */
  begunAt: string | null;
  /** Decided, but not all of its facts are in: after a crash this is what goes on. */
  open: Decision | null;
  ended: EventOf<'run.ended'> | null;
  stop: { by: string; who?: string; note?: string } | null;
  fault: { phase: string; fault: Fault } | null;
  iteration: number;
  baseTree: string | null;
  /** What lay there before any gate had run. */
  firstTree: string | null;
  baseWork: string;
  baseline: Map<string, Verdict>;
  baselineFailures: number | null;
  gateMs: Map<string, number>;
  current: Current | null;
  /** The iteration before the current one, or the baseline, as it was assessed: what feedback speaks of. */
  last: Assessment | null;
  /** The same of the newest iteration whose gates were judged. */
  lastJudged: Assessment | null;
  /** The same of the iteration that left the best tree. */
  bestJudged: Assessment | null;
  /** The iteration that was closed last, for a run that goes on with it. */
  lastClosed: Current | null;
  history: IterationRecord[];
  judged: IterationRecord[];
  /** Findings whose turning green was counted once; turning green again earns nothing. */
  counted: Set<string>;
  seenWork: Set<string>;
  seenSubstance: Set<string>;
  seenFailures: Set<string>;
  seenText: Set<string>;
  peaks: Map<string, number>;
  /** The newest judged tree: its failures, what kept things from loading, how close each gate was, what it counted. */
  footing: Footing;
  /** The same of the best tree, for going back to it. */
  bestFooting: Footing | null;
  /** The work that the next iteration starts from, when it is not what the last one left. */
  startWork: string | null;
  attempts: Map<string, number>;
  unableRow: Map<string, number>;
  bestScore: number;
  best: BestTree | null;
  lastJudgedWork: string | null;
  standIns: number;
  /** Shapes of the paths that the gates write for themselves, as `pathShape` makes them. */
  gateWrites: Set<string>;
  activeMs: number;
  waitedMs: number;
  tokens: number | null;
  costUsd: number | null;
  /** The tokens are a lower bound: some agent told only a part of them. */
  tokensAtLeast: boolean;
  /** The most that one build told it had used. */
  dearest: { tokens: number | null; costUsd: number | null };
  /** Builds that were cut short before they told what they had used. */
  unheard: number;
  /** Of those, how many were not counted yet: nobody had told anything so far. The first who does pays for them. */
  unpriced: { tokens: number; costUsd: number };
  /** Iterations that persons granted when going on, in all; a strategy's own cap rises by them. */
  granted: number;
  /** Up to this iteration the strategy is not asked: a person granted it. */
  grantedUntil: number;
  /** References to the newest outputs, oldest first, for comparing the next one with them. */
  outputs: (string | null)[];
  /** Detectors and strategies look back no further than this iteration. */
  windowStart: number;
  /** Every move of the ladder so far. */
  moves: Move[];
  /** Moves since the last real progress; none is made twice on one plateau. */
  tried: MoveKind[];
  /** Which agent of the ladder works; the first one is 0. */
  rung: number;
  /** Nobody drives it, on purpose. */
  paused: boolean;
  /** The session of a person's own that works for this run. */
  held: {
    host: string;
    sessionId: string;
    moves?: readonly MoveKind[];
    unheard?: readonly string[];
  } | null;
  /** The last who worked for it was a session that has gone away. */
  isLeft: boolean;
  /** The session in which the agent may go on, if it told one. */
  sessionId: string | null;
  /** What has been counted of that session so far; some agents tell only what the whole session has used. */
  sessionUsed: { tokens: number; costUsd: number };
  /** How full the usage windows of the agent's account were when it told last. */
  windows: readonly UsageWindow[];
  /** The tree that lies in the workspace, as far as is known. */
  atHand: string | null;
  /** An agent has been at work here, so the tree is no longer the one from before. */
  touched: boolean;
  /** What the end of the run brings along was done already, before a crash. */
  delivered: boolean;
  endTold: boolean;
  /** The state before the last iteration was closed, while a person who goes on would reopen it. */
  undo: RunState | null;
  /** New words of a person that no iteration has been given yet. */
  redirect: string | null;
  /** All of them, oldest first. */
  redirects: string[];
  /** Requests of other processes that were taken. */
  letters: Set<string>;
  /** How many of the newest events are words of persons, which a crash may have parted from the fact they came with. */
  wordsSince: number;
  approvals: Approval[];
  /** Protected files that may be as they are, by path and content. */
  grants: { path: string; oid: string | null }[];
  /** Who is shut in; null where the run does not tell. */
  shutIn: ShutIn | null;
  /** The newest place in which each gate was judged. */
  gateRungs: Map<string, Rung>;
  /** Gates whose runner is asked for a report of ours. */
  gateRunners: Map<string, Runner>;
  /** Gates that say the same on an empty tree. */
  blind: Set<string>;
  /** References to the tests that each gate ran before the agent began. */
  baseCases: Map<string, string>;
  /** By gate: a reference to the list of the files that it looked at before the run. */
  baseScopes: Map<string, string>;
  /** By gate: how much of the code its tests ran before the run, in per cent. */
  baseCoverage: Map<string, number>;
  /** The newest green verdict of each gate with the key of its inputs. */
  passes: Map<string, { key: string; verdict: Verdict }>;
  /** Inputs on which a gate has failed: green on those is a flaky green and never used again. */
  redInputs: Set<string>;
  /** Gates that a person was told about and that have not passed since. */
  escalated: Set<string>;
  /** What the strategy outside of the core wants to find again, and what it wants the agent to be told. */
  strategyState: unknown;
  strategyWords: string | null;
  away: Away | null;
  /** What the run knew when it began; only `adaptive` asks for it. */
  learned: Learned | null;
}

export function emptyState(): RunState {
  return {
    seq: 0,
    lastAt: '',
    runId: '',
    root: '',
    nonce: '',
    spec: null,
    parentRunId: null,
    inPlaceOf: null,
    lineage: [],
    begunAt: null,
    open: null,
    ended: null,
    stop: null,
    fault: null,
    iteration: 0,
    baseTree: null,
    firstTree: null,
    baseWork: '',
    baseline: new Map(),
    baselineFailures: null,
    gateMs: new Map(),
    current: null,
    last: null,
    lastJudged: null,
    bestJudged: null,
    lastClosed: null,
    history: [],
    judged: [],
    counted: new Set(),
    seenWork: new Set(),
    seenSubstance: new Set(),
    seenFailures: new Set(),
    seenText: new Set(),
    peaks: new Map(),
    footing: emptyFooting(),
    bestFooting: null,
    startWork: null,
    attempts: new Map(),
    unableRow: new Map(),
    bestScore: 0,
    best: null,
    lastJudgedWork: null,
    standIns: 0,
    gateWrites: new Set(),
    activeMs: 0,
    waitedMs: 0,
    tokens: null,
    costUsd: null,
    tokensAtLeast: false,
    dearest: { tokens: null, costUsd: null },
    unheard: 0,
    unpriced: { tokens: 0, costUsd: 0 },
    granted: 0,
    grantedUntil: 0,
    outputs: [],
    windowStart: 0,
    moves: [],
    tried: [],
    rung: 0,
    paused: false,
    held: null,
    isLeft: false,
    sessionId: null,
    sessionUsed: { tokens: 0, costUsd: 0 },
    windows: [],
    atHand: null,
    touched: false,
    delivered: false,
    endTold: false,
    undo: null,
    redirect: null,
    redirects: [],
    letters: new Set(),
    wordsSince: 0,
    approvals: [],
    grants: [],
    shutIn: null,
    gateRungs: new Map(),
    gateRunners: new Map(),
    blind: new Set(),
    baseCases: new Map(),
    baseScopes: new Map(),
    baseCoverage: new Map(),
    passes: new Map(),
    redInputs: new Set(),
    escalated: new Set(),
    strategyState: undefined,
    strategyWords: null,
    away: null,
    learned: null,
  };
}

export const emptyFooting = (): Footing => ({
  failures: new Set(),
  loads: new Set(),
  levels: new Map(),
  counts: new Map(),
});
