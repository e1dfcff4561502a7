import * as z from 'zod';
import { isRecord } from '../words.ts';
import { ApprovalGate } from './approval.ts';
import { ArtifactGate } from './artifact.ts';
import { ChecklistGate } from './checklist.ts';
import { CiGate } from './ci.ts';
import { CommandGate } from './command.ts';
import { ConvergenceGate } from './convergence.ts';
import { CustomGate } from './custom.ts';
import { HttpGate } from './http.ts';
import { JudgeGate } from './judge.ts';
import { LevelsGate } from './levels.ts';

/** Every kind of gate, one line each. */
const kinds = [
  CommandGate,
  ArtifactGate,
  LevelsGate,
  HttpGate,
  CiGate,
  ChecklistGate,
  ConvergenceGate,
  ApprovalGate,
  JudgeGate,
  CustomGate,
] as const;

export const gateKinds = kinds.map((one) => one.shape.kind.value);

export const GateKinds = z.discriminatedUnion('kind', kinds, {
  error: () => `a gate of kind ${gateKinds.join(', ')}`,
});

/** A gate, in its short form or with all its options. */
export const GateInput = z.preprocess(asGate, GateKinds);

/** Options that say of which kind a gate is; the first that is there decides. */
export const toldBy: readonly (readonly [string, string])[] = [
  ['rubric', 'judge'],
  ['run', 'command'],
  ['module', 'custom'],
  ['url', 'http'],
  ['provider', 'ci'],
  ['workflow', 'ci'],
  ['checks', 'ci'],
  ['items', 'checklist'],
  ['contracts', 'levels'],
  ['tests', 'levels'],
  ['blackbox', 'levels'],
  ['sanity', 'levels'],
  ['approvers', 'approval'],
  ['minApprovals', 'approval'],
  ['exists', 'artifact'],
  ['notExists', 'artifact'],
  ['contains', 'artifact'],
];

function asGate(value: unknown): unknown {
  if (typeof value === 'string' || Array.isArray(value)) return { kind: 'command', run: value };
  if (!isRecord(value) || 'kind' in value) return value;
  // The older form of a single check.
  if ('type' in value && 'value' in value) {
    const { type, value: wanted, ...rest } = value;
    return { kind: 'checklist', items: [{ type, value: wanted }], ...rest };
  }
  const kind = toldBy.find(([option]) => option in value)?.[1] ?? 'command';
  return { kind, ...value };
}
