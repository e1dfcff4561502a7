import type { Assessment } from './assess.ts';
import type { Decision } from './decision.ts';
import type { BuildEnd, Changed, Claim, EventOf } from './event.ts';
import type { Fault } from './fault.ts';
import type { RunSpec } from './spec.ts';
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
  moved: boolean;
  claimed: boolean;
  similar: readonly (number | null)[];
  silent: boolean;
  code: string;
  tookMs: number;
}

/** Why an iteration counts as better than all before it. */
export type Progress = 'fixed' | 'score' | 'unmasked' | 'stand-in';

/** The iteration that is being built or judged; number 0 is the baseline. */
export interface Current {
  iteration: number;
  marker: string | null;
  /** Wall clock, in milliseconds, at which the agent was started. */
  startedAt: number | null;
  build: BuildEnd | null;
  tree: string | null;
  work: string;
  substance: string;
  changed: Changed | null;
  attempt: number;
  verdicts: Map<string, Verdict>;
  /** Set when the tree was hashed again after the gates. */
  confirmed: { tree: string; after: string; moved: string[] } | null;
  movedBefore: string[];
  claim: Claim | null;
  giveUp: string | null;
  /** A failed build was followed by its pause. */
  paused: boolean;
  similar: readonly (number | null)[];
  outputBytes: number;
  tokens: number | null;
  costUsd: number | null;
  tookMs: number;
}

export interface BestTree {
  iteration: number;
  tree: string;
  rank: readonly number[];
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
  /** Decided, but not all of its facts are in: after a crash this is what goes on. */
  open: Decision | null;
  ended: EventOf<'run.ended'> | null;
  stop: { by: string; note?: string } | null;
  fault: { phase: string; fault: Fault } | null;
  iteration: number;
  baseTree: string | null;
  baseWork: string;
  baseline: Map<string, Verdict>;
  baselineFailures: number | null;
  gateMs: Map<string, number>;
  current: Current | null;
  /** The iteration before the current one, or the baseline, as it was assessed: what feedback speaks of. */
  last: Assessment | null;
  /** The same of the newest iteration whose gates were judged. */
  lastJudged: Assessment | null;
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
  lastFailures: Set<string>;
  lastLoads: Set<string>;
  /** How close each gate was to passing when it was last judged. */
  levels: Map<string, number>;
  /** What each gate counted when it was last judged: failures, and passed tests where it tells them. */
  lastCounts: Map<string, { failures: number; passed: number | null }>;
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
  /** Iterations that persons granted when going on, in all; a strategy's own cap rises by them. */
  granted: number;
  /** Up to this iteration the strategy is not asked: a person granted it. */
  grantedUntil: number;
  /** References to the newest outputs, oldest first, for comparing the next one with them. */
  outputs: (string | null)[];
  /** Detectors and strategies look back no further than this iteration. */
  windowStart: number;
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
    open: null,
    ended: null,
    stop: null,
    fault: null,
    iteration: 0,
    baseTree: null,
    baseWork: '',
    baseline: new Map(),
    baselineFailures: null,
    gateMs: new Map(),
    current: null,
    last: null,
    lastJudged: null,
    lastClosed: null,
    history: [],
    judged: [],
    counted: new Set(),
    seenWork: new Set(),
    seenSubstance: new Set(),
    seenFailures: new Set(),
    seenText: new Set(),
    peaks: new Map(),
    lastFailures: new Set(),
    lastLoads: new Set(),
    levels: new Map(),
    lastCounts: new Map(),
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
    granted: 0,
    grantedUntil: 0,
    outputs: [],
    windowStart: 0,
  };
}

export function newCurrent(iteration: number): Current {
  return {
    iteration,
    marker: null,
    startedAt: null,
    build: null,
    tree: null,
    work: '',
    substance: '',
    changed: null,
    attempt: 1,
    verdicts: new Map(),
    confirmed: null,
    movedBefore: [],
    claim: null,
    giveUp: null,
    paused: false,
    similar: [],
    outputBytes: 0,
    tokens: null,
    costUsd: null,
    tookMs: 0,
  };
}
