import type { AgentSpec } from './spec.ts';

/** The agent that works on a rung of the ladder; the first one is 0. */
export function agentOf(agent: AgentSpec, rung: number): AgentSpec {
  const next = rung === 0 ? undefined : agent.escalate[Math.min(rung, agent.escalate.length) - 1];
  return next === undefined ? agent : ({ ...agent, ...next } as AgentSpec);
}
