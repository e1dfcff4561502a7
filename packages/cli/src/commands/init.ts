import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { findHome, findSpecFile, type ProposedGate, proposeGates } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { placeholderTask } from '../refuse.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  force?: boolean;
}

const act = guarded(function init(this: Context, flags: Flags): number {
  const { root } = findHome(rootOf(this, flags), this.env);
  const there = findSpecFile(root);
  if (there && !flags.force) {
    throw new FaultError(fault('usage', `${there} is there already; --force writes it anew`));
  }
  const gates = proposeGates(root);
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'proposal', gates }));
  const path = join(root, 'agentgate.yaml');
  if (existsSync(path) && flags.force) this.terminal.err('agentgate: agentgate.yaml is written anew');
  writeSpec(path, specText(gates));
  if (flags.json) return exitCode.ok;
  this.terminal.out('Wrote agentgate.yaml.');
  for (const { name, run, because } of gates) this.terminal.out(`  ${name.padEnd(8)} ${run}    (${because})`);
  if (gates.length === 0)
    this.terminal.out('  No gate was found in this project; write at least one before you run.');
  this.terminal.out('Say what to do in "task", name your agent, then: agentgate check, and agentgate run.');
  return exitCode.ok;
});

function writeSpec(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new FaultError(fault('workspace.denied', `cannot write ${path}`, error));
  }
}

function specText(gates: readonly ProposedGate[]): string {
  const lines = gates.map(({ name, run, severity }) =>
    severity === 'hard'
      ? `  ${name}: { run: ${yamlText(run)} }`
      : `  ${name}: { run: ${yamlText(run)}, severity: soft }`,
  );
  return [
    '# AgentGate: what to do, who does it, and what proves that it is done.',
    `task: ${placeholderTask}   # or {file: PROMPT.md}`,
    '',
    '# Any command; the prompt comes on its standard input.',
    'agent: { kind: command, run: [claude, -p] }',
    '',
    '# Every hard gate must pass on one and the same tree.',
    ...(lines.length > 0 ? ['gates:', ...lines] : ['gates: {}   # such as  tests: { run: npm test }']),
    '',
    'limits: { iterations: 20, wallClock: 1h }',
    'strategy: hybrid',
    '',
  ].join('\n');
}

const yamlText = (text: string): string => (/^[\w ./@-]+$/.test(text) ? text : JSON.stringify(text));

export const init = buildCommand({
  func: act,
  parameters: {
    flags: {
      force: {
        kind: 'boolean',
        brief: 'write the file anew if it is there',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'write agentgate.yaml by looking at the project',
    fullDescription:
      'Looks at package.json, tsconfig.json and the linter first, then at other ecosystems.\n\nExample:\n  agentgate init',
  },
});
