import { buildCommand } from '@stricli/core';
import { restoreTree, treeAt } from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { shortTree } from '../view/words.ts';
import { openGood } from '../wire.ts';

interface Flags extends CommonFlags {
  to?: string;
}

const act = guarded(async function restore(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, runId, state } = await openGood(this, flags, name);
  const tree = /^[0-9a-f]{40}$/.test(flags.to ?? '') ? flags.to! : treeAt(state, flags.to ?? 'best');
  const done = await restoreTree(home, state, tree);
  if (done.kind === 'busy') return busy(this, flags, done.holder);
  const { before, written, deleted } = done;
  const { terminal } = this;
  if (flags.json) terminal.out(JSON.stringify(done));
  else {
    terminal.out(`The directory is now tree ${shortTree(tree)}: ${written} written, ${deleted} deleted.`);
    if (before !== tree)
      terminal.out(
        `What was there before is kept: agentgate restore ${runId}${terminal.cwd === home.root ? '' : ` -C ${home.root}`} --to ${before}`,
      );
  }
  return exitCode.ok;
});

export const restore = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      to: {
        kind: 'parsed',
        parse: String,
        brief: 'best (default), last, an iteration (0 is before the run), or a tree',
        optional: true,
        placeholder: 'n',
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'bring back the best tree of a run, or any other',
    fullDescription:
      'What is in the directory now is kept first, so nothing is lost. Ignored files are not touched.\n\nExample:\n  agentgate restore 7f3k2p --to 3',
  },
});
