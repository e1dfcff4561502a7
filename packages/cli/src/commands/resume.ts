import { buildCommand } from '@stricli/core';
import { resumeRun } from '@agentgate/runtime';
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
import { exitCode } from '../exit-code.ts';
import { type AddFlags, addFlags, readAdded } from '../spec-flags.ts';
import { openRun } from '../wire.ts';

type Flags = CommonFlags & OutputFlags & AddFlags & { redirect?: string };

const act = guarded(async function resume(this: Context, flags: Flags, name?: string): Promise<number> {
  const { added, problems } = readAdded(flags);
  for (const problem of problems) this.terminal.err(`agentgate: ${problem}`);
  if (problems.length > 0) return exitCode.usage;
  const { home, runId } = await openRun(this, flags, name);
  return driveRun(this, flags, (door) =>
    resumeRun(
      { home, version: this.version, ...door },
      runId,
      added,
      flags.redirect === undefined ? {} : { redirect: flags.redirect },
    ),
  );
});

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
      'is added to its limits is what you say here and nothing else.',
      '',
      'Example:',
      '  agentgate resume --add-iterations 5 --add-cost 3usd',
    ].join('\n'),
  },
});
