export { type Diagnosis, examine } from './examine.ts';
export type { Remark } from './remark.ts';
export { askCodexTrust, type CodexTrust } from './codex-hooks.ts';
