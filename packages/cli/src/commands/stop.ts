import { buildCommand } from '@stricli/core';
import { fold } from '@agentgate/core';
import {
  askToStop,
  disarm,
  endNow,
  findHome,
  hearsStop,
  heldSession,
  isWithin,
  listArmings,
  listBindings,
  ownerOf,
  readHistory,
  releaseSession,
  removeArming,
  stateRoot,
  stopPaused,
  tryWatch,
} from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { kindFirst, plural } from '../view/words.ts';
import { type OpenRun, openRun, rootOf } from '../wire.ts';

interface Flags extends CommonFlags {
  note?: string;
  now?: boolean;
}

/** The owner ends what it started within its grace, and this waits a little longer. */
const patienceMs = 30_000;

const act = guarded(async function stop(this: Context, given: Flags, name?: string): Promise<number> {
  const flags = name === undefined ? around(this, given) : given;
  const armed = name === undefined ? takenBack(this, flags) : null;
  if (armed !== null) return armed;
  // Who names no run means the one that works here, and not one that was begun and left later.
  const session = heldSession(findHome(rootOf(this, flags), this.env).root, this.env);
  const opened = await openRun(this, flags, name ?? session?.runId);
  const { home, runId, state } = opened;
  if (state.ended) {
    // Of a session that waits for its next prompt, or was cut off at the end, nothing is held from now on.
    disarm(runId, this.env);
    return tellEnd(this, flags, opened, 'has ended already');
  }
  const heard = await hearsStop(opened);
  if (heard === 'session') return disarmed(this, flags, opened);
  const note = flags.note === undefined ? {} : { note: flags.note };
  if (heard === 'next-step') {
    await stopPaused(opened, this.version, note, 'command');
    return tellEnd(this, flags, opened, 'ended');
  }
  if (flags.now || askToStop(opened, note, 'command') === 'asked-before') {
    if (!flags.json) this.terminal.out(`Run ${runId} is ended at once.`);
    return (await endNow(opened, note, 'command')) ? tellNow(this, flags, opened) : refuseNow(this, runId);
  }
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

/** Where nothing works in this folder, what is held or armed in the nearest one around it is meant, as in its status. */
function around(context: Context, flags: Flags): Flags {
  const { env } = context;
  const own = findHome(rootOf(context, flags), env);
  const held = listBindings(stateRoot(env)).filter(({ phase }) => phase !== 'suspended');
  const armed = listArmings(stateRoot(env)).filter(({ untilMs }) => untilMs > Date.now());
  const roots = [...held, ...armed]
    .map(({ root }) => root)
    .filter((root) => isWithin(own.root, root))
    .sort((a, b) => b.length - a.length);
  return roots[0] === undefined || roots[0] === own.root || ownerOf(own)
    ? flags
    : { ...flags, directory: roots[0] };
}

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
  await releaseSession(opened, context, flags.note, 'command');
  return tellEnd(context, flags, opened, 'is disarmed; its session goes on as it likes. It ended');
}

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
