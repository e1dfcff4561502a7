export { makeDerived, type Derived } from './derived.ts';
export {
  type FinalReceipt,
  isSealed,
  makeFinalReceipt,
  parseFinalReceipt,
  receiptText,
} from './final-receipt.ts';
export { reportJunit } from './junit.ts';
export { reportMarkdown } from './markdown.ts';
export { makeReceipt, type Receipt } from './receipt.ts';
export { redGates, reportJson, type RunReport } from './report.ts';
export { embedRun, type RunFile } from './run-file.ts';
export {
  leftWaiting,
  RunSummary,
  summariseRun,
  taskLine,
  Waiting,
  waitingOf,
  waitsSince,
} from './run-summary.ts';
export { Story } from './story.ts';
