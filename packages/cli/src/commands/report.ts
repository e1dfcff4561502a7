import { buildCommand } from '@stricli/core';
import { reportJson, reportJunit, reportMarkdown, type Event } from '@agentgate/core';
import { redact } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { openRun } from '../wire.ts';
import { writeOut } from '../write-out.ts';

interface Flags extends CommonFlags {
  format?: Format;
  output?: string;
}

type Format = keyof typeof makers;

const makers = {
  md: reportMarkdown,
  junit: reportJunit,
  json: (events: readonly Event[]) => `${JSON.stringify(reportJson(events), null, 2)}\n`,
};

const act = guarded(async function report(this: Context, flags: Flags, name?: string): Promise<number> {
  const { runId, events } = await openRun(this, flags, name);
  const format = flags.format ?? (flags.json ? 'json' : 'md');
  const text = redact(makers[format](events));
  if (flags.output === undefined) this.terminal.out(text.trimEnd());
  else {
    writeOut(this, flags.output, 'report', { content: text });
    this.terminal.err(`The report of run ${runId} is in ${flags.output}.`);
  }
  return exitCode.ok;
});

export const report = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      format: {
        kind: 'enum',
        values: ['md', 'junit', 'json'],
        brief: 'a page for people (default), JUnit XML for CI, or JSON',
        optional: true,
      },
      output: {
        kind: 'parsed',
        parse: String,
        brief: 'write it to this file',
        optional: true,
        placeholder: 'file',
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'report a run: for a pull request, for CI, or as data',
    fullDescription:
      'Everything it says comes from the log, for a run that has ended and for one that has not.\n\nExample:\n  agentgate report --format junit --output agentgate.xml',
  },
});
