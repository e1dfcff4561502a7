import { buildCommand } from '@stricli/core';
import { specJsonSchema } from '@agentgate/core';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';

const act = guarded(function schema(this: Context, flags: CommonFlags): number {
  const text = specJsonSchema();
  this.terminal.out(flags.json ? JSON.stringify(text) : JSON.stringify(text, null, 2));
  return exitCode.ok;
});

export const schema = buildCommand({
  func: act,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'print the JSON Schema of agentgate.yaml',
    fullDescription: [
      'For editors and other tools. Where AgentGate is installed in a project, the same schema lies in',
      'node_modules/agentgate/schema/agentgate.schema.json; --json prints it on one line.',
      '',
      'Example:',
      '  agentgate schema > agentgate.schema.json',
    ].join('\n'),
  },
});
