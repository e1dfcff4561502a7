import { buildCommand } from '@stricli/core';
import { findHome, isPlanDriven, openPlanStore } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { plural } from '../../view/words.ts';
import { rootOf } from '../../wire.ts';
import { openStates } from './open.ts';

const act = guarded(function planList(this: Context, flags: CommonFlags): number {
  const home = findHome(rootOf(this, flags), this.env);
  const rows = openStates(openPlanStore(home.plans)).map(({ planId, state }) => ({
    planId,
    file: state.file,
    title: state.plan.title,
    status: isPlanDriven(home, planId) ? 'under way' : (state.session?.ended?.status ?? 'cut short'),
    sessions: state.sessions,
    iterations: state.iterations,
  }));
  if (flags.json) {
    for (const row of rows) this.terminal.out(JSON.stringify({ kind: 'plan.listed', ...row }));
    return exitCode.ok;
  }
  if (rows.length === 0) this.terminal.out('No plans yet. agentgate plan run begins one.');
  for (const { planId, status, sessions, iterations, file, title } of rows)
    this.terminal.out(
      `${planId}  ${status.padEnd(21)} ${plural(sessions, 'session').padStart(11)} ${plural(iterations, 'iteration').padStart(14)}  ${file}  ${title}`,
    );
  return exitCode.ok;
});

export const planList = buildCommand({
  func: act,
  parameters: { flags: common, aliases: commonAliases },
  docs: {
    brief: 'list the plans of this workspace, the newest first',
    fullDescription: ['Example:', '  agentgate plan list'].join('\n'),
  },
});
