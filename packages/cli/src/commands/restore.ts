import { buildCommand } from '@stricli/core';
import { openWorkspace, takeLock } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { shortTree } from '../view/words.ts';
import { openRun } from '../wire.ts';
import { treeAt } from './diff.ts';

interface Flags extends CommonFlags {
  to?: string;
}

const act = guarded(async function restore(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, runId, state } = await openRun(this, flags, name);
  const tree = /^[0-9a-f]{40}$/.test(flags.to ?? '') ? flags.to! : treeAt(state, flags.to ?? 'best');
  const lock = await takeLock(home.lock, { pid: process.pid, runId, since: new Date().toISOString() });
  if (lock.kind === 'busy') {
    this.terminal.err(
      `agentgate: run ${lock.holder?.runId ?? ''} works in this directory; end it with agentgate stop first`,
    );
    return exitCode.busy;
  }
  const workspace = await openWorkspace({ root: home.root, gitDir: home.gitDir });
  try {
    const { safety, written, deleted } = await workspace.restore(tree, `restore/${Date.now()}`);
    if (flags.json)
      this.terminal.out(JSON.stringify({ kind: 'restored', tree, before: safety, written, deleted }));
    else {
      this.terminal.out(
        `The directory is now tree ${shortTree(tree)}: ${written} written, ${deleted} deleted.`,
      );
      if (safety !== tree)
        this.terminal.out(`What was there before is kept: agentgate restore ${runId} --to ${safety}`);
    }
    return exitCode.ok;
  } finally {
    await workspace.close();
    lock.release();
  }
});

export const restore = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'the run; the newest by default', placeholder: 'run', optional: true },
      ],
    },
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
