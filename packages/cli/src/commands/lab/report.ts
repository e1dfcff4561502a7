import { join, resolve } from 'node:path';
import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed } from '../../flag.ts';
import { readHistoryRuns } from '../../past-runs.ts';
import { readAdaptive, readWhatIfs } from '../../strategy-names.ts';
import { writeOut } from '../../write-out.ts';

interface Flags extends CommonFlags {
  all?: boolean;
  output?: string;
  strategy?: string;
}

const beside = 'hybrid,fixed-3,fixed-5,ralph';

const act = guarded(async function labReport(this: Context, flags: Flags): Promise<number> {
  const strategy = readAdaptive(flags.strategy ?? 'adaptive');
  const lab = await import('@agentgate/lab');
  const { runs, unread } = await readHistoryRuns(this, flags);
  for (const why of unread) this.terminal.err(`agentgate: left out: ${why}`);
  if (runs.length === 0)
    throw new FaultError(
      fault('run.none', 'no run here is over and shows anything yet; --all looks at every workspace'),
    );
  const report = lab.reportHistory(runs, strategy, readWhatIfs(beside));
  if (flags.output !== undefined) writePages(this, flags.output, lab, report);
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'lab-report', ...report }));
  else if (flags.output === undefined)
    this.terminal.out(lab.historyMarkdown(report, { pictures: false }).trimEnd());
  else this.terminal.err(`The report is in ${join(flags.output, 'report.md')}, with its pictures.`);
  return exitCode.ok;
});

function writePages(
  context: Context,
  folder: string,
  lab: typeof import('@agentgate/lab'),
  report: ReturnType<typeof lab.reportHistory>,
): void {
  try {
    makeFolder(resolve(context.cwd, folder));
  } catch (error) {
    throw new FaultError(
      fault('usage', `cannot make the folder ${folder}; name one that can be made`, error),
    );
  }
  const pages = { 'report.md': lab.historyMarkdown(report, { pictures: true }), ...lab.picturesOf(report) };
  for (const [name, content] of Object.entries(pages))
    writeOut(context, join(folder, name), 'report', { content });
}

export const labReport = buildCommand({
  func: act,
  parameters: {
    flags: {
      strategy: parsed('adaptive with its options, such as adaptive,target=0.97', 'name'),
      all: { kind: 'boolean', brief: 'the runs of every workspace', optional: true, withNegated: false },
      output: parsed('write the page and its pictures into this folder', 'folder'),
      ...common,
    },
    aliases: { ...commonAliases, o: 'output' },
  },
  docs: {
    brief: 'what adaptive comes to on the history: savings, learning curve, calibration',
    fullDescription: [
      'Markdown, and with -o also pictures (SVG). Everything is judged on runs that were not learned from.',
      '',
      'Example:',
      '  agentgate lab report -o lab-report',
    ].join('\n'),
  },
});
