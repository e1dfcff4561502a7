export { type LogContents, readLog } from './log-file.ts';
export { type InboxRequest, openRunStore, type RunStore, readHistory } from './runs.ts';
export { findHome, listHomes, openHome, stateRoot, type WorkspaceHome } from './state-home.ts';
