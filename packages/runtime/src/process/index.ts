export { cleanText } from './clean-text.ts';
export { endMarked, listMarked } from './ending.ts';
export { agentEnvironment, gateEnvironment } from './environment.ts';
export type { LockResult } from './lock.ts';
export { takeLock } from './lock.ts';
export type { Holder } from './lock-holder.ts';
export type { ProcessRequest } from './request.ts';
export type { ProcessEnd, ProcessResult } from './result.ts';
export { supervise } from './supervise.ts';
