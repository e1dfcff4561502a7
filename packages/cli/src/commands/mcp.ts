import { buildCommand } from '@stricli/core';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { rootOf } from '../wire.ts';

const act = guarded(async function mcp(this: Context, flags: CommonFlags): Promise<number> {
  // Loaded only here: no other command needs the protocol.
  const { serveAgent } = await import('../mcp/server.ts');
  await serveAgent({ cwd: rootOf(this, flags), env: this.env, version: this.version });
  return exitCode.ok;
});

export const mcp = buildCommand({
  func: act,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'tools for the agent: see the gates, check, claim, give up, ask a person, read the budget',
    fullDescription: [
      'A server of the Model Context Protocol on standard input and output, started by an agent. It tells the agent',
      'by what it is judged and takes its word; nothing in it changes a gate, a limit or a verdict.',
      '',
      'Example, for Claude Code:',
      '  claude mcp add agentgate -- agentgate mcp',
    ].join('\n'),
  },
});
