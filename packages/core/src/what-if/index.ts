export type { Step } from './step.ts';
export {
  type RecordedRun,
  recordedRun,
  type Spent,
  type WhatIf,
  whatIf,
  type WhatIfOptions,
  whyNoWhatIf,
} from './what-if.ts';
