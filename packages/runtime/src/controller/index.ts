export type {
  BuildContext,
  BuildResult,
  CallContext,
  Failure,
  FeedbackContext,
  GateAnswer,
  GateFailure,
  LevelAnswer,
  Notice,
  RunContext,
} from './context.ts';
export { type Controller, type ControllerOptions, createController } from './controller.ts';
export type { Decided } from './diary.ts';
export type { Progress } from './progress.ts';
export type { GateResult } from './gate-results.ts';
export type { ConvergenceSpec } from './read-spec.ts';
export type { ConvergenceResult, HistoryEntry, Outcome } from './result.ts';
