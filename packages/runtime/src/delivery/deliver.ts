import {
  assess,
  type Deliver,
  type DeliverRequest,
  type EventBody,
  isGateWrite,
  makeReceipt,
  type Receipt,
  type RunSpec,
  type RunState,
} from '@agentgate/core';
import { deliverTree, type TreeRequest } from './deliver-tree.ts';
import type { Source } from './target.ts';

type Delivered = Extract<EventBody, { kind: 'delivered' }>;

/** Delivers by itself what the spec wants delivered. Null when there is nothing to deliver; never throws. */
export function makeDeliver(source: Source, spec: Pick<RunSpec, 'deliver'>): Deliver {
  const { as, on, branchPrefix } = spec.deliver;
  return async ({ runId, tree, ending, state }) => {
    const { baseTree } = state;
    if (as === 'none' || baseTree === null || baseTree === tree) return null;
    if (on !== 'any' && ending.status !== 'converged') return null;
    const told: Delivered = { kind: 'delivered', as, tree };
    // A good ending that is not delivered must be said, or somebody would wait for it.
    if (on === 'clean' && ending.caveats.length > 0)
      return { ...told, problem: `it has caveats; agentgate deliver ${runId} delivers it all the same` };
    try {
      const { commit, ref } = await deliverTree({
        ...source,
        ...requestFor(state, tree),
        as,
        runId,
        branch: `${branchPrefix}${runId}`,
        endedAt: null,
        message: (notes) => makeReceipt(receiptFor(state, tree, outcomeOf(ending), notes)),
      });
      return { ...told, commit, ref };
    } catch (error) {
      return { ...told, problem: error instanceof Error ? error.message : String(error) };
    }
  };
}

const outcomeOf = ({ status, because, caveats }: DeliverRequest['ending']): Outcome => ({
  status,
  code: because.code,
  caveats,
});

type Outcome = Pick<Receipt, 'status' | 'code' | 'caveats'>;

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
  outcome: Outcome,
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
