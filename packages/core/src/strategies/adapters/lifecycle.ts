import type { Action } from '../../decision.ts';
import type { LoopEnd } from '../../ports.ts';
import type { StrategyAdvice, StrategyContext, UserStrategy } from '../strategy.ts';
import { readAdvice } from './answer.ts';
import { emptyLoopState, type LoopState, withDecision, withIteration } from './loop-state.ts';
import { reportOf, type VerificationReport } from './report.ts';
import { has } from './shape.ts';

/** Everything the lifecycle methods are given (F-AG-08). Iterations count from 1. */
export interface ContextOf002 {
  run: { id: string; iteration: number; maxIterations: number; maxTimeMs: number | null; elapsedMs: number };
  workspace: { path: string };
  config: unknown;
  state: LoopState;
  verificationReport?: VerificationReport;
  agentOutput?: string;
  ciStatus?: { passed: boolean; feedback: string };
}

export interface DecisionOf002 {
  shouldContinue: boolean;
  reason: string;
  action: Action;
  metadata?: Record<string, unknown>;
}

/** How the run came out. Only a converged run succeeded, whatever the strategy suggested. */
export interface RunResult extends LoopEnd {
  outcome: 'succeeded' | 'failed';
  action: Action;
}

/** A strategy of lifecycle methods (R-002-03). */
export interface StrategyOf002 {
  readonly name?: string;
  initialize?(config: unknown): unknown;
  onIterationStart?(context: ContextOf002): unknown;
  shouldContinue(context: ContextOf002): unknown;
  onIterationComplete?(context: ContextOf002, decision: DecisionOf002): unknown;
  onRunComplete?(result: RunResult): unknown;
  getState?(): unknown;
  snapshot?(): unknown;
  restore?(state: unknown): unknown;
}

interface Kept {
  state: LoopState;
  own?: unknown;
}

/**
 * Lets a strategy of lifecycle methods advise. It is asked when an iteration is over, so its three methods are
 * called in a row: the start, the question, the end.
 */
export function fromLifecycle(strategy: StrategyOf002, config: unknown, workspace: string): UserStrategy {
  let state = emptyLoopState();
  return {
    async decide(context) {
      state = withIteration(state, context);
      const given = contextOf(context, { config, workspace, state: shown(state, strategy) });
      await strategy.onIterationStart?.(given);
      const advice = readAdvice(await strategy.shouldContinue(given));
      const decision = decisionOf(advice);
      await strategy.onIterationComplete?.(given, decision);
      state = { ...state, customState: given.state.customState };
      state = withDecision(state, { iteration: context.iteration, ...decision });
      return advice;
    },
    snapshot: () => ({ state, own: strategy.snapshot?.() }) satisfies Kept,
    async restore(kept) {
      const { state: earlier, own } = kept as Partial<Kept>;
      state = earlier ?? state;
      if (own !== undefined) await strategy.restore?.(own);
    },
    ...(has(strategy, 'onRunComplete')
      ? { onLoopEnd: async (ending) => void (await strategy.onRunComplete?.(resultOf(ending))) }
      : {}),
  };
}

/** A copy of the state, in which the strategy's own part is what the strategy says it is. */
function shown(state: LoopState, strategy: StrategyOf002): LoopState {
  const own = strategy.getState?.();
  const custom =
    typeof own === 'object' && own !== null && 'customState' in own ? own.customState : undefined;
  return {
    ...state,
    decisions: [...state.decisions],
    customState: (custom ?? state.customState) as LoopState['customState'],
  };
}

function contextOf(
  context: StrategyContext,
  { workspace, ...rest }: { config: unknown; workspace: string; state: LoopState },
): ContextOf002 {
  const report = reportOf(context);
  const ci = context.gates.find((gate) => gate.kind === 'ci');
  return {
    run: {
      id: context.runId,
      iteration: context.iteration,
      maxIterations: context.limits.iterations,
      maxTimeMs: context.limits.wallClock ?? null,
      elapsedMs: context.elapsedMs,
    },
    workspace: { path: workspace },
    ...rest,
    ...(report === null ? {} : { verificationReport: report }),
    ...(context.output === null ? {} : { agentOutput: context.output }),
    ...(ci ? { ciStatus: { passed: ci.passed, feedback: ci.failures.join('\n') } } : {}),
  };
}

function decisionOf(advice: StrategyAdvice): DecisionOf002 {
  return {
    shouldContinue: advice.continue,
    reason: advice.reason,
    action: advice.action ?? (advice.continue ? 'continue' : 'fail'),
    ...(advice.metadata ? { metadata: advice.metadata } : {}),
  };
}

function resultOf(ending: LoopEnd): RunResult {
  return {
    ...ending,
    outcome: ending.finalResult === 'success' ? 'succeeded' : 'failed',
    action: actionOf(ending),
  };
}

function actionOf({ finalResult, status }: LoopEnd): Action {
  if (finalResult === 'success' || status === 'partial') return 'complete';
  return finalResult === 'max_iterations' || finalResult === 'timeout' ? 'timeout' : 'fail';
}
