import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import { type AgentSpec, type Fault, fault } from '@agentgate/core';

const installs: Record<string, string> = {
  claude: 'npm install -g @anthropic-ai/claude-code',
  codex: 'npm install -g @openai/codex',
  gemini: 'npm install -g @google/gemini-cli',
  opencode: 'npm install -g opencode-ai',
};

/** Says whether the agent's program can be found, before anything is run. Null when all is well. */
export function findAgentFault(spec: AgentSpec, root: string): Fault | null {
  if (spec.kind !== 'command' || typeof spec.run === 'string') return null;
  const program = spec.run[0]!;
  return isProgram(program, root) ? null : programMissing(program);
}

export function programMissing(program: string): Fault {
  const how = installs[program] ?? 'install it, or correct the command after --';
  return fault('program.missing', `the agent's program "${program}" was not found; ${how}`);
}

function isProgram(program: string, root: string): boolean {
  if (program.includes('/')) return isExecutable(isAbsolute(program) ? program : resolve(root, program));
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .some((dir) => dir !== '' && isExecutable(join(dir, program)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not ours to run: either way it is not the program.
    return false;
  }
}
