export { type Inspection, inspectProject, proposeGates } from './inspect.ts';
export type { ProposedGate } from './proposed-gate.ts';
export { findLack, type Lack } from './lack.ts';
export { proposeAgent, type ProposedAgent } from './agent.ts';
export { detectedSpec } from './detected-spec.ts';
export { placeholderGate, placeholderTask } from './placeholder.ts';
