import { buildCommand } from '@stricli/core';
import { explainRun, mapOutcome } from '@agentgate/core';
import { isDrivenNow } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { wrap } from '../view/wrap.ts';
import { openGood } from '../wire.ts';
import { openWords } from '../view/open.ts';

const act = guarded(async function explain(
  this: Context,
  flags: CommonFlags,
  name?: string,
): Promise<number> {
  const { home, runId, events, state, isDamaged } = await openGood(this, flags, name);
  const told = explainRun(events);
  if (flags.json) {
    for (const one of told) this.terminal.out(JSON.stringify({ kind: 'explanation', runId, ...one }));
    if (state.ended) {
      const { status, code } = state.ended;
      this.terminal.out(
        JSON.stringify({ kind: 'outcome', runId, status, code, elsewhere: mapOutcome(status, code) }),
      );
    }
    return exitCode.ok;
  }
  for (const { sentences } of told) {
    for (const line of wrap(sentences.join(' '), Math.min(this.terminal.width, 100))) this.terminal.out(line);
    this.terminal.out('');
  }
  for (const caveat of state.ended?.caveats ?? []) this.terminal.out(`Note: ${caveat}.`);
  if (!state.ended && !isDamaged) this.terminal.out(openWords(state, isDrivenNow(home, runId)));
  return exitCode.ok;
});

export const explain = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: common,
    aliases: commonAliases,
  },
  docs: {
    brief: 'tell in plain words why each iteration went on or stopped',
    fullDescription: 'Everything it says comes from the log.\n\nExample:\n  agentgate explain 7f3k2p',
  },
});
