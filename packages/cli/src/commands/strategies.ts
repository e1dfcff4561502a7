import { buildCommand } from '@stricli/core';
import { strategies as registry } from '@agentgate/core';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';

const act = guarded(function strategies(this: Context, flags: CommonFlags): number {
  for (const one of registry.describe()) {
    this.terminal.out(
      flags.json ? JSON.stringify({ kind: 'strategy', ...one }) : `${one.type.padEnd(8)} ${one.description}`,
    );
  }
  return exitCode.ok;
});

export const strategies = buildCommand({
  func: act,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'list the strategies',
    fullDescription:
      'Example:\n  agentgate run --strategy ralph,max=30 -p "…" --gate "npm test" -- ./agent.sh',
  },
});
