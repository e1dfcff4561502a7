import { type AgentSpec, type Fault, fault } from '@agentgate/core';
import { findProgram } from '../find-program.ts';
import { knownAgents } from './known.ts';

/** Says whether the agent's program can be found, before anything is run. Null when all is well. */
export function findAgentFault(spec: AgentSpec, root: string): Fault | null {
  if (spec.kind !== 'command' || typeof spec.run === 'string') return null;
  const program = spec.run[0]!;
  return findProgram(program, root) ? null : programMissing(program);
}

export function programMissing(program: string): Fault {
  const known = knownAgents.find((one) => one.program === program)?.install;
  const how = known ?? 'install it, or correct the command after --';
  return fault('program.missing', `the agent's program "${program}" was not found; ${how}`);
}
