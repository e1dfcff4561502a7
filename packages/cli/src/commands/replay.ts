import { buildCommand } from '@stricli/core';
import {
  type EventOf,
  FaultError,
  fault,
  type Learned,
  learnedFrom,
  recordedRun,
  whatIf,
} from '@agentgate/core';
import { checkReplay, isProved } from '@agentgate/runtime';
import { propose } from '../completion/proposals.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { parsed } from '../flag.ts';
import { readHistoryRuns } from '../past-runs.ts';
import { type NamedStrategy, readWhatIfs } from '../strategy-names.ts';
import { learnedText } from '../view/learned.ts';
import { checkLine } from '../view/check-line.ts';
import { sideBySide } from '../view/side-by-side.ts';
import { type OpenRun, openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  strategy?: string;
}

const act = guarded(async function replay(this: Context, flags: Flags, name?: string): Promise<number> {
  const { terminal } = this;
  const others = readWhatIfs(flags.strategy ?? '');
  const run = await openRun(this, flags, name);
  const { runId, events } = run;
  if (run.state.spec === null)
    throw new FaultError(fault('run.empty', `run ${runId} never started; there is nothing to decide again`));
  const checks = checkReplay(runId, events, this.version);
  for (const check of checks)
    terminal.out(flags.json ? JSON.stringify({ kind: 'checked', ...check }) : checkLine(terminal, check));
  const isSame = isProved(checks);
  if (others.length > 0) await tellOthers(this, flags, run, others);
  if (flags.json) terminal.out(JSON.stringify({ kind: 'replayed', runId, same: isSame }));
  else if (!isSame)
    terminal.out('This run does not follow from its log: a defect, or a log that somebody wrote into.');
  return isSame ? exitCode.ok : exitCode.notConverged;
});

async function tellOthers(
  context: Context,
  { json, ...flags }: Flags,
  run: OpenRun,
  others: readonly NamedStrategy[],
): Promise<void> {
  const { terminal } = context;
  const { runId, events, state } = run;
  const recorded = recordedRun(events);
  const known = await learnedApart(context, flags, run, others);
  const told = others.map(({ name, strategy }) => {
    const learned = known.get(name);
    return { name, ...whatIf(events, strategy, learned ? { begun: beginsWith(learned) } : {}) };
  });
  if (!json && known.size > 0) terminal.out('');
  for (const [name, learned] of json ? [] : known)
    terminal.out(`${name} is asked with what other tasks taught: ${learnedText(learned)}`);
  if (json) {
    terminal.out(JSON.stringify({ kind: 'recorded', ...recorded }));
    for (const one of told) terminal.out(JSON.stringify({ kind: 'what-if', runId, ...one }));
    return;
  }
  terminal.out('');
  for (const line of sideBySide(recorded, state.history, told, terminal)) terminal.out(line);
}

/**
 * What each adaptive that is asked about is taken to have known when this run began: all that the other tasks here
 * teach for its aim, and nothing of this one.
 */
async function learnedApart(
  context: Context,
  flags: Flags,
  { runId, events }: OpenRun,
  others: readonly NamedStrategy[],
): Promise<ReadonlyMap<string, Learned>> {
  const asked = others.flatMap(({ name, strategy }) =>
    strategy.kind === 'adaptive' ? [{ name, strategy }] : [],
  );
  if (asked.length === 0) return new Map();
  const lab = await import('@agentgate/lab');
  const { runs } = await readHistoryRuns(context, flags);
  const own = runs.find((one) => one.runId === runId)?.trace ?? lab.traceOf(events);
  const traces = runs.map(({ trace }) => trace);
  const learnedBy = (aim: (typeof asked)[number]['strategy']): Learned =>
    own
      ? { ...learnedFrom(lab.modelWithout(traces, own, aim), runId), explores: false }
      : learnedFrom(null, runId, 'this run is not over, or built nothing');
  return new Map(asked.map(({ name, strategy }) => [name, learnedBy(strategy)]));
}

const beginsWith =
  (learned: Learned) =>
  (event: EventOf<'run.started'>): EventOf<'run.started'> => ({ ...event, learned });

export const replay = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      strategy: {
        ...parsed('also under these strategies, such as fixed-5,ralph,max=30', 'names'),
        proposeCompletions: propose.strategies,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'decide a recorded run again: as it was, or under other strategies',
    fullDescription: [
      'Decides every recorded decision again from the log alone; one that does not follow is a defect (exit code 1).',
      'With --strategy it also tells where other strategies would have stopped, what that would have saved and what',
      'it would have lost. That is exact for stopping: what another strategy lets happen is what did happen. Where it',
      'would have gone on behind the recorded end nothing is known, and that is said.',
      '',
      'Example:',
      '  agentgate replay 7f3k2p --strategy hybrid,fixed-5,ralph,max=30',
    ].join('\n'),
  },
});
