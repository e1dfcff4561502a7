import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { exportRun, sourceOf } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { plural } from '../view/words.ts';
import { findRun } from '../wire.ts';
import { writeOut } from '../write-out.ts';

interface Flags extends CommonFlags {
  output?: string;
  trees?: boolean;
}

const act = guarded(async function exports(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, runId } = findRun(this, flags, name);
  const { content, header, problems } = await exportRun(runId, sourceOf(home), {
    version: this.version,
    at: new Date(),
    trees: flags.trees === true,
  });
  for (const { text } of problems) this.terminal.err(`agentgate: ${text}; exported as far as it is good`);
  put(this, flags.output, content);
  if (flags.output === undefined) return exitCode.ok;
  const { runs, trees } = header;
  const events = runs.reduce((sum, run) => sum + run.events, 0);
  const told = { kind: 'exported', runId, file: flags.output, runs, trees, bytes: content.length };
  const next =
    problems.length === 0
      ? `agentgate verify ${flags.output} proves it anywhere.`
      : `agentgate verify ${flags.output} tells what of it is good.`;
  if (flags.json) this.terminal.out(JSON.stringify(told));
  else
    this.terminal.out(
      `${plural(runs.length, 'run')}, ${plural(events, 'event')} in ${flags.output}; ${next}`,
    );
  return exitCode.ok;
});

function put(context: Context, output: string | undefined, content: Buffer): void {
  // It holds prompts and outputs word for word: nobody else's to read.
  if (output !== undefined) return writeOut(context, output, 'export', { content, mode: 0o600 });
  if (context.terminal.exact(content)) return;
  throw new FaultError(fault('usage', 'an export is for programs; name a file for it with -o'));
}

export const exported = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      output: {
        kind: 'parsed',
        parse: String,
        brief: 'write it to this file, in place of standard output',
        optional: true,
        placeholder: 'file',
      },
      trees: {
        kind: 'boolean',
        brief: 'also every captured tree, with all of its files',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: { ...commonAliases, o: 'output' },
  },
  docs: {
    brief: 'put a run with its whole history into one file that proves itself',
    fullDescription: [
      'The logs of the run and of those it goes on from, line by line as they are, with prompts, outputs and',
      'receipts. A damaged log is exported as far as it is good, and the file says so. The spec is in it word for',
      'word, and with --trees so are the files: look before you share it.',
      '',
      'Example:',
      '  agentgate export 7f3k2p -o run.jsonl --trees',
    ].join('\n'),
  },
});
