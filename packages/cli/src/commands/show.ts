import { buildCommand } from '@stricli/core';
import { evolve, emptyState } from '@agentgate/core';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { linesFor } from '../view/live.ts';
import { kindFirst } from '../view/words.ts';
import { isDriven, openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  output?: string;
}

const act = guarded(async function show(this: Context, flags: Flags, name?: string): Promise<number> {
  const { store, runId, events, state } = await openRun(this, flags, name);
  if (flags.output !== undefined)
    return showOutput(this, flags.output, runId, await store.read(runId), store.recall);
  if (flags.json) {
    for (const event of events) this.terminal.out(JSON.stringify(kindFirst(event)));
    return exitCode.ok;
  }
  let at = emptyState();
  for (const event of events) {
    at = evolve(at, event);
    for (const line of linesFor(event, at, this.terminal)) this.terminal.out(line);
  }
  if (!state.ended)
    this.terminal.out(
      isDriven(store, runId)
        ? 'The run is going on.'
        : `The run was cut short; agentgate resume ${runId} goes on with it.`,
    );
  this.terminal.out(this.terminal.colors.dim(`Log: ${store.dir(runId)}/log.jsonl`));
  return exitCode.ok;
});

/** What the agent or a gate printed in one iteration: `3` or `3:tests`. */
function showOutput(
  { terminal }: Context,
  place: string,
  runId: string,
  events: Awaited<ReturnType<import('@agentgate/runtime').RunStore['read']>>,
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
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show a run from its log',
    fullDescription: 'Example:\n  agentgate show 7f3k2p --output 3:tests',
  },
});
