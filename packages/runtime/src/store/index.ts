export { type StorePromise, storeConformance } from './conformance.ts';
export { type LogContents, readLog } from './log-file.ts';
export { makeMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { InboxRequest } from './request.ts';
export type { Letter } from './runs.ts';
export { openRunStore, type RunStore, readHistory } from './runs.ts';
export { findHome, listHomes, openHome, stateRoot, type WorkspaceHome } from './state-home.ts';
