import { emptyState, type RunState } from '@agentgate/core';
import { expect, it } from 'vitest';
import type { Ports } from './ports.ts';
import { confirmTree } from './snapshot.ts';

/** Trees by name, each with its files. */
const trees: Record<string, Record<string, string>> = {
  first: { src: '1' },
  // A crash came while the gates ran: they have written, and a person has edited.
  again: { src: '2', report: 'a' },
  after: { src: '2', report: 'b', more: 'c' },
};

const workspace = {
  snapshot: async () => ({ tree: 'after', work: 'w', substance: 's' }),
  async changedPaths(from: string, to: string) {
    const [before, now] = [trees[from]!, trees[to]!];
    return Object.keys(now)
      .filter((path) => now[path] !== before[path])
      .map((path) => ({ path, status: path in before ? 'modified' : 'added' }));
  },
};

const confirmed = (iteration: number, state: Partial<RunState>) =>
  confirmTree({ ...emptyState(), ...state }, { iteration, attempt: 1, tree: 'again' }, {
    workspace,
  } as unknown as Ports);

it('what gates wrote before a crash cut the baseline short is theirs', async () => {
  const state = { firstTree: 'first', baseTree: 'again' };
  expect(await confirmed(0, state)).toMatchObject({ moved: ['report', 'more'], fresh: ['report', 'more'] });
});

it('in an iteration only what came since the baseline is new', async () => {
  const state = { firstTree: 'first', baseTree: 'again' };
  expect(await confirmed(1, state)).toMatchObject({ moved: ['report', 'more'], fresh: ['more'] });
});
