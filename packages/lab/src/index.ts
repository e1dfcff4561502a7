export { calmPlan, killedAt, storyOf, unlikeSteps } from './sim/interrupted.ts';
export { drawPlan, type Fault, type Plan } from './sim/plan.ts';
export { shrink } from './sim/shrink.ts';
export { type Report, simulate } from './sim/simulate.ts';
export { type BadLine, parseTrace, type ReadTraces, readTraces } from './traces/read-traces.ts';
export { taskKey, Trace, traceVersion } from './traces/trace.ts';
export { situationAfter } from './traces/situation.ts';
