import { watch } from 'node:fs';
import { buildCommand } from '@stricli/core';
import { fold } from '@agentgate/core';
import { ownWorkspace, readHistory, type RunStore } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { kindFirst, plural } from '../view/words.ts';
import { openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  note?: string;
}

/** The owner ends what it started within its grace, and this waits a little longer. */
const patienceMs = 30_000;

const act = guarded(async function stop(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, store, runId, state } = await openRun(this, flags, name);
  if (state.ended) {
    if (flags.json) this.terminal.out(JSON.stringify(kindFirst(state.ended)));
    else this.terminal.out(`Run ${runId} has ended already: ${state.ended.status} (${state.ended.code}).`);
    return exitCode.ok;
  }
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'held') {
    lock.release();
    this.terminal.err(
      `agentgate: nobody drives run ${runId} (it was cut short); agentgate resume ${runId} goes on with it`,
    );
    return exitCode.usage;
  }
  store.request(runId, flags.note === undefined ? { kind: 'stop' } : { kind: 'stop', note: flags.note });
  if (!flags.json) this.terminal.out(`Run ${runId} was asked to stop.`);
  const ended = await ending(store, runId);
  if (!ended) {
    this.terminal.err(
      `agentgate: run ${runId} has not ended after ${patienceMs / 1000} s; it is still ending what it started`,
    );
    return exitCode.error;
  }
  if (flags.json) this.terminal.out(JSON.stringify(kindFirst(ended)));
  else
    this.terminal.out(
      `It ended: ${ended.status} (${ended.code}) after ${plural(ended.iterations, 'iteration')}. agentgate resume ${runId} goes on.`,
    );
  return exitCode.ok;
});

async function ending(store: RunStore, runId: string) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { ended } = fold(await readHistory(store, runId));
    if (ended || Date.now() > deadline) return ended;
    await change(store.dir(runId), 500);
  }
}

/** Waits until something changes in a directory, and at most so long. */
function change(dir: string, ms: number): Promise<void> {
  return new Promise((done) => {
    const watcher = watch(dir, finish);
    const timer = setTimeout(finish, ms);
    function finish() {
      clearTimeout(timer);
      watcher.close();
      done();
    }
  });
}

export const stop = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      note: {
        kind: 'parsed',
        parse: String,
        brief: 'why, for the record',
        optional: true,
        placeholder: 'text',
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'stop a run that another process drives',
    fullDescription:
      'Every process the run started is ended, and the run can be resumed.\n\nExample:\n  agentgate stop --note "wrong branch"',
  },
});
