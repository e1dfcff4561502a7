import { FaultError, fault, type RunState } from '@agentgate/core';

/** The tree an iteration left: a number (0 is the baseline), `best` or `last`. */
export function treeAt(state: RunState, place: string): string {
  if (place === 'best' && state.ended?.best) return state.ended.best.tree;
  if (place === 'best' && state.best) return state.best.tree;
  if (place === 'last') {
    const last = state.ended?.tree ?? state.current?.tree ?? state.history.at(-1)?.tree ?? state.baseTree;
    if (last) return last;
  }
  if (place === '0' && state.baseTree) return state.baseTree;
  const record = state.history.find((one) => String(one.iteration) === place);
  if (record) return record.tree;
  // The one under way: it may wait for a person, who wants to see what it is about.
  const { current } = state;
  if (current?.tree && String(current.iteration) === place) return current.tree;
  const named = namedTree(state, place);
  if (named) return named;
  throw new FaultError(fault('usage', `${lack(state, place)}; ${choice(state)}`));
}

/** An iteration may have begun without leaving a tree, as where its agent was cut short or the log is damaged behind it. */
function lack({ runId, iteration }: RunState, place: string): string {
  const begun = /^\d{1,9}$/.test(place) && Number(place) <= iteration;
  return begun
    ? `no tree of iteration ${place} is recorded in run ${runId}`
    : `there is no iteration "${place}" in run ${runId}`;
}

function choice({ baseTree, history, current }: RunState): string {
  const kept = [
    ...(baseTree ? [0] : []),
    ...history.map((one) => one.iteration),
    ...(current?.tree && current.iteration > 0 ? [current.iteration] : []),
  ];
  const [first, last] = [kept[0], kept.at(-1)];
  if (first === undefined || last === undefined) return 'it has kept no tree that could be named';
  return first === last
    ? `give ${first}, best or last`
    : `give a number from ${first} to ${last}, best or last`;
}

/** A tree of this run by the beginning of its name, as it is printed everywhere. */
function namedTree(state: RunState, place: string): string | null {
  if (!/^[0-9a-f]{6,40}$/.test(place)) return null;
  const known = [
    state.baseTree,
    state.ended?.tree,
    state.current?.tree,
    ...state.history.map((one) => one.tree),
  ];
  const found = new Set(known.filter((tree) => tree?.startsWith(place)));
  return found.size === 1 ? [...found][0]! : null;
}
