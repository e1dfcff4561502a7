import {
  FaultError,
  fault,
  assess,
  type Deliver,
  type DeliverRequest,
  type EventBody,
  type Fault,
  isGateWrite,
  makeReceipt,
  type Receipt,
  type RunSpec,
  type RunState,
} from '@agentgate/core';
import { findRepository, findRepositoryAbove, type Repository } from '../workspace/repository.ts';
import { deliverTree, type TreeRequest } from './deliver-tree.ts';
import type { Proposal } from '../forge/proposing.ts';
import { findForge, isProposed, proposeCommit } from './propose.ts';
import { makeDraft, type Draft } from './draft.ts';
import { readGit, type Source } from './target.ts';

type Delivered = Extract<EventBody, { kind: 'delivered' }>;

/** What a run hands on: at its end, and where CI judges also in between. */
export interface Delivery {
  deliver: Deliver;
  draft: Draft | undefined;
}

/** Delivers by itself what the spec wants delivered. */
export function openDelivery(
  source: Source,
  spec: Pick<RunSpec, 'deliver' | 'gates'>,
  isFresh = false,
): Delivery {
  const hasCi = spec.gates.some(({ kind }) => kind === 'ci');
  const house = spec.deliver.as === 'pr' ? openHouse(source, spec.deliver, isFresh) : null;
  return {
    deliver: makeDeliver(source, spec, house),
    draft: house && hasCi ? makeDraft(house) : undefined,
  };
}

/** Null when there is nothing to deliver; never throws. */
function makeDeliver(source: Source, spec: Pick<RunSpec, 'deliver'>, house: House | null): Deliver {
  const { as, on } = spec.deliver;
  return async ({ runId, tree: chosen, ending, state }, signal = new AbortController().signal) => {
    const { baseTree } = state;
    if (as === 'none' || baseTree === null) return null;
    const isDone = ending.status === 'converged';
    // A draft that is there must say what became of it.
    const isOpen = house !== null && !isDone && (await house.isOpen(state, signal));
    const tree = chosen === baseTree && isOpen ? (house.last() ?? chosen) : chosen;
    const told: Delivered = { kind: 'delivered', as, tree };
    if (house !== null && signal.aborted) return { ...told, problem: lateWords(runId, isDone) };
    if (baseTree === tree || (on !== 'any' && !isOpen && !isDone)) return null;
    // A good ending that is not delivered must be said, or somebody would wait for it.
    if (on === 'clean' && ending.caveats.length > 0)
      return { ...told, problem: `it has caveats; agentgate deliver ${runId} delivers it all the same` };
    try {
      const outcome = outcomeOf(ending);
      if (house) {
        const done = await house.propose(state, tree, outcome, signal);
        if (done.kind === 'refused')
          return { ...told, problem: signal.aborted ? lateWords(runId, isDone) : done.fault.message };
        const { commit, url, notes } = done.proposed;
        const more = notes.length === 0 ? {} : { notes };
        return { ...told, commit, ref: `refs/heads/${branchFor(state)}`, url, ...more };
      }
      const { commit, ref } = await deliverTree({
        ...source,
        ...requestFor(state, tree),
        as: as === 'commit' ? 'commit' : 'branch',
        runId,
        branch: `${spec.deliver.branchPrefix}${runId}`,
        endedAt: null,
        message: (notes) => makeReceipt(receiptFor(state, tree, outcome, notes)),
      });
      return { ...told, commit, ref };
    } catch (error) {
      return { ...told, problem: error instanceof Error ? error.message : String(error) };
    }
  };
}

/** Nobody who stops a run waits for a forge; what it has not answered by then is left to a person. */
const lateWords = (runId: string, isDone: boolean): string =>
  `the forge had not answered when the run was stopped; agentgate deliver ${runId} --as pr${isDone ? '' : ' --force'} does it`;

/** The forge of a run that ends as a pull request. */
export interface House {
  /** Makes a commit of a tree, lets the branch of the run stand at it, and proposes it. */
  propose(
    state: RunState,
    tree: string,
    outcome: DeliveredOutcome,
    signal: AbortSignal,
    branch?: string,
  ): ReturnType<typeof proposeCommit>;
  /** Whether the run has something open there. */
  isOpen(state: RunState, signal: AbortSignal): Promise<boolean>;
  /** The tree that was proposed last by this process. */
  last(): string | null;
}

/** `isFresh`: no agent has worked yet, so that what is checked out now is what the work stands on. */
export function openHouse(source: Source, deliver: RunSpec['deliver'], isFresh = false): House {
  const { root, gitDir } = source;
  const repository = findRepository(root) ?? findRepositoryAbove(root);
  const target = findForge(deliver, repository);
  const head = isFresh && repository !== null ? headOf(repository) : Promise.resolve(undefined);
  // Who never asks must not be disturbed by what could not be found.
  target.catch(() => undefined);
  const pushed = new Set<string>();
  let last: string | null = null;
  return {
    async propose(state, tree, outcome, signal, branch = branchFor(state)) {
      if (repository === null)
        throw new FaultError(fault('deliver.no-repository', `there is no git repository around ${root}`));
      const made = await deliverTree({
        ...source,
        ...requestFor(state, tree),
        as: 'commit',
        runId: state.runId,
        branch: '',
        // What the agent commits by itself is part of the work, and not what it stands on.
        endedAt: state.begunAt,
        head: await head,
        message: (notes) => makeReceipt(receiptFor(state, tree, outcome, notes)),
      });
      const done = await proposeCommit(await target, {
        forge: { gitDir, repository },
        commit: made.commit,
        lineage: state.lineage,
        pushed,
        signal,
        proposal: proposalFor(state, tree, outcome, { branch, notes: made.notes }),
      });
      if (done.kind === 'proposed') {
        last = tree;
        pushed.add(`${done.proposed.tree} ${done.proposed.commit}`);
      }
      return done;
    },
    isOpen: async (state, signal) =>
      last !== null || isProposed(await target, branchFor(state), state.lineage, signal),
    last: () => last,
  };
}

async function headOf(repository: Repository): Promise<string | undefined> {
  const commit = await readGit(repository, ['rev-parse', '--verify', '-q', 'HEAD^{commit}'], [0, 1, 128]);
  return commit === '' ? undefined : commit;
}

/** What keeps a run from ending as its spec wants; told before anything is spent. */
export async function findDeliveryFault(
  root: string,
  { deliver }: Pick<RunSpec, 'deliver'>,
): Promise<Fault | null> {
  if (deliver.as !== 'pr') return null;
  const target = await findForge(deliver, findRepository(root) ?? findRepositoryAbove(root));
  return target.kind === 'unable' ? target.fault : null;
}

/** A run that goes on from another one goes on with its branch. */
const branchFor = ({ lineage, runId, spec }: RunState): string =>
  `${spec?.deliver.branchPrefix ?? 'agentgate/'}${lineage[0] ?? runId}`;

function proposalFor(
  state: RunState,
  tree: string,
  outcome: DeliveredOutcome,
  { branch, notes }: { branch: string; notes: readonly string[] },
): Proposal {
  const [title = '', ...rest] = makeReceipt(receiptFor(state, tree, outcome, notes)).split('\n');
  const body = [headline(state, outcome), ...rest].join('\n').trim();
  // What the gates did not confirm is not yet to be merged.
  return { branch, base: state.spec?.deliver.base, title, body, isDraft: outcome.status !== 'converged' };
}

/** The first thing that a reviewer must know. */
function headline({ runId, iteration }: RunState, { status, code }: DeliveredOutcome): string {
  if (status === 'converged') return `The gates confirm this work (${code}).\n`;
  if (status === 'running')
    return `Work in progress of run ${runId}, iteration ${iteration}: not confirmed yet.\n`;
  return `**NOT converged**: ${status} (${code}). A person is needed: \`agentgate explain ${runId}\` tells why, \`agentgate resume ${runId}\` goes on.\n`;
}

const outcomeOf = ({ status, because, caveats }: DeliverRequest['ending']): DeliveredOutcome => ({
  status,
  code: because.code,
  caveats,
});

export type DeliveredOutcome = Pick<Receipt, 'status' | 'code' | 'caveats'>;

/** What a delivery needs to know of the run. */
export function requestFor(
  state: RunState,
  tree: string,
): Pick<TreeRequest, 'baseTree' | 'tree' | 'isGateWrite'> {
  return { baseTree: state.baseTree ?? tree, tree, isGateWrite: (path) => isGateWrite(state, path) };
}

/** The receipt of one tree of a run. */
export function receiptFor(
  state: RunState,
  tree: string,
  outcome: DeliveredOutcome,
  notes: readonly string[],
): Receipt {
  return {
    runId: state.runId,
    task: state.spec?.task ?? '',
    prefix: state.spec?.deliver.commitPrefix ?? '',
    ...outcome,
    iterations: state.iteration,
    tree,
    gates: gatesOn(state, tree),
    notes,
    activeMs: state.activeMs,
    costUsd: state.costUsd,
    tokens: state.tokens,
  };
}

/** How the gates stood on a tree, as they saw it last; empty when they never judged it. */
export function gatesOn(state: RunState, tree: string): Receipt['gates'] {
  const gates = state.spec?.gates ?? [];
  const { current, last, history } = state;
  const now = current?.tree === tree ? assess(state, current) : last?.current.tree === tree ? last : null;
  const passed = now
    ? Object.fromEntries(now.standings.flatMap((one) => (one.spared ? [] : [[one.gate.name, one.passed]])))
    : (history.findLast((one) => one.tree === tree && one.judged)?.gates ?? {});
  return gates.flatMap(({ name, severity }) =>
    passed[name] === undefined ? [] : [{ name, severity, passed: passed[name] }],
  );
}
