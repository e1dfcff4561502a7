import { buildCommand } from '@stricli/core';
import { type EventOf, FaultError, fault, makeReceipt, type RunState } from '@agentgate/core';
import {
  type DeliveredTree,
  deliverTree,
  gatesOn,
  ownWorkspace,
  receiptFor,
  requestFor,
} from '@agentgate/runtime';
import { busy } from '../busy.ts';
import { type CommonFlags, type Context, common, commonAliases, guarded, runArgument } from '../context.ts';
import { exitCode } from '../exit-code.ts';
import { plural, shortTree } from '../view/words.ts';
import { openRun } from '../wire.ts';
import { treeAt } from './diff.ts';

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
  const done = await deliverTree({
    root: home.root,
    gitDir: home.gitDir,
    ...requestFor(state, tree),
    as,
    runId,
    branch: flags.branch ?? branchFor(state, runId, flags.to),
    endedAt: ended.at,
    message: (notes) => makeReceipt(receiptFor(state, tree, { status, code, caveats }, notes)),
  }).finally(() => lock.kind === 'held' && lock.release());
  if (flags.json) this.terminal.out(JSON.stringify({ kind: 'delivered', as, tree, ...done }));
  else for (const line of doneLines(as, tree, done, home.gitDir)) this.terminal.out(line);
  return exitCode.ok;
});

function chooseAs({ as, branch }: Flags, { spec }: RunState): 'branch' | 'commit' {
  if (as === 'pr')
    throw refused(
      'pull requests are not made here yet; deliver with --as branch, push that branch, and open one from it',
    );
  if (as !== undefined) return as;
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
  if (ended.tree === tree && (ended.status === 'converged' || ended.goalSatisfied)) return;
  const judged = gatesOn(state, tree);
  const red = (state.spec?.gates ?? []).filter(
    ({ name, severity }) => severity === 'hard' && !judged.some((one) => one.name === name && one.passed),
  );
  if (red.length === 0 && judged.length > 0) return;
  const names = red.map((gate) => gate.name).join(', ');
  throw refused(
    `run ${state.runId} ended ${ended.status} (${ended.code}), and tree ${shortTree(tree)} did not pass ${names || 'its gates'}; add --force to deliver it all the same`,
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
        brief: 'a new branch (default), or a commit that only AgentGate keeps',
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
    brief: 'make the work of a run a branch or a commit',
    fullDescription:
      'Your checkout, index, stash and settings stay as they are; no hook runs. Ignored files are left out.\n\nExample:\n  agentgate deliver 7f3k2p --as branch',
  },
});
