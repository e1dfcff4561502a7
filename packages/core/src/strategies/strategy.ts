import type { Action, Evidence } from '../decision.ts';
import type { BuildEnd } from '../event.ts';
import type { Limits } from '../spec.ts';
import type { IterationRecord } from '../state.ts';

/** Everything a strategy may know. It is asked only while the goal is not met and no limit is reached. */
export interface StrategyContext {
  runId: string;
  /** 1-based: the iteration just finished. */
  iteration: number;
  /** 0-based, for strategies written against the older contract. */
  index: number;
  /** Iterations since a person last went on; equal to `iteration` otherwise. */
  sinceStart: number;
  limits: Limits;
  elapsedMs: number;
  tokens: number | null;
  costUsd: number | null;
  goalSatisfied: boolean;
  build: BuildEnd['kind'];
  /** The iteration just finished. */
  current: IterationRecord;
  /** The iterations before it, oldest first, since a person last went on. */
  history: readonly IterationRecord[];
  bestScoreBefore: number;
  failuresBefore: number | null;
}

/** A strategy gives advice; the lap makes the decision. */
export interface Advice {
  continue: boolean;
  code: string;
  reason: string;
  action: Action;
  confidence: number;
  evidence?: Evidence;
  feedback?: string;
  metadata?: Record<string, unknown>;
}

/** One callback over one immutable context; the hooks are optional. */
export interface Strategy {
  readonly name: string;
  readonly type: string;
  readonly displayName: string;
  decide(context: StrategyContext): Advice;
  initialize?(config: unknown): void;
  onLoopEnd?(end: { runId: string; iterations: number; status: string; code: string }): void;
  reset?(): void;
}

export const goOn = (code: string, reason: string, confidence: number, evidence: Evidence = {}): Advice => ({
  continue: true,
  code: `continue.${code}`,
  reason,
  action: 'continue',
  confidence,
  evidence,
});

export const giveUp = (
  code: string,
  reason: string,
  confidence: number,
  action: Action = 'fail',
  evidence: Evidence = {},
): Advice => ({ continue: false, code, reason, action, confidence, evidence });
