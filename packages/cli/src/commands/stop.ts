import { buildCommand } from '@stricli/core';
import { FaultError, fault, fold } from '@agentgate/core';
import {
  disarm,
  findHome,
  heldSession,
  listArmings,
  makeControl,
  ownerOf,
  ownWorkspace,
  readHistory,
  removeArming,
  stateRoot,
  stopHeld,
  tryWatch,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { endNow } from '../stop-now.ts';
import { kindFirst, plural } from '../view/words.ts';
import { isDriven, type OpenRun, openRun, rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  note?: string;
  now?: boolean;
}

/** The owner ends what it started within its grace, and this waits a little longer. */
const patienceMs = 30_000;

const act = guarded(async function stop(this: Context, flags: Flags, name?: string): Promise<number> {
  const armed = name === undefined ? takenBack(this, flags) : null;
  if (armed !== null) return armed;
  // Who names no run means the one that works here, and not one that was begun and left later.
  const held = heldSession(findHome(rootOf(this, flags), this.env).root, this.env);
  const opened = await openRun(this, flags, name ?? held?.runId);
  const { home, store, runId, state } = opened;
  if (state.ended) {
    // Of a session that waits for its next prompt, or was cut off at the end, nothing is held from now on.
    disarm(runId, this.env);
    return tellEnd(this, flags, opened, 'has ended already');
  }
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'held') lock.release();
  if (lock.kind === 'held' && state.held) return disarmed(this, flags, opened);
  const other = lock.kind === 'busy' && lock.holder?.runId !== runId && !isDriven(store, runId);
  if (lock.kind === 'held' || other) {
    throw new FaultError(
      fault(
        'usage',
        `nobody drives run ${runId} (it was cut short); agentgate resume ${runId} goes on with it`,
      ),
    );
  }
  const note = flags.note === undefined ? {} : { note: flags.note };
  if (flags.now || isAsked(opened)) {
    if (!flags.json) this.terminal.out(`Run ${runId} is ended at once.`);
    return (await endNow(opened, note)) ? tellNow(this, flags, opened) : refuseNow(this, runId);
  }
  ask(opened, note);
  if (!flags.json)
    this.terminal.out(`Run ${runId} was asked to stop; agentgate stop once more kills it at once.`);
  if (await hasEnded(opened)) return tellEnd(this, flags, opened, 'ended');
  // Somebody else lost patience and killed it.
  if (!ownerOf(home)) return tellNow(this, flags, opened);
  this.terminal.err(
    `agentgate: run ${runId} has not ended after ${patienceMs / 1000} s; agentgate stop --now kills it at once`,
  );
  return exitCode.error;
});

/** What is armed for the next prompt is no longer; null where nothing is, or where a session is held already. */
function takenBack(context: Context, flags: Flags): number | null {
  const { env, terminal } = context;
  const state = stateRoot(env);
  const { root } = findHome(rootOf(context, flags), env);
  const arming = listArmings(state).find((one) => one.root === root);
  if (!arming) return null;
  removeArming(state, arming.key);
  const isOver = arming.untilMs <= Date.now();
  if (isOver || heldSession(root, env)) return null;
  terminal.out(
    flags.json
      ? JSON.stringify({ kind: 'disarmed', root })
      : `Disarmed: the next prompt in ${root} is not held.`,
  );
  return exitCode.ok;
}

/** A session that is held is somebody's own: it is let go, and nothing of it is ended. */
async function disarmed(context: Context, flags: Flags, opened: OpenRun): Promise<number> {
  const { home, runId } = opened;
  disarm(runId, context.env);
  await stopHeld({ home, version: context.version, control: makeControl(), watcher: {} }, runId, flags.note);
  return tellEnd(context, flags, opened, 'is disarmed; its session goes on as it likes. It ended');
}

/** By a letter; where the disk has no room for one, by a signal. */
function ask({ home, store, runId }: OpenRun, note: { note?: string }): void {
  try {
    store.request(runId, { kind: 'stop', ...note });
  } catch (error) {
    const owner = ownerOf(home);
    if (!(error instanceof FaultError) || owner?.runId !== runId) throw error;
    process.kill(owner.pid, 'SIGTERM');
  }
}

/** Whether somebody has asked it to stop before. */
const isAsked = ({ store, runId, state }: OpenRun): boolean =>
  state.stop !== null || store.letters(runId).some(({ request }) => request.kind === 'stop');

async function tellEnd(
  { terminal }: Context,
  { json }: Flags,
  { store, runId }: OpenRun,
  how: string,
): Promise<number> {
  const { ended } = fold(await readHistory(store, runId));
  if (!ended) return exitCode.error;
  if (json) terminal.out(JSON.stringify(kindFirst(ended)));
  else
    terminal.out(
      `Run ${runId} ${how}: ${ended.status} (${ended.code}) after ${plural(ended.iterations, 'iteration')}.${ended.status === 'converged' ? '' : ` agentgate resume ${runId} goes on.`}`,
    );
  return exitCode.ok;
}

/** It may have come to its own end just before. */
async function tellNow(context: Context, flags: Flags, opened: OpenRun): Promise<number> {
  const { store, runId } = opened;
  if (fold(await readHistory(store, runId)).ended) return tellEnd(context, flags, opened, 'ended');
  if (flags.json) context.terminal.out(JSON.stringify({ kind: 'killed', runId }));
  else context.terminal.out(`Everything of it was killed. agentgate resume ${runId} goes on where it stood.`);
  return exitCode.ok;
}

function refuseNow({ terminal }: Context, runId: string): number {
  terminal.err(`agentgate: run ${runId} could not be ended: its process is not ours to kill; ask its owner`);
  return exitCode.error;
}

async function hasEnded({ home, store, runId }: OpenRun): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const isOwned = ownerOf(home) !== null;
    const { ended } = fold(await readHistory(store, runId));
    if (ended || Date.now() > deadline || !isOwned) return ended !== null;
    await change(store.dir(runId), 500);
  }
}

/** Waits until something changes in a directory, and at most so long. */
function change(dir: string, ms: number): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    const watcher = tryWatch(dir, finish);
    function finish() {
      clearTimeout(timer);
      watcher?.close();
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
      now: {
        kind: 'boolean',
        brief: 'kill everything at once; the run can be resumed all the same',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'stop a run that another process drives',
    fullDescription: [
      'Every process the run started is ended, politely first, and the run can be resumed. Asked a second time,',
      'or with --now, everything is killed at once and the log stays as it is.',
      '',
      'Example:',
      '  agentgate stop --note "wrong branch"',
    ].join('\n'),
  },
});
