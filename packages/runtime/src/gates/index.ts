import type { Gate, GateSpec } from '@agentgate/core';
import { judgeArtifact } from './artifact.ts';
import { judgeCommand } from './command.ts';

/** Every kind of gate, one line each. */
export const gates: Record<GateSpec['kind'], Gate> = {
  command: judgeCommand,
  artifact: judgeArtifact,
};

/** Judges one gate on one tree, whatever its kind. Never throws for a failing gate. */
export const judge: Gate = (request) => gates[request.gate.kind](request);
