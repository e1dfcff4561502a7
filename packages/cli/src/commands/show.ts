import { buildCommand } from '@stricli/core';
import { emptyState, evolve, FaultError, fault, parseFinalReceipt } from '@agentgate/core';
import { isDrivenNow, readReceipt, type RunStore } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { linesFor } from '../view/live.ts';
import { kindFirst } from '../view/words.ts';
import { openGood } from '../wire.ts';
import { openWords } from '../view/open.ts';

interface Flags extends CommonFlags {
  output?: string;
  receipt?: boolean;
}

const act = guarded(async function show(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, store, runId, events, state, isDamaged } = await openGood(this, flags, name);
  if (flags.receipt) return showReceipt(this, flags, store, runId);
  if (flags.output !== undefined)
    return showOutput(
      this,
      flags.output,
      runId,
      events.slice(events.findLastIndex((one) => one.kind === 'run.started')),
      store.recall,
    );
  if (flags.json) {
    for (const event of events) this.terminal.out(JSON.stringify(kindFirst(event)));
    return exitCode.ok;
  }
  let at = emptyState();
  for (const event of events) {
    at = evolve(at, event);
    for (const line of linesFor(event, at, this.terminal)) this.terminal.out(line);
  }
  if (!state.ended && !isDamaged) this.terminal.out(openWords(state, isDrivenNow(home, runId)));
  this.terminal.out(this.terminal.colors.dim(`Log: ${store.dir(runId)}/log.jsonl`));
  return exitCode.ok;
});

/** The receipt that was written when the run ended; where there is none, the one that its log gives. */
async function showReceipt(
  { terminal }: Context,
  { json }: Flags,
  store: RunStore,
  runId: string,
): Promise<number> {
  const text = store.receipt(runId) ?? (await readReceipt(store, runId));
  if (text === null) {
    const why = `run ${runId} has not ended, so it has no receipt yet; agentgate resume ${runId} goes on with it`;
    throw new FaultError(fault('run.open', why));
  }
  const compact = json ? parseFinalReceipt(text) : null;
  if (compact) terminal.out(JSON.stringify(compact));
  else if (!terminal.exact(Buffer.from(text))) terminal.out(text.trimEnd());
  return exitCode.ok;
}

/** What the agent or a gate printed in one iteration: `3` or `3:tests`. */
function showOutput(
  { terminal }: Context,
  place: string,
  runId: string,
  events: Awaited<ReturnType<RunStore['read']>>,
  recall: (runId: string, ref: string) => string | null,
): number {
  const [iteration, gate] = place.split(':');
  const event = events.findLast((one) =>
    gate === undefined
      ? one.kind === 'agent.ended' && one.iteration === Number(iteration)
      : one.kind === 'gate.judged' && one.iteration === Number(iteration) && one.gate === gate,
  );
  if (!event || !('output' in event)) {
    terminal.err(`agentgate: run ${runId} has no output at ${place}; give an iteration, or iteration:gate`);
    return exitCode.usage;
  }
  terminal.out(
    event.output === null ? '(it printed nothing)' : (recall(runId, event.output) ?? '(no longer kept)'),
  );
  return exitCode.ok;
}

export const show = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      output: {
        kind: 'parsed',
        parse: String,
        brief: 'what the agent printed in an iteration (3), or a gate (3:tests)',
        optional: true,
        placeholder: 'n[:gate]',
      },
      receipt: {
        kind: 'boolean',
        brief: 'how the run ended, on what evidence, and the hash of its log',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show a run from its log',
    fullDescription: 'Example:\n  agentgate show 7f3k2p --output 3:tests',
  },
});
