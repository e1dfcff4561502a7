export { makeDerived, type Derived } from './derived.ts';
export { reportJunit } from './junit.ts';
export { reportMarkdown } from './markdown.ts';
export { makeReceipt, type Receipt } from './receipt.ts';
export { redGates, reportJson, type RunReport } from './report.ts';
export { Story } from './story.ts';
