export type { Check } from './check.ts';
export { type ExportHeader, exportRun } from './export.ts';
export { isProved, proveRun } from './prove.ts';
export { checkReplay } from './replayed.ts';
export { proveFile } from './prove-file.ts';
export { type ProofSource, sourceOf } from './source.ts';
export { referencesOf } from './texts.ts';
