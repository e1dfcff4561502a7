import { type Fault, fault, type PlainAgent } from '@agentgate/core';
import { findProgram } from '../find-program.ts';
import { knownAgents } from './known.ts';

/** Says whether the agent's program can be found, before anything is run. Null when all is well. */
export function findAgentFault(spec: PlainAgent, root: string): Fault | null {
  const program = programOf(spec);
  if (program === null) return null;
  return findProgram(program, root) ? null : programMissing(program);
}

/** The program that the agent is; null where only a shell can tell, or where it is none. */
function programOf(spec: PlainAgent): string | null {
  if (spec.kind === 'scripted') return null;
  if ('run' in spec) return typeof spec.run === 'string' ? null : spec.run[0]!;
  return spec.program ?? spec.kind;
}

export function programMissing(program: string): Fault {
  const known = knownAgents.find((one) => one.program === program)?.install;
  const how = known ?? 'install it, or correct the command of the agent';
  return fault('program.missing', `the agent's program "${program}" was not found; ${how}`);
}
