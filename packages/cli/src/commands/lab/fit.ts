import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { buildCommand } from '@stricli/core';
import { FaultError, fault, learnedFrom, modelVersion } from '@agentgate/core';
import { findHome, keepModel, learnedDir, makeFolder, takeLock, unfinishedPath } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed } from '../../flag.ts';
import { readHistoryRuns } from '../../past-runs.ts';
import { readAdaptive } from '../../strategy-names.ts';
import { learnedText } from '../../view/learned.ts';
import { plural } from '../../view/words.ts';
import { rootOf } from '../../wire.ts';

interface Flags extends CommonFlags {
  strategy?: string;
  background?: boolean;
}

/** Nobody waits for what is learned in the background, so it may not take for ever. */
const longestMs = 60_000;
/** Nor does it read more runs than these: what is older tells less, and whoever asks by hand has it all read. */
const mostRuns = 1000;

const act = guarded(async function labFit(this: Context, flags: Flags): Promise<number> {
  const strategy = readAdaptive(flags.strategy ?? 'adaptive');
  const home = findHome(rootOf(this, flags), this.env);
  if (!existsSync(home.runs))
    throw new FaultError(
      fault('run.none', `there are no runs of ${home.root} to learn from; agentgate run starts one`),
    );
  if (flags.background) endAfter(longestMs, unfinishedPath(home));
  const { learnForRuns } = await import('@agentgate/lab');
  makeFolder(learnedDir(home), 0o700);
  const holder = { pid: process.pid, runId: 'lab fit', since: new Date().toISOString() };
  const lock = await takeLock(join(learnedDir(home), 'lock'), holder);
  if (lock.kind === 'busy') {
    this.terminal.err('agentgate: another process is learning from these runs now');
    return flags.background ? exitCode.ok : exitCode.busy;
  }
  try {
    const { runs, unread } = await readHistoryRuns(
      this,
      flags.background ? { ...flags, newest: mostRuns } : flags,
    );
    for (const why of unread) this.terminal.err(`agentgate: left out: ${why}`);
    const model = learnForRuns(
      runs.map(({ trace }) => trace),
      strategy,
    );
    keepModel(home, strategy, model);
    rmSync(unfinishedPath(home), { force: true });
    const { runs: all, solved, solvedLater, tasks } = model.seen;
    if (flags.json)
      this.terminal.out(
        JSON.stringify({ kind: 'learned', version: modelVersion(model), seen: model.seen, laws: model.laws }),
      );
    else
      this.terminal.out(
        `Learned from ${plural(all, 'run')} of ${plural(tasks, 'task')}, ${solved} solved, ${solvedLater} of them after the first iteration. adaptive now: ${learnedText({ ...learnedFrom(model, ''), explores: false })}.`,
      );
    return exitCode.ok;
  } finally {
    lock.release();
  }
});

/**
 * Ends this process after so long, whatever it is doing: learning leaves no room for timers. The file that it leaves
 * is how the next run learns of it.
 */
function endAfter(ms: number, file: string): void {
  const end = `
    const { writeFileSync } = require('node:fs');
    const { workerData } = require('node:worker_threads');
    setTimeout(() => {
      try { writeFileSync(workerData, new Date().toISOString() + '\\n'); } catch {}
      process.kill(process.pid, 'SIGKILL');
    }, ${ms});`;
  new Worker(end, { eval: true, workerData: file }).unref();
}

export const labFit = buildCommand({
  func: act,
  parameters: {
    flags: {
      strategy: parsed('adaptive with the options it will run with, such as adaptive,target=0.97', 'name'),
      background: {
        kind: 'boolean',
        brief: 'give way to whoever learns already, and take a minute at most',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'learn now from the runs of this workspace what adaptive decides by',
    fullDescription: [
      'Every run under adaptive has it done in the background when it is over; this does it at once, and says what',
      'was learned, or how much is missing.',
      '',
      'Example:',
      '  agentgate lab fit',
    ].join('\n'),
  },
});
