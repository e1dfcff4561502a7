import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildCommand } from '@stricli/core';
import {
  planHealth,
  planMermaid,
  planMetrics,
  planTree,
  redirectWords,
  sessionReport,
  sessionText,
} from '@agentgate/core';
import { isPlanDriven, pendingRedirects } from '@agentgate/runtime';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed } from '../../flag.ts';
import { treeLines } from '../../view/plan-tree.ts';
import { openPlan, planArgument } from './open.ts';

interface Flags extends CommonFlags {
  mermaid?: boolean;
  out?: string;
}

const act = guarded(function planStatus(this: Context, flags: Flags, name?: string): number {
  const { home, planId, state, store } = openPlan(this, flags, name);
  const { terminal } = this;
  if (flags.mermaid) {
    const text = planMermaid(state);
    if (flags.out === undefined) terminal.out(text.trimEnd());
    else writeFileSync(resolve(this.cwd, flags.out), text);
    return exitCode.ok;
  }
  const metrics = planMetrics(state);
  const health = planHealth(state);
  const report = sessionReport(state);
  const isDriven = isPlanDriven(home, planId);
  const pending = pendingRedirects(store, state);
  if (flags.json) {
    const { trail, corrections } = state;
    terminal.out(
      JSON.stringify({
        kind: 'plan.status',
        planId,
        file: state.file,
        title: state.plan.title,
        driven: isDriven,
        items: planTree(state),
        metrics,
        health,
        session: report,
        trail,
        corrections,
        pending,
      }),
    );
    return exitCode.ok;
  }
  terminal.out(`plan ${planId}  ${state.plan.title}   ${state.file}${isDriven ? '   under way' : ''}`);
  for (const line of treeLines(planTree(state), terminal)) terminal.out(line);
  terminal.out('');
  terminal.out(
    `${metrics.resolved} of ${metrics.resolved + metrics.pending} items settled, ${metrics.iteration} iterations in all, ${metrics.stalls} stalls, ${metrics.switches} alternatives changed; ${health.healthy ? 'healthy' : `not healthy: ${health.reasons.join('; ')}`}`,
  );
  for (const { group, from, to, reason } of state.trail)
    terminal.out(`trail     ${group}: ${from} → ${to ?? 'none left'}: ${reason}`);
  for (const { kind, text } of state.corrections) terminal.out(`redirect  ${kind}: ${text}`);
  for (const redirect of pending)
    terminal.out(
      `waits     ${redirect.kind}: ${redirectWords(redirect)}; followed ${isDriven ? 'when what is under way has ended' : 'in the next session'}`,
    );
  if (report.items.length > 0) terminal.out(sessionText(report));
  if (report.reason !== null) terminal.out(`${report.status}: ${report.reason}`);
  return exitCode.ok;
});

export const planStatus = buildCommand({
  func: act,
  parameters: {
    positional: planArgument,
    flags: {
      mermaid: {
        kind: 'boolean',
        brief: 'print the plan as a Mermaid flow chart',
        optional: true,
        withNegated: false,
      },
      out: parsed('write the chart to this file', 'file'),
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show a plan as a tree, with states, budgets and reasons',
    fullDescription: ['Example:', '  agentgate plan status --mermaid > plan.mmd'].join('\n'),
  },
});
