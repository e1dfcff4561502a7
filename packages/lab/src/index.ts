export { calmPlan, killedAt, storyOf, unlikeSteps } from './sim/interrupted.ts';
export { drawPlan, type Fault, type Plan } from './sim/plan.ts';
export { shrink } from './sim/shrink.ts';
export { type Report, simulate } from './sim/simulate.ts';
