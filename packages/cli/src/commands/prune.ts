import { existsSync } from 'node:fs';
import { buildCommand } from '@stricli/core';
import {
  findHome,
  isUnfinished,
  listHomes,
  ownWorkspace,
  planPrune,
  prune as pruneHome,
  type Rules,
  type Survey,
  survey,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { parsed } from '../flag.ts';
import { type PruneFlags, readRules } from '../prune-rules.ts';
import { freedLine, planLine, stateLine } from '../view/prune.ts';
import { rootOf } from '../wire.ts';

interface Flags extends CommonFlags, PruneFlags {
  dryRun?: boolean;
  allWorkspaces?: boolean;
}

const act = guarded(async function prune(this: Context, flags: Flags): Promise<number> {
  const { rules, problems } = readRules(flags);
  for (const problem of problems) this.terminal.err(`agentgate: ${problem}`);
  if (problems.length > 0) return exitCode.usage;
  const homes = flags.allWorkspaces ? listHomes(this.env) : [findHome(rootOf(this, flags), this.env)];
  const there = homes.filter(({ dir }) => existsSync(dir));
  if (there.length === 0 && !flags.json) this.terminal.out('There is no state here yet.');
  const codes: number[] = [];
  for (const home of there)
    codes.push(await (rules === null || flags.dryRun ? look : remove)(this, flags, home, rules ?? {}));
  return Math.max(exitCode.ok, ...codes);
});

/** Tells what there is and what would go, and touches nothing. */
async function look(context: Context, flags: Flags, home: WorkspaceHome, rules: Rules): Promise<number> {
  const state = await survey(home);
  const plan = flags.dryRun ? await planPrune(home, state, rules, Date.now()) : null;
  if (flags.json) tellMachines(context, { ...forMachines(state), plan });
  else {
    context.terminal.out(stateLine(state));
    if (plan) context.terminal.out(planLine(plan, 'Would remove'));
  }
  return exitCode.ok;
}

async function remove(context: Context, flags: Flags, home: WorkspaceHome, rules: Rules): Promise<number> {
  const lock = await ownWorkspace(home, 'prune');
  if (lock.kind === 'busy') return busy(context, flags, lock.holder);
  try {
    const state = await survey(home);
    const plan = await planPrune(home, state, rules, Date.now());
    if (!flags.json) context.terminal.out(stateLine(state));
    if (!flags.json) context.terminal.out(planLine(plan, 'Removing'));
    const isNothing = plan.runIds.length + plan.planIds.length === 0 && !plan.room && !isUnfinished(home);
    const pruned = isNothing ? { runIds: [], planIds: [], bytes: 0 } : await pruneHome(home, plan);
    if (flags.json) tellMachines(context, { ...forMachines(state), plan, pruned });
    else if (!isNothing) context.terminal.out(freedLine(pruned));
    return exitCode.ok;
  } finally {
    lock.release();
  }
}

const forMachines = ({ runs, plans, ...state }: Survey) => ({
  ...state,
  runs: runs.map(({ runId }) => runId),
  plans: plans?.map(({ planId }) => planId) ?? null,
});

const tellMachines = ({ terminal }: Context, told: object): void =>
  terminal.out(JSON.stringify({ kind: 'prune', ...told }));

const flag = (brief: string) => ({ kind: 'boolean', brief, optional: true, withNegated: false }) as const;

export const prune = buildCommand({
  func: act,
  parameters: {
    flags: {
      olderThan: parsed('remove runs that ended so long ago', '30d'),
      keep: parsed('keep so many of the newest', 'n'),
      maxSize: parsed('remove the oldest until the state is not larger', '2GB'),
      dryRun: flag('show what would go, and remove nothing'),
      allWorkspaces: flag('the state of every workspace'),
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'remove old runs and what only they need, by age, number or size',
    fullDescription: [
      'Without an option it only tells what there is. A run that has not ended, the newest one, and one that a',
      'kept run goes on from are never removed. What was delivered stays.',
      '',
      'Example:',
      '  agentgate prune --older-than 30d --keep 10',
    ].join('\n'),
  },
});
