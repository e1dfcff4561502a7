import { emptyState, type RunState } from '@agentgate/core';
import { expect, it } from 'vitest';
import { treeAt } from './tree-at.ts';

const state = (over: object): RunState => ({ ...emptyState(), runId: 'r1', ...over }) as RunState;
const kept = [
  { iteration: 1, tree: 'b'.repeat(40) },
  { iteration: 2, tree: 'c'.repeat(40) },
];
const baseTree = 'a'.repeat(40);

it.each([
  // The agent of an iteration was cut short, or the log is damaged behind its beginning.
  [
    { baseTree, iteration: 1, current: { iteration: 1, tree: null } },
    '1',
    'no tree of iteration 1 is recorded in run r1; give 0, best or last',
  ],
  [
    { baseTree, iteration: 3, history: kept, current: { iteration: 3, tree: null } },
    '3',
    'no tree of iteration 3 is recorded in run r1; give a number from 0 to 2, best or last',
  ],
  [
    { baseTree, iteration: 2, history: kept },
    '7',
    'there is no iteration "7" in run r1; give a number from 0 to 2, best or last',
  ],
  [
    { iteration: 0 },
    'last',
    'there is no iteration "last" in run r1; it has kept no tree that could be named',
  ],
])('names only trees that are there: %j', (over, place, message) =>
  expect(() => treeAt(state(over), place)).toThrow(message),
);

it('finds the tree of an iteration, also of the one under way', () => {
  const under = state({ baseTree, iteration: 3, history: kept, current: { iteration: 3, tree: 'd' } });
  expect(['0', '2', '3', 'last', 'aaaaaa'].map((place) => treeAt(under, place)[0])).toEqual([...'acdda']);
});
