import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { answerRun } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runFlag } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { refuseInside } from '../inside.ts';
import { readAnswer } from '../person.ts';
import { openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  run?: string;
}

const act = guarded(async function answer(this: Context, flags: Flags, ...words: string[]): Promise<number> {
  const opened = await openRun(this, flags, flags.run);
  refuseInside(this, opened.home, 'a run is answered');
  const { runId, state } = opened;
  if (state.ended?.code === 'awaiting-answer')
    throw new FaultError(
      fault(
        'usage',
        `run ${runId} waits suspended; agentgate resume ${runId} --redirect "${words.join(' ')}" answers it`,
      ),
    );
  const said = readAnswer(words.join(' '));
  if (!said) {
    throw new FaultError(
      fault(
        'usage',
        `"${words.join(' ')}" is no answer; say continue, stop, accept, or redirect with new words`,
      ),
    );
  }
  await answerRun(opened, said, 'command');
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'answered', runId, ...said }));
  else this.terminal.out(`Run ${runId} was told: ${words.join(' ')}.`);
  return exitCode.ok;
});

export const answer = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'array',
      parameter: {
        parse: String,
        brief: 'continue, stop, accept, or redirect and new words',
        placeholder: 'answer',
      },
      minimum: 1,
    },
    flags: {
      run: runFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'answer a run that asks what to do next',
    fullDescription: [
      'Under the strategy manual, and where the ladder asks, a run waits for a person after an iteration.',
      '',
      'Example:',
      '  agentgate answer redirect keep the old parser and wrap it',
    ].join('\n'),
  },
});
