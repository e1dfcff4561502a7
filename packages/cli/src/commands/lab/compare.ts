import { buildCommand } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { propose } from '../../completion/proposals.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed } from '../../flag.ts';
import { readHistoryRuns } from '../../past-runs.ts';
import { readWhatIfs } from '../../strategy-names.ts';
import { compareLines } from '../../view/compare.ts';

interface Flags extends CommonFlags {
  all?: boolean;
  strategies?: string;
}

/** What is compared when nothing is named. */
const usual = 'hybrid,fixed-3,fixed-5,ralph,adaptive';

const act = guarded(async function labCompare(this: Context, flags: Flags): Promise<number> {
  const named = readWhatIfs(flags.strategies ?? usual);
  const lab = await import('@agentgate/lab');
  const { runs, unread } = await readHistoryRuns(this, flags);
  for (const why of unread) this.terminal.err(`agentgate: left out: ${why}`);
  if (runs.length === 0)
    throw new FaultError(
      fault('run.none', 'no run here is over and shows anything yet; --all looks at every workspace'),
    );
  const rows = lab.compare(
    runs,
    named.map((one) => lab.contenderOf(one, runs)),
  );
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'compared', rows }));
  else for (const line of compareLines(rows, this.terminal)) this.terminal.out(line);
  return exitCode.ok;
});

export const labCompare = buildCommand({
  func: act,
  parameters: {
    flags: {
      strategies: {
        ...parsed('the strategies, such as hybrid,fixed-5,ralph,max=30', 'names'),
        proposeCompletions: propose.strategies,
      },
      all: { kind: 'boolean', brief: 'the runs of every workspace', optional: true, withNegated: false },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'decide the whole history again under other strategies, with intervals',
    fullDescription: [
      'For each strategy: the share of recorded solves that it would have kept, and what it would have saved of',
      'iterations, time, tokens and money, with 95 % intervals over tasks. Adaptive is judged on runs that its model',
      'did not learn from.',
      '',
      'Example:',
      '  agentgate lab compare --strategies hybrid,fixed-5,ralph',
    ].join('\n'),
  },
});
