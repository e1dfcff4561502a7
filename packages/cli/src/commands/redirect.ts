import { buildCommand } from '@stricli/core';
import { redirectRun } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runFlag } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { refuseInside } from '../inside.ts';
import { openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  run?: string;
}

const act = guarded(async function redirect(
  this: Context,
  flags: Flags,
  ...words: string[]
): Promise<number> {
  const opened = await openRun(this, flags, flags.run);
  const { home, runId } = opened;
  refuseInside(this, home, 'a run is redirected');
  const { text, alive, session } = await redirectRun(opened, words.join(' '), {
    version: this.version,
    env: this.env,
    door: 'command',
  });
  if (flags.json) {
    this.terminal.out(JSON.stringify({ kind: 'redirected', runId, alive, text }));
    return exitCode.ok;
  }
  this.terminal.out(
    session !== null
      ? `A session of ${session} works for run ${runId}; its next stop is answered with the new words, and so is agentgate resume ${runId}. Its counts stay.`
      : alive
        ? `Run ${runId} ends its present build and goes on with the new words; its counts stay.`
        : `Nobody drives run ${runId}; it is suspended with the new words. agentgate resume ${runId} goes on with them.`,
  );
  return exitCode.ok;
});

export const redirect = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'array',
      parameter: { parse: String, brief: 'what to do instead, in words', placeholder: 'words' },
      minimum: 1,
    },
    flags: {
      run: runFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'give a run new words without losing its counts',
    fullDescription: [
      'The build that is under way is ended, what it left is kept, and the run goes on with the new words beside',
      'its task. Counts and limits stay; detectors and the ladder of moves begin anew. A run that nobody drives is',
      'suspended with the new words and goes on with them when it is resumed. A session that is held is told at its',
      'next stop.',
      '',
      'Example:',
      '  agentgate redirect Keep the public API, change only the parser',
    ].join('\n'),
  },
});
