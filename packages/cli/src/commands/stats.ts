import { buildCommand } from '@stricli/core';
import { makeStats, runFacts } from '@agentgate/core';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { readRuns } from '../read-runs.ts';
import { statsLines } from '../view/stats.ts';

interface Flags extends CommonFlags {
  all?: boolean;
}

const act = guarded(async function stats(this: Context, flags: Flags): Promise<number> {
  const { runs, unread } = await readRuns(this, flags);
  const facts = runs.map(({ events }) => runFacts(events)).filter((one) => one !== null);
  const told = makeStats(facts);
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'stats', ...told, unread }));
  else if (facts.length === 0)
    this.terminal.out(
      'No runs yet. agentgate run starts one, agentgate stats --all looks at every workspace.',
    );
  else for (const line of statsLines(told, this.terminal)) this.terminal.out(line);
  for (const why of unread) this.terminal.err(`agentgate: left out: ${why}`);
  return exitCode.ok;
});

export const stats = buildCommand({
  func: act,
  parameters: {
    flags: {
      all: { kind: 'boolean', brief: 'the runs of every workspace', optional: true, withNegated: false },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'what was spent, solved and stopped, per agent, strategy, project and ending',
    fullDescription: [
      'Runs that go on from one another are one piece of work, and what they used is counted once.',
      '',
      'Example:',
      '  agentgate stats --all',
    ].join('\n'),
  },
});
