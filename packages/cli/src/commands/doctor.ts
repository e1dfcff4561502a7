import { buildCommand } from '@stricli/core';
import { type Diagnosis, examine, findHome, type Remark } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, configFlag, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import type { Terminal } from '../terminal.ts';
import { pad, plural } from '../view/words.ts';
import { lookAtHooks } from '../hook/state.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  config?: string;
}

const act = guarded(async function doctor(this: Context, flags: Flags): Promise<number> {
  const { root } = findHome(rootOf(this, flags), this.env);
  this.terminal.status(this.terminal.colors.dim('looking around'));
  const { able, remarks } = await examine(root, this.env, flags.config);
  const diagnosis = { able, remarks: [...remarks, ...(await lookAtHooks(root, this.env))] };
  this.terminal.status(null);
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'doctor', ...diagnosis }));
  else tell(this.terminal, diagnosis);
  return diagnosis.able ? exitCode.ok : exitCode.error;
});

function tell(terminal: Terminal, { able, remarks }: Diagnosis): void {
  const width = Math.max(...remarks.map(({ about }) => about.length));
  for (const remark of remarks) terminal.out(line(remark, width, terminal));
  const bad = remarks.filter(({ mark }) => mark === 'bad').length;
  terminal.out(
    able
      ? 'A run can start here.'
      : `A run cannot start here: ${plural(bad, 'thing')} to put right, marked ✗.`,
  );
}

function line({ mark, about, what, next }: Remark, width: number, { colors }: Terminal): string {
  const sign = { good: colors.green('✓'), lacking: colors.yellow('~'), bad: colors.red('✗') }[mark];
  return `${sign} ${pad(about, width)}  ${what}${next === undefined ? '' : colors.dim(`  → ${next}`)}`;
}

export const doctor = buildCommand({
  func: act,
  parameters: { flags: { config: configFlag, ...common }, aliases: commonAliases },
  docs: {
    brief: 'look whether a run can start here, and what is missing',
    fullDescription:
      'Looks at Node, git, the state directory, the workspace, locks, isolation, the spec with its gates, the known agents and their hooks. Exit 0 when a run can start, 4 when not.\n\nExample:\n  agentgate doctor',
  },
});
