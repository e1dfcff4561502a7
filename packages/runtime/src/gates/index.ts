import type { Gate, GateSpec } from '@agentgate/core';
import { judgeApproval } from './approval.ts';
import { judgeArtifact } from './artifact.ts';
import { judgeChecklist } from './checklist/index.ts';
import { judgeCi } from './ci/index.ts';
import { judgeCommand } from './command.ts';
import { judgeConvergence } from './convergence.ts';
import { judgeCustom } from './custom.ts';
import { withGenerator } from './generator.ts';
import { judgeHttp } from './http.ts';
import { judgeByRubric } from './judge/index.ts';
import { judgeLevels } from './levels/index.ts';

/** Every kind of gate, one line each. */
export const gates: Record<GateSpec['kind'], Gate> = {
  command: judgeCommand,
  artifact: judgeArtifact,
  levels: judgeLevels,
  http: judgeHttp,
  ci: judgeCi,
  checklist: judgeChecklist,
  convergence: judgeConvergence,
  approval: judgeApproval,
  judge: judgeByRubric,
  custom: judgeCustom,
};

/** Judges one gate on one tree, whatever its kind. Never throws for a failing gate. */
export const judge: Gate = withGenerator((request) => gates[request.gate.kind](request));
