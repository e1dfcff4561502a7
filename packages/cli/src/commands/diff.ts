import { buildCommand } from '@stricli/core';
import { FaultError, fault, type RunState } from '@agentgate/core';
import { openRunWorkspace } from '@agentgate/runtime';
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
  const workspace = await openRunWorkspace(home, state.spec!);
  try {
    const color = this.terminal.colors.isColorSupported && !flags.json;
    const text = await workspace.diff(from, to, { stat: flags.stat === true, color });
    if (flags.json) this.terminal.out(JSON.stringify({ kind: 'diff', from, to, diff: text }));
    else this.terminal.out(text.trimEnd() || 'No difference.');
    return exitCode.ok;
  } finally {
    await workspace.close();
  }
});

/** The tree an iteration left: a number (0 is the baseline), `best` or `last`. */
export function treeAt(state: RunState, place: string): string {
  if (place === 'best' && state.ended?.best) return state.ended.best.tree;
  if (place === 'best' && state.best) return state.best.tree;
  if (place === 'last') {
    const last = state.ended?.tree ?? state.current?.tree ?? state.history.at(-1)?.tree ?? state.baseTree;
    if (last) return last;
  }
  if (place === '0' && state.baseTree) return state.baseTree;
  const record = state.history.find((one) => String(one.iteration) === place);
  if (record) return record.tree;
  const named = namedTree(state, place);
  if (named) return named;
  throw new FaultError(
    fault(
      'usage',
      `there is no iteration "${place}" in run ${state.runId}; give a number from 0 to ${state.iteration}, best or last`,
    ),
  );
}

/** A tree of this run by the beginning of its name, as it is printed everywhere. */
function namedTree(state: RunState, place: string): string | null {
  if (!/^[0-9a-f]{6,40}$/.test(place)) return null;
  const known = [state.baseTree, state.ended?.tree, ...state.history.map((one) => one.tree)];
  const found = new Set(known.filter((tree) => tree?.startsWith(place)));
  return found.size === 1 ? [...found][0]! : null;
}

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
