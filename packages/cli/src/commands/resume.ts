import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { disarm, ownerOf, resumeRun, sourceOf } from '@agentgate/runtime';
import { busyBySession } from '../busy.ts';
import {
  type CommonFlags,
  type Context,
  common,
  commonAliases,
  guarded,
  runArgument,
  quietFlag,
} from '../context.ts';
import { driveRun, type OutputFlags } from '../drive-run.ts';
import { withOthers } from '../open-ends.ts';
import { exitCode } from '../exit-code.ts';
import { type AddFlags, addFlags, readAdded } from '../spec-flags.ts';
import { findRun, findWhole } from '../wire.ts';

type Flags = CommonFlags & OutputFlags & AddFlags & { redirect?: string; fromEvent?: number };

const act = guarded(async function resume(this: Context, flags: Flags, name?: string): Promise<number> {
  const { added, problems } = readAdded(flags);
  for (const problem of problems) this.terminal.err(`agentgate: ${problem}`);
  if (problems.length > 0) return exitCode.usage;
  const { redirect, fromEvent } = flags;
  const { home, runId } =
    fromEvent === undefined ? await findWhole(this, flags, name) : findFork(this, flags, name, fromEvent);
  const taken = busyBySession(this, flags, home.root, runId);
  if (taken !== null) return taken;
  // Whoever goes on headless takes the work over from a session that was held; who comes too late takes nothing.
  if (!ownerOf(home)) disarm(runId, this.env);
  const going = driveRun(this, flags, home, (door) =>
    resumeRun({ home, version: this.version, ...door }, runId, added, {
      ...(redirect === undefined ? {} : { redirect }),
      ...(fromEvent === undefined ? {} : { fromEvent }),
    }),
  );
  return name === undefined
    ? going.catch(async (error) => Promise.reject(await withOthers(error, home)))
    : going;
});

/** What stands behind the event that is gone on from may be damaged, so the run is not opened as others are. */
function findFork(context: Context, flags: Flags, name: string | undefined, seq: number) {
  const { home, runId } = findRun(context, flags, name);
  const log = sourceOf(home).log(runId);
  if (log?.damage === null && log.events.length < seq) {
    const why = `run ${runId} has no event ${seq}; give a number from 1 to ${log.events.length}`;
    throw new FaultError(fault('usage', why));
  }
  return { home, runId };
}

function parseEvent(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new SyntaxError(`${text} is not the number of an event; give a whole number from 1 on`);
}

export const resume = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      ...addFlags,
      redirect: {
        kind: 'parsed',
        parse: String,
        brief: 'new words for the agent, beside the task',
        optional: true,
        placeholder: 'text',
      },
      fromEvent: {
        kind: 'parsed',
        parse: parseEvent,
        brief: 'go on from this event of the run as a new run, whatever came after it',
        optional: true,
        placeholder: 'n',
      },
      quiet: quietFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'go on with a run that was cut short or has ended',
    fullDescription: [
      'A run that was killed goes on where it stood; nothing that was recorded is done again, and its limits',
      'count on. An ended run goes on as a new run linked to it, with its counts, history and best tree; what',
      'is added to its limits is what you say here and nothing else. With --from-event a new run goes on from any',
      'event, also of a run whose log is damaged behind it; the workspace stays as it is.',
      '',
      'Example:',
      '  agentgate resume --add-iterations 5 --add-cost 3usd',
    ].join('\n'),
  },
});
