export { type StorePromise, storeConformance } from './conformance.ts';
export { openHistoryTail } from './history-tail.ts';
export { type Chunk, type Look, type LogTail, openLogTail } from './log-tail.ts';
export { guardedState } from './log-file.ts';
export { type LogContents, readLog, type ScannedLog, scanLog, sealLine } from './log-read.ts';
export { makeMemoryStore, type MemoryStoreOptions } from './memory-store.ts';
export type { InboxRequest } from './request.ts';
export { refOf, sha256 } from './hash.ts';
export type { Letter } from './runs.ts';
export {
  type Beat,
  openRunStore,
  type RunStore,
  type RunStoreOptions,
  readHistory,
  removedMark,
  reserveName,
} from './runs.ts';
export { type Disk, type OpenFile, systemDisk } from './disk.ts';
export { diskKind, warnOfNetwork } from './file-system.ts';
export { findHome, listHomes, openHome, type WorkspaceHome } from './state-home.ts';
export { stateRoot } from './state-root.ts';
