import type { Agent, AgentKind } from '@agentgate/core';
import { acpAgent } from './acp.ts';
import { commandAgent } from './command.ts';
import { headlessAgent } from './headless.ts';
import { scriptedAgent } from './scripted.ts';

const agents: Record<AgentKind, Agent> = {
  command: commandAgent,
  scripted: scriptedAgent,
  claude: headlessAgent,
  codex: headlessAgent,
  gemini: headlessAgent,
  opencode: headlessAgent,
  qwen: headlessAgent,
  acp: acpAgent,
};

/** Lets the agent that the spec names work once. */
export const build: Agent = (request) => agents[request.spec.kind](request);
