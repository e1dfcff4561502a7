import { type KnownAgent, knownAgents } from '../agents/known.ts';
import { findProgram } from '../find-program.ts';

/** The agent to propose, and which others are here. */
export interface ProposedAgent {
  program: string;
  title: string;
  agent: KnownAgent['agent'];
  /** Null when none of those we know is here; then the first is proposed, with the way to get it. */
  path: string | null;
  install: string;
  others: string[];
}

/** Looks which of the known coding agents are on the PATH. */
export function proposeAgent(root: string, env: NodeJS.ProcessEnv = process.env): ProposedAgent {
  const here = knownAgents.filter(({ program }) => findProgram(program, root, env) !== null);
  const { program, title, agent, install } = here[0] ?? (knownAgents[0] as KnownAgent);
  const others = here.slice(1).map((one) => one.program);
  return { program, title, agent, install, path: findProgram(program, root, env), others };
}
