export { type KnownRun, type Rules } from './choose.ts';
export { type PrunePlan, planPrune } from './plan.ts';
export { isUnfinished, prune, type Pruned } from './prune.ts';
export { bytesOf } from './size.ts';
export { type SizedRun, type Survey, survey } from './survey.ts';
