import { buildCommand } from '@stricli/core';
import { FaultError, fault, findRedirectProblem, type PlanState, Redirect } from '@agentgate/core';
import { aheadOf, type PlanRequest, sayToPlan } from '@agentgate/runtime';
import { parse } from 'yaml';
import { type CommonFlags, type Context, common, commonAliases, guarded } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { parsed, repeated } from '../../flag.ts';
import { refuseInside } from '../../inside.ts';
import { type OpenPlan, openPlan, planArgument } from './open.ts';

interface Noted extends CommonFlags {
  note?: string;
}

const stopAct = guarded(async function planStop(this: Context, flags: Noted, name?: string): Promise<number> {
  const plan = openPlan(this, flags, name);
  return leave(this, flags, plan, { kind: 'stop', note: flags.note }, 'was asked to stop');
});

export const planStop = buildCommand({
  func: stopAct,
  parameters: {
    positional: planArgument,
    flags: { note: parsed('why', 'text'), ...common },
    aliases: commonAliases,
  },
  docs: {
    brief: 'end the session of a plan; what is under way is ended and kept',
    fullDescription: ['Example:', '  agentgate plan stop'].join('\n'),
  },
});

const reloadAct = guarded(async function planReload(
  this: Context,
  flags: CommonFlags,
  name?: string,
): Promise<number> {
  return leave(this, flags, openPlan(this, flags, name), { kind: 'reload' }, 'follows its file');
});

export const planReload = buildCommand({
  func: reloadAct,
  parameters: { positional: planArgument, flags: common, aliases: commonAliases },
  docs: {
    brief: 'follow the file of a plan that a person edited while it is under way',
    fullDescription: ['Example:', '  agentgate plan reload'].join('\n'),
  },
});

interface RedirectFlags extends Noted {
  objective?: string;
  constraint?: string;
  remove?: string[];
  defer?: string[];
  retry?: string[];
  override?: string;
  say?: string;
}

const redirectAct = guarded(async function planRedirect(
  this: Context,
  flags: RedirectFlags,
  name?: string,
): Promise<number> {
  return steer(this, flags, openPlan(this, flags, name), redirectIn(flags));
});

function redirectIn(flags: RedirectFlags): Redirect {
  const { objective, constraint, override, say, remove = [], defer = [], retry = [], note } = flags;
  const isGraph = remove.length + defer.length + retry.length > 0;
  const given =
    [objective, constraint, override].filter((one) => one !== undefined).length + (isGraph ? 1 : 0);
  if (given !== 1)
    throw new FaultError(
      fault(
        'usage',
        'say one thing at a time: --objective, --constraint, --override ITEM --say TEXT, or --remove, --defer and --retry',
      ),
    );
  if (objective !== undefined) return { kind: 'objective', goal: objective };
  if (constraint !== undefined) return { kind: 'constraint', text: constraint };
  if (isGraph)
    return { kind: 'graph', add: [], remove, defer, retry, ...(note === undefined ? {} : { note }) };
  if (say === undefined)
    throw new FaultError(fault('usage', 'say with --say what is to be different about the item'));
  return { kind: 'binding', item: override!, text: say };
}

export const planRedirect = buildCommand({
  func: redirectAct,
  parameters: {
    positional: planArgument,
    flags: {
      objective: parsed('something else is wanted; what was tried no longer counts', 'text'),
      constraint: parsed('a condition for every agent to come', 'text'),
      remove: repeated('take this item out', 'item'),
      defer: repeated('leave this item for later', 'item'),
      retry: repeated('try this item again', 'item'),
      override: parsed('do this item again, and all that was built upon it', 'item'),
      say: parsed('what is to be different about it', 'text'),
      note: parsed('why', 'text'),
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'steer a plan: another objective, a condition, other items',
    fullDescription: ['Example:', '  agentgate plan redirect --constraint "No new dependencies."'].join('\n'),
  },
});

interface AddFlags extends Noted {
  after?: string[];
  gate?: string[];
  id?: string;
  plan?: string;
  item?: string;
}

const addAct = guarded(async function planAdd(
  this: Context,
  flags: AddFlags,
  task?: string,
): Promise<number> {
  const plan = openPlan(this, flags, flags.plan);
  const item = itemIn(flags, task);
  return steer(this, flags, plan, {
    kind: 'graph',
    add: [item],
    remove: [],
    defer: [],
    retry: [],
    note: 'added',
  });
});

function itemIn(flags: AddFlags, task: string | undefined): unknown {
  if (flags.item !== undefined) return parse(flags.item) as unknown;
  if (task === undefined || flags.id === undefined)
    throw new FaultError(
      fault('usage', 'say what to do and give it an id: agentgate plan add "Write the docs" --id docs'),
    );
  return {
    id: flags.id,
    task,
    ...(flags.after ? { dependsOn: flags.after } : {}),
    ...(flags.gate ? { gates: Object.fromEntries(flags.gate.map((gate, at) => named(gate, at))) } : {}),
  };
}

function named(gate: string, at: number): [string, string] {
  const found = /^([\w-]+)=(.+)$/.exec(gate);
  return found ? [found[1]!, found[2]!] : [`gate-${at + 1}`, gate];
}

export const planAdd = buildCommand({
  func: addAct,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [{ parse: String, brief: 'what to do', placeholder: 'task', optional: true }],
    },
    flags: {
      id: parsed('its id', 'id'),
      after: repeated('an item that it depends on', 'item'),
      gate: repeated('a gate of its own', '[name=]command'),
      item: parsed('the whole item as YAML or JSON', 'yaml'),
      plan: parsed('the plan; the newest by default', 'plan'),
      note: parsed('why', 'text'),
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'add an item to a plan, also while it is under way',
    fullDescription: ['Example:', '  agentgate plan add "Write the docs" --id docs --after parser'].join(
      '\n',
    ),
  },
});

interface TickFlags extends Noted {
  plan?: string;
  undo?: boolean;
  by?: string;
}

const tickAct = guarded(async function planTick(
  this: Context,
  flags: TickFlags,
  item: string,
  criterion?: string,
): Promise<number> {
  const plan = openPlan(this, flags, flags.plan);
  const at = criterionOf(aheadOf(plan.store, plan.state), item, criterion);
  const by = flags.by ?? this.env['USER'] ?? 'somebody';
  return leave(
    this,
    flags,
    plan,
    { kind: 'tick', item, criterion: at, met: !flags.undo, by, note: flags.note },
    `${item}, criterion ${at + 1}, is ${flags.undo ? 'not ticked any more' : 'ticked'}`,
  );
});

function criterionOf({ agenda, records }: PlanState, item: string, criterion: string | undefined): number {
  const refuse = (why: string) => new FaultError(fault('usage', why));
  if (!records.has(item)) throw refuse(`there is no item ${item} in the plan`);
  const persons = agenda
    .item(item)
    .acceptance.flatMap((one, at) => ('person' in one ? [{ at, text: one.person }] : []));
  if (persons.length === 0) throw refuse(`${item} has no criterion that a person ticks`);
  const list = persons.map(({ at, text }) => `${at + 1}: ${text}`).join('; ');
  if (criterion === undefined && persons.length > 1) throw refuse(`say which one of ${item}: ${list}`);
  const wanted = criterion === undefined ? persons[0]!.at : Number(criterion) - 1;
  if (!persons.some(({ at }) => at === wanted)) {
    const { length } = agenda.item(item).acceptance;
    const why =
      Number.isInteger(wanted) && wanted >= 0 && wanted < length ? 'no person ticks' : 'there is no';
    const all = length === 1 ? 'one criterion' : `${length} criteria`;
    throw refuse(`${item} has ${all}, and ${why} number ${criterion}; a person ticks number ${list}`);
  }
  return wanted;
}

export const planTick = buildCommand({
  func: tickAct,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        { parse: String, brief: 'the item', placeholder: 'item' },
        { parse: String, brief: 'the number of the criterion', placeholder: 'criterion', optional: true },
      ],
    },
    flags: {
      undo: { kind: 'boolean', brief: 'take the tick back', optional: true, withNegated: false },
      by: parsed('who ticks it', 'name'),
      plan: parsed('the plan; the newest by default', 'plan'),
      note: parsed('a word about it', 'text'),
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'tick a criterion that only a person can judge',
    fullDescription: ['Example:', '  agentgate plan tick docs 2'].join('\n'),
  },
});

/** A redirect that cannot be followed is refused here, where its author can read it. */
function steer(
  context: Context,
  flags: CommonFlags,
  plan: OpenPlan,
  redirect: Redirect,
): Promise<number> | number {
  const checked = Redirect.safeParse(redirect);
  // What was said before and is not followed yet goes before this word.
  const problem = checked.success
    ? findRedirectProblem(aheadOf(plan.store, plan.state), checked.data)
    : 'it is empty';
  if (problem !== null)
    throw new FaultError(fault('usage', `plan ${plan.planId} cannot be redirected so: ${problem}`));
  return leave(context, flags, plan, { kind: 'redirect', redirect }, `is redirected (${redirect.kind})`);
}

/** The word goes to whoever drives the plan; where nobody does, it is written down for the next session. */
async function leave(
  context: Context,
  flags: CommonFlags,
  { home, planId }: OpenPlan,
  request: PlanRequest,
  what: string,
): Promise<number> {
  refuseInside(context, home, 'a plan is steered');
  const how = await sayToPlan(home, planId, request);
  const isLater = how === 'recorded' && request.kind === 'redirect';
  const { terminal } = context;
  if (flags.json) terminal.out(JSON.stringify({ kind: 'said', planId, how, request }));
  else
    terminal.out(
      `Plan ${planId}: ${what}${isLater ? '; it is followed in the next session: agentgate plan run' : ''}.`,
    );
  return exitCode.ok;
}
