import { buildCommand } from '@stricli/core';
import { type EventOf, FaultError, fault, makeReceipt, type RunState } from '@agentgate/core';
import {
  type DeliveredTree,
  deliverTree,
  gatesOn,
  openHouse,
  type DeliveredOutcome,
  ownWorkspace,
  receiptFor,
  requestFor,
  treeAt,
} from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { plural, shortTree } from '../view/words.ts';
import { openRun } from '../wire.ts';

interface Flags extends CommonFlags {
  as?: 'branch' | 'commit' | 'pr';
  to?: string;
  branch?: string;
  force?: boolean;
}

const act = guarded(async function deliver(this: Context, flags: Flags, name?: string): Promise<number> {
  const { home, runId, state } = await openRun(this, flags, name);
  const as = chooseAs(flags, state);
  const ended = endingOf(state, runId);
  const tree = flags.to === undefined ? (ended.tree ?? '') : treeAt(state, flags.to);
  if (tree === '' || tree === state.baseTree)
    throw refused(`run ${runId} changed nothing that could be delivered`);
  if (!flags.force) refuseUnfinished(state, ended, tree);
  const { status, code, caveats } = ended;
  // A prune would take for unneeded what is being made; a run at work does not mind.
  const lock = await ownWorkspace(home, 'deliver');
  if (lock.kind === 'busy' && lock.holder?.runId === 'prune') return busy(this, flags, lock.holder);
  const branch = flags.branch ?? branchFor(state, runId, flags.to);
  const outcome = { status: isConfirmed(state, ended, tree) ? status : 'unconfirmed', code, caveats };
  if (as === 'pr')
    return propose(this, flags, home, { state, tree, outcome }).finally(
      () => lock.kind === 'held' && lock.release(),
    );
  const done = await deliverTree({
    root: home.root,
    gitDir: home.gitDir,
    ...requestFor(state, tree),
    as,
    runId,
    branch,
    endedAt: ended.at,
    message: (notes) => makeReceipt(receiptFor(state, tree, { status, code, caveats }, notes)),
  }).finally(() => lock.kind === 'held' && lock.release());
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'delivered', as, tree, ...done }));
  else for (const line of doneLines(as, tree, done, home.gitDir)) this.terminal.out(line);
  return exitCode.ok;
});

/** Proposes a tree for merging, by the API of the forge. */
async function propose(
  { terminal }: Context,
  { json, branch }: Flags,
  source: { root: string; gitDir: string },
  { state, tree, outcome }: { state: RunState; tree: string; outcome: DeliveredOutcome },
): Promise<number> {
  const { signal } = new AbortController();
  const house = openHouse(source, state.spec!.deliver);
  const told = await house.propose(state, tree, outcome, signal, branch);
  if (told.kind === 'refused') throw new FaultError(told.fault);
  const { url, notes } = told.proposed;
  if (json) terminal.out(JSON.stringify({ kind: 'delivered', as: 'pr', ...told.proposed, tree }));
  else {
    terminal.out(
      `Proposed tree ${shortTree(tree)}${outcome.status === 'converged' ? '' : ' as a draft'}: ${url}`,
    );
    for (const note of notes) terminal.out(`note: ${note}`);
  }
  return exitCode.ok;
}

function chooseAs({ as, branch }: Flags, { spec }: RunState): 'branch' | 'commit' | 'pr' {
  if (as !== undefined) return as;
  if (spec?.deliver.as === 'pr') return 'pr';
  return spec?.deliver.as === 'commit' && branch === undefined ? 'commit' : 'branch';
}

function endingOf({ ended }: RunState, runId: string): EventOf<'run.ended'> {
  if (ended) return ended;
  throw new FaultError(
    fault('run.open', `run ${runId} has not ended; stop it, or go on with agentgate resume ${runId}`),
  );
}

const branchFor = ({ spec }: RunState, runId: string, to: string | undefined): string =>
  `${spec?.deliver.branchPrefix ?? 'agentgate/'}${runId}${to === undefined ? '' : `-${to}`}`;

/** Work that the gates did not confirm leaves the house only when somebody says so. */
function refuseUnfinished(state: RunState, ended: EventOf<'run.ended'>, tree: string): void {
  if (isConfirmed(state, ended, tree)) return;
  const red = redOn(state, tree);
  const names = red.map((gate) => gate.name).join(', ');
  throw refused(
    `run ${state.runId} ended ${ended.status} (${ended.code}), and tree ${shortTree(tree)} did not pass ${names || 'its gates'}; add --force to deliver it all the same`,
  );
}

const isConfirmed = (state: RunState, ended: EventOf<'run.ended'>, tree: string): boolean =>
  (ended.tree === tree && (ended.status === 'converged' || ended.goalSatisfied)) ||
  (redOn(state, tree).length === 0 && gatesOn(state, tree).length > 0);

/** The hard gates that did not pass on a tree. */
function redOn(state: RunState, tree: string) {
  const judged = gatesOn(state, tree);
  return (state.spec?.gates ?? []).filter(
    ({ name, severity }) => severity === 'hard' && !judged.some((one) => one.name === name && one.passed),
  );
}

const refused = (why: string): FaultError => new FaultError(fault('usage', why));

function doneLines(as: string, tree: string, done: DeliveredTree, gitDir: string): string[] {
  const { commit, ref, notes, paths } = done;
  const what = `${plural(paths, 'path')} of tree ${shortTree(tree)} as commit ${commit.slice(0, 12)}`;
  const name = ref.replace(/^refs\/heads\//, '');
  const rest = notes.map((note) => `note: ${note}`);
  return as === 'branch'
    ? [
        `Branch ${name}: ${what}.`,
        ...rest,
        `Next: git diff HEAD...${name} shows it, git push -u origin ${name} shares it.`,
      ]
    : [
        `Kept ${what} under ${ref}.`,
        ...rest,
        `Next: git fetch ${gitDir} ${ref} brings it into a repository.`,
      ];
}

export const deliver = buildCommand({
  func: act,
  parameters: {
    positional: runArgument,
    flags: {
      as: {
        kind: 'enum',
        values: ['branch', 'commit', 'pr'],
        brief: 'a new branch (default), a commit that only AgentGate keeps, or a pull request',
        optional: true,
      },
      to: {
        kind: 'parsed',
        parse: String,
        brief: 'an iteration, best or last; the tree of the outcome by default',
        optional: true,
        placeholder: 'n',
      },
      branch: {
        kind: 'parsed',
        parse: String,
        brief: 'the name of the branch (agentgate/<run>)',
        optional: true,
        placeholder: 'name',
      },
      force: {
        kind: 'boolean',
        brief: 'also what the gates did not confirm',
        optional: true,
        withNegated: false,
      },
      ...common,
    },
    aliases: commonAliases,
  },
  docs: {
    brief: 'make the work of a run a branch, a commit or a pull request',
    fullDescription:
      'Your checkout, index, stash and settings stay as they are; no hook runs. Ignored files are left out.\n\nExample:\n  agentgate deliver 7f3k2p --as branch',
  },
});
