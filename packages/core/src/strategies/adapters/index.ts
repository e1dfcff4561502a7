export { adaptStrategy, type Place } from './adapt.ts';
export { AnswerError, readAdvice } from './answer.ts';
export { BaseStrategy } from './base.ts';
export type { GateResult, HistoryEntry, StateOf000, StrategyOf000 } from './by-state.ts';
export type { ContextOf002, DecisionOf002, RunResult, StrategyOf002 } from './lifecycle.ts';
export type { LoopState } from './loop-state.ts';
export type { IterationEvent, IterationSummary, LoopEndEvent, StrategyOf001 } from './one-callback.ts';
export type { VerificationReport } from './report.ts';
export { hasShape, namesIn, StrategyShapeError } from './shape.ts';
