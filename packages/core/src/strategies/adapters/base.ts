import type { Action } from '../../decision.ts';
import type { ContextOf002, DecisionOf002, RunResult, StrategyOf002 } from './lifecycle.ts';
import { emptyLoopState, type LoopState, progressOf, withDecision } from './loop-state.ts';
import type { VerificationReport } from './report.ts';

/** A beginning for strategies of lifecycle methods: it keeps the state, and only `shouldContinue` is left to write. */
export abstract class BaseStrategy implements StrategyOf002 {
  abstract readonly name: string;
  protected state: LoopState = emptyLoopState();

  abstract shouldContinue(context: ContextOf002): DecisionOf002 | Promise<DecisionOf002>;

  initialize(_config: unknown): void | Promise<void> {
    this.log(`${this.name} begins`);
  }

  onIterationStart({ run }: ContextOf002): void | Promise<void> {
    this.state = { ...this.state, iteration: run.iteration };
  }

  onIterationComplete(context: ContextOf002, decision: DecisionOf002): void | Promise<void> {
    this.state = withDecision(this.state, { iteration: context.run.iteration, ...decision });
    this.updateProgress(context.verificationReport);
  }

  onRunComplete({ outcome, totalIterations, code }: RunResult): void | Promise<void> {
    this.log(`${this.name} ${outcome} after ${totalIterations} iterations: ${code}`);
  }

  /** A copy: changing it changes nothing here. */
  getState(): LoopState {
    return { ...this.state };
  }

  snapshot(): unknown {
    return this.state;
  }

  restore(state: unknown): void {
    this.state = state as LoopState;
  }

  /** Takes the progress from what the verification found; without a report it stays as it was. */
  protected updateProgress(report: VerificationReport | undefined): void {
    if (report) this.state = { ...this.state, progress: progressOf(report) };
  }

  protected makeDecision(
    shouldContinue: boolean,
    reason: string,
    action: Action = shouldContinue ? 'continue' : 'fail',
    metadata?: Record<string, unknown>,
  ): DecisionOf002 {
    return { shouldContinue, reason, action, ...(metadata ? { metadata } : {}) };
  }

  /** Where the begin and the summary of a run are told; override it to see them. */
  protected log(_line: string): void {}
}
