import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { buildCommand } from '@stricli/core';
import {
  FaultError,
  fault,
  mergeEdit,
  type PlanEnding,
  type PlanState,
  sessionReport,
  type WorkItem,
} from '@agentgate/core';
import {
  drivePlan,
  type Holder,
  isDriving,
  killAtOnce,
  type LoadedPlan,
  loadPlan,
  openHome,
  openPlanStore,
  type PlanControl,
  type WorkspaceHome,
} from '@agentgate/runtime';
import { busy, busyBySession, planWords } from '../../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, quietFlag } from '../../context.ts';
import { exitCode } from '../../exit-code.ts';
import { refitAfterPlan } from '../../refit.ts';
import { hearSignals } from '../../signals.ts';
import { planView } from '../../view/plan-live.ts';
import { plural } from '../../view/words.ts';
import { rootOf } from '../../wire.ts';
import { type Beginning, chooseBeginning } from './beginning.ts';
import { type OpenState, openStates } from './open.ts';

interface Flags extends CommonFlags {
  quiet?: boolean;
  new?: boolean;
  edited?: boolean;
  dryRun?: boolean;
}

type Loaded = Extract<LoadedPlan, { kind: 'loaded' }>;

const act = guarded(async function planRun(this: Context, flags: Flags, name?: string): Promise<number> {
  const home = openHome(rootOf(this, flags), this.env);
  const taken = busyBySession(this, flags, home.root);
  if (taken !== null) return taken;
  const store = openPlanStore(home.plans);
  const begin = await chooseBeginning(this, flags, { home, store }, name);
  store.close();
  if (begin.kind === 'refused') return refusePlan(this, flags, begin.invalid);
  const { loaded, before } = begin;
  if (loaded && !flags.json) for (const note of loaded.notes) this.terminal.err(`agentgate: ${note}`);
  if (flags.dryRun) return showPlan(this, flags, begin);
  if (loaded && before) checkEdit(before, loaded, flags.edited ?? false);
  if (begin.warning !== null) this.terminal.err(`agentgate: ${begin.warning}`);
  const view = planView(this.terminal, flags);
  let control: PlanControl | null = null;
  const unhook = hearSignals((by, times) => {
    if (times > 1) return control?.hurry();
    if (!flags.json)
      this.terminal.err(
        '     stopping; what was started is ended first. Once more kills it at once; agentgate plan run goes on',
      );
    control?.stop(by);
  });
  try {
    const ended = await drivePlan(
      {
        home,
        version: this.version,
        env: this.env,
        watcher: { ...view, onWarning: (text) => this.terminal.err(`agentgate: ${text}`) },
        onControl: (made) => {
          control = made;
          made.urgent.addEventListener('abort', () => {
            killAtOnce();
            this.terminal.err('agentgate: ended at once; agentgate plan run goes on where it stood');
            process.exit(exitCode.signalled);
          });
        },
        reread: rereader(begin, home.root, this.env),
        isEdited: flags.edited ?? false,
      },
      before ?? loaded!,
    );
    if (ended.kind === 'busy') return planBusy(this, flags, home, ended.holder);
    const { state } = ended;
    await refitAfterPlan(this, home);
    if (flags.json)
      this.terminal.out(
        JSON.stringify({ kind: 'plan.session', planId: ended.planId, ...sessionReport(state) }),
      );
    return codeOf(state);
  } finally {
    unhook();
    view.close();
  }
});

/** Whoever comes second is told of the plan that is under way, and not of the run that one of its items is in. */
function planBusy(context: Context, flags: Flags, home: WorkspaceHome, holder: Holder | null): number {
  const store = openPlanStore(home.plans);
  const plan = holder && openStates(store).find(({ state }) => isDriving(holder, state));
  store.close();
  return plan ? busy(context, flags, holder, planWords(plan.planId, holder)) : busy(context, flags, holder);
}

/** What was edited since the plan began, and nobody said it is theirs or it cannot be followed, keeps the session from beginning. */
function checkEdit({ planId, state }: OpenState, { plan, file }: Loaded, isEdited: boolean): void {
  const edit = mergeEdit(state, plan);
  const asItWas = `agentgate plan run ${planId} goes on with the plan as it was`;
  if (edit.kind === 'merged' && !isEdited)
    throw new FaultError(
      fault(
        'plan.edited',
        `${file}, or the spec beside it, says something else than when the plan began: ${edit.changes.join('; ')}; if that was a person and no agent, agentgate plan run --edited follows it; ${asItWas}`,
      ),
    );
  if (edit.kind === 'refused')
    throw new FaultError(
      fault(
        'plan.edited',
        `${file} was edited since the plan began: ${edit.reasons.join('; ')}; undo that, redirect the plan (agentgate plan redirect), or begin anew with --new; ${asItWas}`,
      ),
    );
}

/** Reads the file again when its date changed. */
function rereader({ path, loaded }: Beginning, root: string, env: NodeJS.ProcessEnv) {
  // What is left aside is told once, when the session begins.
  let seen = loaded ? -1 : (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -1);
  return async (isAgain: boolean) => {
    const mtime = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    if (mtime === null || (mtime === seen && !isAgain)) return null;
    seen = mtime;
    const again = await loadPlan(root, path, env).catch(() => null);
    if (!again) return { problem: 'it cannot be read' };
    if (again.kind === 'loaded') return { plan: again.plan, hash: again.hash };
    const [first] = again.problems;
    return { problem: first ? `${first.where} ${first.message}` : 'it cannot be read' };
  };
}

export function refusePlan(
  { terminal }: Context,
  flags: CommonFlags,
  { problems, file }: Extract<LoadedPlan, { kind: 'invalid' }>,
): number {
  if (flags.json) terminal.out(JSON.stringify({ kind: 'refused', code: 'plan.invalid', problems }));
  const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
  terminal.err(`agentgate: ${count} in the plan ${file}; nothing was run`);
  for (const { where, path, message } of problems.slice(0, 100))
    terminal.err(`  ${terminal.colors.bold(where)}  ${path ? `${path}: ` : ''}${message}`);
  if (problems.length > 100) terminal.err(`  and ${problems.length - 100} more`);
  return exitCode.usage;
}

/** What would be worked on, in the order in which it is eligible, and the caps. */
function showPlan({ terminal }: Context, flags: Flags, { loaded, before }: Beginning): number {
  const plan = loaded?.plan ?? before!.state.plan;
  const file = loaded?.file ?? before!.state.file;
  if (flags.json) {
    terminal.out(JSON.stringify({ kind: 'plan', file, plan, goesOn: before?.planId ?? null }));
    return exitCode.ok;
  }
  terminal.out(`plan      ${plan.title} (${file})${before ? `, goes on as ${before.planId}` : ''}`);
  for (const item of plan.items) terminal.out(`          ${itemText(plan.items, item)}`);
  const { session, item } = plan.limits;
  terminal.out(
    `at most   ${plural(session, 'iteration')} a session, ${item} an item, ${plan.maxParallel} items side by side`,
  );
  return exitCode.ok;
}

function itemText(
  items: readonly WorkItem[],
  { id, title, dependsOn, parent, resolvedBy }: WorkItem,
): string {
  let depth = 0;
  for (let up = parent; up !== null; up = items.find((one) => one.id === up)?.parent ?? null) depth += 1;
  const how = resolvedBy === 'any' ? ' (one of)' : resolvedBy === 'all' ? ' (all of)' : '';
  return `${'  '.repeat(depth)}${id}: ${title}${how}${dependsOn.length > 0 ? `, after ${dependsOn.join(', ')}` : ''}`;
}

export function codeOf({ session }: PlanState): number {
  const status: PlanEnding = session?.ended?.status ?? 'stopped';
  switch (status) {
    case 'complete':
    case 'complete-with-caveats':
      return exitCode.ok;
    case 'stuck':
    case 'blocked':
      return exitCode.notConverged;
    case 'error':
      return exitCode.error;
    case 'stopped':
      return session?.ended?.reason.startsWith('stopped by SIG') ? exitCode.signalled : exitCode.stopped;
    case 'budget':
      return exitCode.stopped;
  }
}

export const planRun = buildCommand({
  func: act,
  parameters: {
    positional: {
      kind: 'tuple',
      parameters: [
        {
          parse: String,
          brief:
            'the plan: YAML, JSON, or Markdown with check boxes; or the id of one that is to go on as it was',
          placeholder: 'file',
          optional: true,
        },
      ],
    },
    flags: {
      new: {
        kind: 'boolean',
        brief: 'begin anew, whatever was done before',
        optional: true,
        withNegated: false,
      },
      edited: {
        kind: 'boolean',
        brief: 'a person edited the file since the plan began: follow it',
        optional: true,
        withNegated: false,
      },
      dryRun: {
        kind: 'boolean',
        brief: 'check the plan and show it; run nothing',
        optional: true,
        withNegated: false,
      },
      quiet: quietFlag,
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'work through a plan, item by item, for one session',
    fullDescription: [
      'Picks the items that wait for nothing, runs each until its gates are met or it is stuck, and goes on until the plan',
      'is complete, stuck, blocked, or the session has used its iterations. The next call goes on with the same plan.',
      '',
      'Reads plan.yaml, plan.json, Markdown with check boxes such as fix_plan.md, and prd.json.',
      '',
      'Example:',
      '  agentgate plan run plan.yaml',
      '',
      'Exit codes: 0 complete, 1 stuck or blocked, 2 wrong usage, 3 stopped or budget used, 4 error, 75 busy, 130 signal.',
    ].join('\n'),
  },
});
