import { buildCommand } from '@stricli/core';
import type { RunState } from '@agentgate/core';
import { openRunWorkspace, ownWorkspace, type WorkspaceHome } from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { shortTree } from '../view/words.ts';
import { openGood } from '../wire.ts';
import { treeAt } from './diff.ts';

interface Flags extends CommonFlags {
  to?: string;
}

const act = guarded(async function restore(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, runId, state } = await openGood(this, flags, name);
  const tree = /^[0-9a-f]{40}$/.test(flags.to ?? '') ? flags.to! : treeAt(state, flags.to ?? 'best');
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'busy') return busy(this, flags, lock.holder);
  try {
    return await bringBack(this, flags, home, state, tree);
  } finally {
    lock.release();
  }
});

async function bringBack(
  { terminal }: Context,
  flags: Flags,
  home: WorkspaceHome,
  { spec, runId }: RunState,
  tree: string,
): Promise<number> {
  const workspace = await openRunWorkspace(home, spec!);
  try {
    const { safety, written, deleted } = await workspace.restore(tree, `restore/${Date.now()}`);
    if (flags.json)
      terminal.out(JSON.stringify({ kind: 'restored', tree, before: safety, written, deleted }));
    else {
      terminal.out(`The directory is now tree ${shortTree(tree)}: ${written} written, ${deleted} deleted.`);
      if (safety !== tree)
        terminal.out(
          `What was there before is kept: agentgate restore ${runId}${terminal.cwd === home.root ? '' : ` -C ${home.root}`} --to ${safety}`,
        );
    }
    return exitCode.ok;
  } finally {
    await workspace.close();
  }
}

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
