import { readFileSync } from 'node:fs';
import { buildCommand } from '@stricli/core';
import { embedRun, emptyState, evolve, FaultError, fault, parseFinalReceipt } from '@agentgate/core';
import { isDrivenNow, readReceipt, type RunStore } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { makeRunFile } from '../run-file.ts';
import { linesFor } from '../view/live.ts';
import { kindFirst } from '../view/words.ts';
import { type OpenRun, openGood } from '../wire.ts';
import { openWords } from '../view/open.ts';
import { writeOut } from '../write-out.ts';

interface Flags extends CommonFlags {
  output?: string;
  receipt?: boolean;
  html?: string;
}

const act = guarded(async function show(this: Context, flags: Flags, name?: string): Promise<number> {
  const opened = await openGood(this, flags, name);
  const { home, store, runId, events, state, isDamaged } = opened;
  if (flags.receipt) return showReceipt(this, flags, store, runId);
  if (flags.output !== undefined)
    return showOutput(
      this,
      flags.output,
      runId,
      events.slice(events.findLastIndex((one) => one.kind === 'run.started')),
      store.recall,
    );
  if (flags.html !== undefined) return writePage(this, flags.html, opened);
  if (flags.json) {
    for (const event of events) this.terminal.out(JSON.stringify(kindFirst(event)));
    return exitCode.ok;
  }
  let at = emptyState();
  for (const event of events) {
    at = evolve(at, event);
    // One that worked in a directory of its own is a run of this workspace, and what comes next is said here.
    for (const line of linesFor(event, { ...at, root: home.root }, this.terminal)) this.terminal.out(line);
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

/** The run as one page that needs nothing else: to be opened, sent, or put beside a pull request. */
async function writePage(context: Context, path: string, opened: OpenRun): Promise<number> {
  const page = readFileSync(new URL('./web/run.html', import.meta.url), 'utf8');
  const file = await makeRunFile(opened, context.version, new Date());
  writeOut(context, path, 'page', { content: embedRun(page, file) });
  context.terminal.err(`The page of run ${opened.runId} is in ${path}.`);
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
  // Of an agent whose controller was killed nobody knows what it printed.
  const isLost = event.kind === 'agent.ended' && event.end.kind === 'interrupted';
  const none = isLost ? '(its output was not recorded: it was cut short)' : '(it printed nothing)';
  terminal.out(event.output === null ? none : (recall(runId, event.output) ?? '(no longer kept)'));
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
      html: {
        kind: 'parsed',
        parse: String,
        brief: 'write the run as one page that needs nothing else',
        optional: true,
        placeholder: 'file',
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show a run from its log',
    fullDescription:
      'Example:\n  agentgate show 7f3k2p --output 3:tests\n  agentgate show 7f3k2p --html run.html',
  },
});
