export { type Audit, type AuditedGate, auditWork } from './audit/index.ts';
export * from './catalogue/index.ts';
export { findProgram } from './find-program.ts';
export { makeFolder } from './make-folder.ts';
export { answerCall, rootFor, takeBack } from './held/answer.ts';
export {
  type Binding,
  isWithin,
  leaveWords,
  listArmings,
  listBindings,
  listUnarmed,
  realFolder,
  removeArming,
  writeArming,
} from './held/files.ts';
export { stillUnseen } from './held/leave.ts';
export { longestPause } from './held/pause.ts';
export { disarm, heldSession, isHeldNow } from './held/release.ts';
export { agentNamed } from './agents/known.ts';
export { findAgentFault } from './agents/program.ts';
export { readScript, Script, Turn } from './agents/script.ts';
export * from './controller/index.ts';
export * from './delivery/index.ts';
export * from './derived/index.ts';
export * from './detect/index.ts';
export * from './doctor/index.ts';
export { type Control, makeControl } from './driver/control.ts';
export { type Begun, beginRun, goOnWith, type Said, type Threshold } from './driver/begin.ts';
export { drive } from './driver/drive.ts';
export { runAround } from './driver/inside.ts';
export { type JudgedOnce, judgeOnce } from './driver/judge-once.ts';
export { tryWatch, watchInbox } from './driver/inbox.ts';
export type { Ports, Watcher } from './driver/ports.ts';
export { markerOf } from './driver/marker.ts';
export { isOwned, ownerOf, ownWorkspace } from './driver/owner.ts';
export { readReceipt } from './driver/receipt.ts';
export { chooseSandbox, judgeShutIn } from './driver/sandbox.ts';
export {
  openRunWorkspace,
  resumeRun,
  type Session,
  type SessionRequest,
  startRun,
} from './driver/session.ts';
export { judge } from './gates/index.ts';
export { type AdvisorRequest, findStrategyFault, openAdvisor } from './modules/index.ts';
export * from './learned/index.ts';
export * from './notify/index.ts';
export * from './plan/index.ts';
export * from './process/index.ts';
export * from './proof/index.ts';
export { redact, redactAll } from './redact/index.ts';
export * from './retention/index.ts';
export {
  findSpecFile,
  type LoadedSpec,
  type LoadOptions,
  type LocatedNote,
  type LocatedProblem,
  loadSpec,
  namesIn,
  type Override,
} from './spec/load.ts';
export { listProfiles, type Profile, profileFolders } from './spec/profiles.ts';
export { extendedBy, readProfile, type ReadProfile } from './spec/read-profile.ts';
export { defineSpec } from './spec/typescript.ts';
export * from './steer/index.ts';
export * from './store/index.ts';
export { openWorkspace } from './workspace/index.ts';
