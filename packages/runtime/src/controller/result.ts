import { FaultError, type IterationRecord, type RunState, type Status } from '@agentgate/core';
import { wordsOf } from './call.ts';
import { type Desk, isTold, type Said } from './desk.ts';
import type { Decided, Decisions } from './diary.ts';
import { type GateResult, gateResultsOf } from './gate-results.ts';
import type { Progress } from './progress.ts';

/** One finished iteration and what was decided after it. */
export interface HistoryEntry {
  iteration: number;
  timestamp: string;
  build: IterationRecord['build'];
  gateResults: Readonly<Record<string, boolean>>;
  snapshotHash?: string;
  score: number;
  decision: Decided;
}

/** The ending in the exact words of the run. */
export interface Outcome {
  status: Status;
  code: string;
  reason: string;
  caveats: readonly string[];
  goalSatisfied: boolean;
  tokens: number | null;
  costUsd: number | null;
  best: { iteration: number; snapshotHash: string } | null;
}

export interface ConvergenceResult {
  /** `partial` shows as diverged and `suspended` as stopped; `outcome` has the exact word. */
  status: 'converged' | 'diverged' | 'stopped' | 'error';
  iterations: number;
  reason: string;
  outcome: Outcome;
  gateResults: Readonly<Record<string, GateResult>>;
  finalState: {
    iteration: number;
    elapsed: number;
    /** What `onSnapshot` last answered; null when it never did. */
    snapshot: unknown;
    agentOutput: string | null;
    sessionId: string | null;
  };
  history: readonly HistoryEntry[];
  progress: Progress;
  /** For the status `error`: where it happened, and what was thrown. */
  error?: { phase: string; iteration: number; cause: unknown };
  /** What went wrong beside the run: abandoned callbacks, a loop-end hook that threw. */
  warnings: readonly string[];
  runId: string;
}

export interface Ended {
  runId: string;
  desk: Desk;
  decisions: Decisions;
  progress: Progress;
  /** What kept the run from coming to its end; undefined when it came there. */
  failure?: unknown;
}

/** Tells how a run came out, whichever way it ended. */
export function resultOf({ runId, desk, decisions, progress, failure }: Ended): ConvergenceResult {
  const { state, said } = desk;
  const outcome = outcomeOf(state, failure);
  const status = shown(outcome.status);
  return {
    status,
    iterations: state?.iteration ?? 0,
    reason: outcome.reason,
    outcome,
    gateResults: gateResultsOf(state, said),
    finalState: {
      iteration: state?.iteration ?? 0,
      elapsed: progress.elapsed,
      snapshot: said.snapshot,
      agentOutput: said.output,
      sessionId: state?.sessionId ?? null,
    },
    history: (state?.history ?? []).map((record) => entryOf(record, decisions, outcome.reason)),
    progress,
    ...(status === 'error' ? { error: errorOf(state, said, outcome, failure) } : {}),
    warnings: [...said.warnings],
    runId,
  };
}

function shown(status: Status): ConvergenceResult['status'] {
  if (status === 'partial') return 'diverged';
  return status === 'suspended' ? 'stopped' : status;
}

function outcomeOf(state: RunState | null, failure: unknown): Outcome {
  const { ended } = state ?? {};
  const best = ended?.best ?? state?.best ?? null;
  const rest = {
    tokens: state?.tokens ?? null,
    costUsd: state?.costUsd ?? null,
    best: best && isTold(best.tree) ? { iteration: best.iteration, snapshotHash: best.tree } : null,
  };
  if (ended && failure === undefined) {
    const { status, code, reason, caveats, goalSatisfied } = ended;
    return { status, code, reason, caveats, goalSatisfied, ...rest };
  }
  // The log could not take the ending, or something of ours broke: it is told all the same.
  const full = failure instanceof FaultError && failure.fault.code === 'state.full';
  return {
    status: full ? 'suspended' : 'error',
    code: full ? 'suspended.disk-full' : failure instanceof FaultError ? 'error.store' : 'error.driver',
    reason: wordsOf(failure),
    caveats: [],
    goalSatisfied: false,
    ...rest,
  };
}

function errorOf(
  state: RunState | null,
  said: Said,
  { code, reason }: Outcome,
  failure: unknown,
): ConvergenceResult['error'] & object {
  const phase = state?.fault?.phase ?? code.replace(/^error\./, '');
  const cause = failure ?? said.thrown.get(phase) ?? state?.fault?.fault ?? reason;
  return { phase, iteration: state?.iteration ?? 0, cause };
}

function entryOf(
  { iteration, at, build, gates, tree, score, code, judged }: IterationRecord,
  decisions: Decisions,
  reason: string,
): HistoryEntry {
  return {
    iteration,
    timestamp: at,
    build,
    gateResults: gates,
    ...(judged && isTold(tree) ? { snapshotHash: tree } : {}),
    score,
    decision: decisions.get(iteration) ?? { continue: false, code, reason, confidence: 1 },
  };
}
