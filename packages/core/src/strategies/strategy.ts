import type { Action, Evidence } from '../decision.ts';
import type { BuildEnd, StrategyAnswer } from '../event.ts';
import { strategyCap } from '../effective-limit.ts';
import type { Learned } from '../learned.ts';
import type { Situation } from '../policy/index.ts';
import type { Limits, StrategySpec } from '../spec.ts';
import type { LoopEnd } from '../ports.ts';
import type { IterationRecord } from '../state.ts';
import type { LevelResult, Verdict } from '../verdict.ts';

/** Everything a strategy may know. It is asked only while the goal is not met and no limit is reached. */
export interface StrategyContext {
  runId: string;
  /** 1-based: the iteration just finished. */
  iteration: number;
  /** 0-based, for strategies written against the older contract. */
  index: number;
  /** Iterations since a person last went on; equal to `iteration` otherwise. */
  sinceStart: number;
  /** Iterations that persons granted in all; a cap of the strategy's own rises by them. */
  granted: number;
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
  /** The tree the iteration left. */
  tree: string;
  /** How every gate stands; empty when none was judged. */
  gates: readonly GateView[];
  /** What the agent wrote, bounded; only strategies outside of the core are given it. */
  output: string | null;
  /** What was learned before the run began, and how the run stands; only `adaptive` is given it. */
  knowledge?: Knowledge;
}

/** What a strategy that learns decides by. */
export interface Knowledge {
  learned: Learned | null;
  /** The whole run: moves and persons who went on do not cut it into parts. */
  situation: Situation;
  /** The first iteration after which its stop was ignored; null while none was. */
  ignoredAfter: number | null;
}

/** One gate as a strategy sees it. */
export interface GateView {
  name: string;
  kind: string;
  severity: 'hard' | 'soft';
  verdict: Verdict['kind'];
  passed: boolean;
  /** 0 to 1, closeness to passing. */
  level: number;
  /** Titles of what fails, at most 20. */
  failures: readonly string[];
  levels: readonly LevelResult[];
}

/** A strategy gives advice; the lap makes the decision. */
export interface Advice {
  continue: boolean;
  code: string;
  reason: string;
  action: Action;
  confidence: number;
  evidence?: Evidence;
  /** Words for the next iteration, beside what the gates say. */
  feedback?: string;
  metadata?: Record<string, unknown>;
}

/** One callback over one immutable context. */
export interface Strategy {
  readonly name: string;
  readonly type: string;
  readonly displayName: string;
  decide(context: StrategyContext): Advice;
}

/**
 * A strategy of a user's: one callback that may take its time, and hooks that are called when they are there.
 * The older shapes are turned into this one by `adaptStrategy`.
 */
export interface UserStrategy {
  readonly name?: string;
  decide(context: StrategyContext): StrategyAdvice | Promise<StrategyAdvice>;
  initialize?(config: unknown): void | Promise<void>;
  /** Called once when the loop is over, for whatever reason. */
  onLoopEnd?(ending: LoopEnd): void | Promise<void>;
  reset?(): void | Promise<void>;
  /** What it wants to find again after a restart; plain data. */
  snapshot?(): unknown;
  restore?(state: unknown): void | Promise<void>;
}

/** The advice of a user's strategy: the reason is all it must give beside the answer itself. */
export type StrategyAdvice = Omit<Extract<StrategyAnswer, { kind: 'advice' }>, 'kind'>;

/** The stop at the strategy's own cap, or null while it is not reached. */
export function capReached(strategy: StrategySpec, { iteration, granted }: StrategyContext): Advice | null {
  const cap = strategyCap(strategy);
  if (!cap || iteration < cap.limit + granted) return null;
  const limit = cap.limit + granted;
  return giveUp('limit.iterations', `all ${limit} iterations of ${strategy.kind} are used`, 1, 'timeout', {
    limit,
    bound: cap.bound,
  });
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

/** An agent that cannot even be run so many times in a row will not finish by being run again. */
const failedBuilds = 5;

/** The stop for an agent that keeps failing by itself, or null while it may only have stumbled. */
export function agentFails({ history, current }: StrategyContext): Advice | null {
  const records = [...history.slice(-failedBuilds), current];
  const failed = records.length - 1 - records.findLastIndex((one) => one.build !== 'failed' || one.moved);
  if (failed < failedBuilds) return null;
  return giveUp('strategy.agent-fails', `the agent failed ${failed} times in a row`, 0.9, 'fail', { failed });
}
