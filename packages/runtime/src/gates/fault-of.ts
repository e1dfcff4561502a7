import { FaultError, fault } from '@agentgate/core';
import { type Halt, halt } from './step.ts';

/** What the world refused while a gate looked at it: the gate could not judge. A mistake of ours stays one. */
export function haltOf(error: unknown): Halt {
  if (error instanceof FaultError) return halt({ kind: 'unable', fault: error.fault });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^E[A-Z0-9]+$/.test(code)) throw error;
  const message = `cannot look at the workspace: ${(error as Error).message}; see that its files can be read`;
  return halt({ kind: 'unable', fault: fault('gate.read', message, error) });
}
