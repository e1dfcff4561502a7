import type { RunState } from './state.ts';
import type { AgentSpec, PlainAgent } from './spec.ts';

/** The agent that works on a rung of the ladder; the first one is 0. */
export function agentOf(agent: AgentSpec, rung: number): PlainAgent {
  const next = rung === 0 ? undefined : agent.escalate[Math.min(rung, agent.escalate.length) - 1];
  if (next === undefined) return agent;
  // Another agent knows nothing of the options of this one.
  return 'kind' in next ? (next as PlainAgent) : ({ ...agent, ...next } as PlainAgent);
}

/** The session that the next iteration goes on in; null for a fresh context. */
export function sessionFor({ spec, rung, sessionId }: RunState): string | null {
  if (!spec || sessionId === null) return null;
  const agent = agentOf(spec.agent, rung);
  // A command or a script decides by itself what it makes of a session.
  if (agent.kind === 'command' || agent.kind === 'scripted') return sessionId;
  const context = agent.context ?? (spec.strategy.kind === 'ralph' ? 'fresh' : 'resume');
  return context === 'fresh' ? null : sessionId;
}

/** What an agent is called in a table: its kind, or the program of its command. */
export function agentLabel(agent: AgentSpec): string {
  if (!('run' in agent)) return agent.kind;
  const first = typeof agent.run === 'string' ? agent.run.split(/\s+/)[0]! : agent.run[0]!;
  return first.split('/').at(-1) || first;
}
