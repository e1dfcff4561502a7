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
  throw new FaultError(
    fault(
      'usage',
      `there is no iteration "${place}" in run ${state.runId}; give a number from 0 to ${state.iteration}, best or last`,
    ),
  );
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
