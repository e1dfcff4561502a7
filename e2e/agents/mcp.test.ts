import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { outcomeOf } from '../support/command.ts';
import type { Act } from '../model/script.ts';
import { projectWith, stageOf } from './errand.ts';

/** The command by which a person gives each of them the tools, and how its model calls one. */
const given = {
  claude: { add: 'mcp add agentgate -- agentgate mcp', tool: (name: string) => `mcp__agentgate__${name}` },
  codex: { add: 'mcp add agentgate -- agentgate mcp', tool: (name: string) => name },
  gemini: { add: 'mcp add -s user agentgate agentgate mcp', tool: (name: string) => `mcp_agentgate_${name}` },
  opencode: { add: 'mcp add agentgate -- agentgate mcp', tool: (name: string) => `agentgate_${name}` },
  qwen: { add: 'mcp add agentgate agentgate mcp', tool: (name: string) => `mcp__agentgate__${name}` },
} as const;

it.each(['claude', 'codex', 'gemini', 'opencode', 'qwen'] as const)(
  '%s may use the tools that it was given, and the run ends with its reason',
  async (name) => {
    const call = (tool: string, input: Record<string, unknown>): Act => ({
      tool: given[name].tool(tool),
      input,
      ...(name === 'codex' ? { namespace: 'mcp__agentgate' } : {}),
    });
    const script = [
      { do: [call('check', {})] },
      { do: [call('budget', {})] },
      { do: [call('give_up', { reason: 'It cannot be.' })] },
      { say: 'I have given up.' },
    ];
    const stage = await stageOf(name, script, projectWith({ agent: { kind: name }, stuck: 'off' }));
    const around = { cwd: stage.place.workspace, env: stage.env, timeout: 60_000 };
    await promisify(execFile)(name, given[name].add.split(' '), around);
    if (name === 'codex') approve(stage.env['HOME']!);
    const ended = await stage.agentgate('run', '--json');
    const { calls } = stage;
    expect(outcomeOf(ended), `${ended.stderr}${calls[1]?.newest}`).toMatchObject({
      code: 'agent.gave-up',
      reason: 'the agent gave up: It cannot be.',
      iterations: 1,
    });
    expect(calls[1]?.newest).toContain('answer: `sh check.sh`: FAILS');
    // Also where the agent keeps from its servers where the records lie.
    expect(calls[2]?.newest).toContain('has used: 1 of 100 iterations');
  },
);

/** What the docs tell a person to write, without which it refuses to let a tool run the gates. */
function approve(home: string): void {
  const path = join(home, '.codex', 'config.toml');
  const text = readFileSync(path, 'utf8');
  const server = '[mcp_servers.agentgate]\n';
  expect(text).toContain(server);
  writeFileSync(path, text.replace(server, `${server}default_tools_approval_mode = "approve"\n`));
}
