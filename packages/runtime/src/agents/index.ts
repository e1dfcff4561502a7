import type { Agent, AgentSpec } from '@agentgate/core';
import { commandAgent } from './command.ts';
import { scriptedAgent } from './scripted.ts';

const agents: Record<AgentSpec['kind'], Agent> = {
  command: commandAgent,
  scripted: scriptedAgent,
};

/** Lets the agent that the spec names work once. */
export const build: Agent = (request) => agents[request.spec.kind](request);
