import { buildCommand } from '@stricli/core';
import {
  checkReport,
  checkText,
  FaultError,
  fault,
  itemLinesText,
  type PlanDecision,
  sessionReport,
} from '@agentgate/core';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed } from '../../flag.ts';
import { plural } from '../../view/words.ts';
import { openPlan } from './open.ts';

interface Flags extends CommonFlags {
  plan?: string;
}

const act = guarded(function planShow(this: Context, flags: Flags, id: string): number {
  const { planId, state, store } = openPlan(this, flags, flags.plan);
  const { terminal } = this;
  const record = state.records.get(id);
  if (!record)
    throw new FaultError(
      fault('usage', `there is no item ${id} in plan ${planId}; agentgate plan status shows them`),
    );
  const all = store
    .read(planId)
    .flatMap((event) => (event.kind === 'plan.decided' ? [event.decision] : []))
    .filter((one) => one.kind === 'redirect' || isAbout(one, id));
  const decided = all.filter(({ kind }) => kind !== 'redirect');
  // What was decided before a person steered the plan says nothing about an item that was opened again.
  const newest = all.at(-1);
  const last = newest && isAbout(newest, id) ? newest : null;
  const check = record.attempts.length > 0 ? checkReport(state, id, last) : null;
  if (flags.json) {
    const line = sessionReport(state).items.find((one) => one.id === id) ?? null;
    terminal.out(
      JSON.stringify({
        kind: 'plan.item',
        planId,
        id,
        status: record.status,
        code: record.code,
        reason: record.reason,
        line,
        check,
        attempts: record.attempts,
        notes: record.notes,
        decisions: decided.map(({ kind, because }) => ({ decision: kind, ...because })),
      }),
    );
    return exitCode.ok;
  }
  const line = sessionReport(state).items.find((one) => one.id === id);
  terminal.out(line ? itemLinesText([line])[0]! : `${id}: ${record.status}`);
  if (record.reason !== null) terminal.out(`     ${record.reason}`);
  for (const { attempt, runId, approach, outcome } of record.attempts) {
    terminal.out(
      `  ${attempt}  run ${runId}  ${approach}, ${plural(outcome.iterations, 'iteration')}: ${outcome.status}, ${outcome.reason} (${outcome.code})`,
    );
    for (const caveat of outcome.caveats ?? []) terminal.out(`     note: ${caveat}`);
  }
  for (const { kind, because } of decided) terminal.out(`  ${kind}: ${because.reason} (${because.code})`);
  for (const note of record.notes) terminal.out(`  known: ${note}`);
  if (check) terminal.out(`\n${checkText(check)}`);
  return exitCode.ok;
});

const isAbout = (decision: PlanDecision, id: string): boolean =>
  ('item' in decision && decision.item === id) || (decision.kind === 'choose' && decision.from === id);

export const planShow = buildCommand({
  func: act,
  parameters: {
    positional: { kind: 'tuple', parameters: [{ parse: String, brief: 'the item', placeholder: 'item' }] },
    flags: { plan: parsed('the plan; the newest by default', 'plan'), ...common },
    aliases: commonAliases,
  },
  docs: {
    brief: 'show one item: its attempts, what was decided about it and why, its convergence check',
    fullDescription: ['Example:', '  agentgate plan show parser'].join('\n'),
  },
});
