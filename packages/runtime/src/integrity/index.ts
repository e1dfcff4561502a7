export { checkIntegrity } from './check.ts';
export type { Checked, Seal, TreeFile, TreeReader } from './checked.ts';
export { gateFilesOf } from './gate-files.ts';
export { openTreeReader } from './git-reader.ts';
export { hiddenFailures } from './hidden.ts';
export { compareInventories, readCases, writeCases } from './inventory.ts';
export { withNamedFiles } from './named-files.ts';
export { isProtected, kindOf } from './protected.ts';
