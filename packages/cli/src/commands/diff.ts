import { buildCommand } from '@stricli/core';
import { diffTrees, treeAt } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { openGood } from '../wire.ts';

interface Flags extends CommonFlags {
  from?: string;
  to?: string;
  stat?: boolean;
}

const act = guarded(async function diff(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, state } = await openGood(this, flags, name);
  const from = treeAt(state, flags.from ?? '0');
  const to = treeAt(state, flags.to ?? 'last');
  const color = this.terminal.colors.isColorSupported && !flags.json;
  const text = await diffTrees(home, state, { from, to }, { stat: flags.stat === true, color });
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'diff', from, to, diff: text }));
  else this.terminal.out(text.trimEnd() || 'No difference.');
  return exitCode.ok;
});

export const diff = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      from: {
        kind: 'parsed',
        parse: String,
        brief: 'an iteration (0 is before the run), best or last',
        optional: true,
        placeholder: 'n',
      },
      to: {
        kind: 'parsed',
        parse: String,
        brief: 'an iteration, best or last',
        optional: true,
        placeholder: 'n',
      },
      stat: { kind: 'boolean', brief: 'only the files and how much', optional: true, withNegated: false },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show what changed between two iterations',
    fullDescription:
      'From before the run to its last tree, unless said otherwise.\n\nExample:\n  agentgate diff --from 2 --to 3',
  },
});
