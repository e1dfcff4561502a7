import type { LoopEnd } from '../../ports.ts';
import type { IterationRecord } from '../../state.ts';
import type { StrategyContext, UserStrategy } from '../strategy.ts';
import { readAdvice } from './answer.ts';
import { reportOf, type VerificationReport } from './report.ts';
import { has } from './shape.ts';

/** One earlier iteration, as the one-callback shape knows it (R-001-07). */
export interface IterationSummary {
  iteration: number;
  agentSuccess: boolean;
  /** Null when nothing was verified. */
  verificationPassed: boolean | null;
  durationMs: number;
  tokensUsed: number | null;
}

/** Everything about the iteration that has just finished (R-001-04). Iterations count from 0 here. */
export interface IterationEvent {
  iteration: number;
  totalIterations: number;
  elapsedMs: number;
  agentResult: { success: boolean; output: string; durationMs: number; tokensUsed: number | null };
  agentSuccess: boolean;
  verificationReport: VerificationReport | null;
  verificationPassed: boolean | null;
  /** A copy, without the current iteration. */
  previousIterations: IterationSummary[];
  maxIterations: number;
  maxTimeMs: number | null;
  runId: string;
  workOrderId: string;
}

export type LoopEndEvent = Pick<LoopEnd, 'runId' | 'totalIterations' | 'finalResult' | 'elapsedMs'>;

/** A strategy of one callback (R-001-03). */
export interface StrategyOf001 {
  readonly name?: string;
  onIterationComplete(event: IterationEvent): unknown;
  onLoopEnd?(event: LoopEndEvent): unknown;
}

/** Lets a one-callback strategy advise. */
export function fromOneCallback(strategy: StrategyOf001): UserStrategy {
  return {
    decide: async (context) => readAdvice(await strategy.onIterationComplete(eventOf(context))),
    ...(has(strategy, 'onLoopEnd')
      ? {
          onLoopEnd: async ({ runId, totalIterations, finalResult, elapsedMs }) => {
            await strategy.onLoopEnd?.({ runId, totalIterations, finalResult, elapsedMs });
          },
        }
      : {}),
  };
}

function eventOf(context: StrategyContext): IterationEvent {
  const { current, limits, runId } = context;
  const agentSuccess = context.build === 'finished';
  const report = reportOf(context);
  return {
    iteration: context.index,
    totalIterations: context.iteration,
    elapsedMs: context.elapsedMs,
    agentResult: {
      success: agentSuccess,
      output: context.output ?? '',
      durationMs: current.tookMs,
      tokensUsed: current.tokens,
    },
    agentSuccess,
    verificationReport: report,
    verificationPassed: report?.passed ?? null,
    previousIterations: context.history.map(summaryOf),
    maxIterations: limits.iterations,
    maxTimeMs: limits.wallClock ?? null,
    runId,
    // There are no work orders here: a run is the whole of the work.
    workOrderId: runId,
  };
}

function summaryOf(record: IterationRecord): IterationSummary {
  return {
    iteration: record.iteration - 1,
    agentSuccess: record.build === 'finished',
    verificationPassed: record.judged ? Object.values(record.gates).every(Boolean) : null,
    durationMs: record.tookMs,
    tokensUsed: record.tokens,
  };
}
