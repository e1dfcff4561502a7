import { expect, it } from 'vitest';
import { outcomeOf } from '../support/command.ts';
import type { Act } from '../model/script.ts';
import { projectWith, stageOf } from './errand.ts';

const server = { command: 'agentgate', args: ['mcp'] };

/** How each is given the tools for one run, and how its model calls one. */
const given = {
  claude: {
    args: ['--mcp-config', JSON.stringify({ mcpServers: { agentgate: server } })],
    allow: ['mcp__agentgate__give_up'],
    call: { tool: 'mcp__agentgate__give_up', input: { reason: 'It cannot be.' } },
  },
  codex: {
    args: ['-c', 'mcp_servers.agentgate.command="agentgate"', '-c', 'mcp_servers.agentgate.args=["mcp"]'],
    allow: [],
    call: { tool: 'give_up', namespace: 'mcp__agentgate', input: { reason: 'It cannot be.' } },
  },
} as const;

it.each(['claude', 'codex'] as const)(
  '%s gives up by its tool, and the run ends with its reason',
  async (name) => {
    const { args, call } = given[name];
    const agent = {
      kind: name,
      args: name === 'claude' ? [...args, '--allowedTools', ...given.claude.allow] : args,
    };
    const script = [{ do: [call as Act] }, { say: 'I have given up.' }];
    const { agentgate, calls } = await stageOf(name, script, projectWith({ agent, stuck: 'off' }));
    const ended = await agentgate('run', '--json');
    expect(outcomeOf(ended), `${ended.stderr}${calls[1]?.newest}`).toMatchObject({
      code: 'agent.gave-up',
      reason: 'the agent gave up: It cannot be.',
    });
  },
);
