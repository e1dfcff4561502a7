import { type EventBody, isGateWrite, type RunState } from '@agentgate/core';
import { cleanText } from '../process/index.ts';
import type { Ports } from './ports.ts';

/** The number of left-out paths that an event names; the rest is counted in the last one. */
const namedLeftOuts = 20;

/** Captures the tree that an iteration left. */
export async function takeSnapshot(
  state: RunState,
  iteration: number,
  ports: Ports,
  suffix = '',
): Promise<Extract<EventBody, { kind: 'snapshot.taken' }>> {
  const from = ports.clock.monoMs();
  const { leftOut, ...snapshot } = await ports.workspace.snapshot({
    ref: `runs/${state.runId}/${iteration}${suffix}`,
    ignores: (path) => isGateWrite(state, path),
    ...(state.baseTree === null ? {} : { baseTree: state.baseTree }),
    ...(state.atHand === null ? {} : { since: state.atHand }),
  });
  const rest = leftOut.length - namedLeftOuts;
  const named = leftOut.slice(0, namedLeftOuts);
  return {
    kind: 'snapshot.taken',
    iteration,
    ...snapshot,
    // Names are other people's text: what could move a cursor stays out of every reader.
    changed: { ...snapshot.changed, paths: snapshot.changed.paths.map(cleanText) },
    leftOut: (rest > 0 ? [...named, { path: '…', why: `and ${rest} more` }] : named).map(({ path, why }) => ({
      path: cleanText(path),
      why,
    })),
    tookMs: ports.clock.monoMs() - from,
  };
}

/** Hashes the tree again after the gates and names what moved while they ran. */
export async function confirmTree(
  state: RunState,
  { iteration, attempt, tree }: { iteration: number; attempt: number; tree: string },
  ports: Ports,
): Promise<EventBody> {
  const judged = state.current?.tree ?? tree;
  const after = await ports.workspace.snapshot({
    ref: `runs/${state.runId}/${iteration}-judged`,
    ignores: (path) => isGateWrite(state, path),
    ...(state.baseTree === null ? {} : { baseTree: state.baseTree }),
  });
  const { work, substance } = after;
  const fact = {
    kind: 'tree.confirmed',
    iteration,
    attempt,
    tree: judged,
    after: after.tree,
    work,
    substance,
  } as const;
  if (after.tree === judged) return { ...fact, moved: [], fresh: [] };
  const moved = (await ports.workspace.changedPaths(judged, after.tree)).map((one) => one.path);
  // Before any agent has worked, what gates left behind when a crash cut them short is theirs as well.
  const before = iteration === 0 ? state.firstTree : state.baseTree;
  const added = new Set(
    (await ports.workspace.changedPaths(before ?? judged, after.tree))
      .filter((one) => one.status === 'added')
      .map((one) => one.path),
  );
  return { ...fact, moved, fresh: moved.filter((path) => added.has(path)) };
}
