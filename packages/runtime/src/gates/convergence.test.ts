import { expect, test } from 'vitest';
import type { GateRun } from '@agentgate/core';
import { gateFrom, idsOf, judgeGate, runOf } from './testing.ts';

const judge = async (options: object, run: Partial<GateRun>) =>
  (await judgeGate(gateFrom({ kind: 'convergence', ...options }), '/', { run: runOf(run) })).verdict;

test.each<[Partial<GateRun>, string]>([
  [{ iteration: 0, works: ['a'] }, 'convergence:first'],
  [{ iteration: 1, works: ['a', 'a'] }, 'convergence:first'],
  [{ iteration: 2, works: ['a'] }, 'convergence:first'],
  [{ iteration: 2, works: ['b', 'a'] }, 'convergence:changing'],
  [{ iteration: 3, works: ['a', 'b', 'a'] }, 'convergence:changing'],
  [{ iteration: 2, works: ['a', 'a'] }, '(passed)'],
  [{ iteration: 0, tree: '' }, 'convergence:first'],
])('the work in %j is %s', async (run, expected) => {
  expect(idsOf(await judge({}, run))).toEqual([expected]);
});

test.each<[Partial<GateRun>, string]>([
  [{ iteration: 1, similar: [1] }, 'convergence:first'],
  [{ iteration: 2, similar: [0.96] }, '(passed)'],
  [{ iteration: 2, similar: [0.95] }, '(passed)'],
  [{ iteration: 2, similar: [0.94, 1] }, 'convergence:changing'],
  [{ iteration: 2, similar: [null, 1] }, 'convergence:silent'],
  [{ iteration: 2, similar: [] }, 'convergence:silent'],
  [{ iteration: 2, works: ['a', 'a'], similar: [0.5] }, 'convergence:changing'],
])('what was said in %j is %s', async (run, expected) => {
  expect(idsOf(await judge({ strategy: 'similarity' }, run))).toEqual([expected]);
});

test('says it in words', async () => {
  expect(
    await judge({ strategy: 'similarity', threshold: 0.9 }, { iteration: 3, similar: [0.8] }),
  ).toMatchObject({
    kind: 'failed',
    excerpt: 'what the agent says still changes: the last two outputs are 80 % alike, 90 % are asked for',
  });
  expect(await judge({}, { iteration: 3, works: ['a', 'a'] })).toEqual({
    kind: 'passed',
    note: 'the work is the same as in the iteration before',
  });
});
