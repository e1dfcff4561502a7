export { findAgentFault } from './agents/program.ts';
export { readScript, Script, Turn } from './agents/script.ts';
export { type Control, makeControl } from './driver/control.ts';
export { drive } from './driver/drive.ts';
export type { Ports, Watcher } from './driver/ports.ts';
export { ownWorkspace } from './driver/owner.ts';
export {
  openRunWorkspace,
  resumeRun,
  type Session,
  type SessionRequest,
  startRun,
} from './driver/session.ts';
export { judge } from './gates/index.ts';
export * from './process/index.ts';
export { proposeGates, type ProposedGate } from './spec/detect.ts';
export {
  findSpecFile,
  type LoadedSpec,
  type LocatedProblem,
  loadSpec,
  namesIn,
  type Override,
} from './spec/load.ts';
export * from './store/index.ts';
export { openWorkspace } from './workspace/index.ts';
