import type { Judgement, Verdict } from '@agentgate/core';
import { expect, it } from 'vitest';
import { rehearse } from './rehearse.ts';

const judged = (verdict: Verdict): Judgement => ({ verdict, tookMs: 1, output: '' });
const failed = (...titles: string[]): Verdict => ({
  kind: 'failed',
  findings: titles.map((title) => ({ id: title, title })),
  excerpt: '',
});
const passed = (count?: number): Verdict => ({
  kind: 'passed',
  ...(count === undefined ? {} : { tests: { passed: count, failed: 0, skipped: 0 } }),
});

/** What a person is told of a gate that judges so in place, so again, and so in every room. */
async function lineOf(here: Verdict, again: Verdict, room: Verdict): Promise<string | undefined> {
  const inPlace = [here, again];
  const { line } = await rehearse({
    gate: 'tests',
    judgeInPlace: async () => judged(inPlace.shift()!),
    judgeIn: async () => judged(room),
  });
  return line;
}

it.each<[Verdict, Verdict, string, string]>([
  [failed('a'), passed(), 'passed', 'failed with 1 finding'],
  [failed('a', 'b'), failed('b', 'c'), 'failed with 2 findings ("c")', 'failed with 2 findings ("a")'],
  [
    failed('a', 'b', 'c', 'd'),
    failed('d', 'd', 'd', 'd'),
    'failed with 4 findings (no tests were counted)',
    'failed with 4 findings ("a", "b" and 1 more)',
  ],
  [
    passed(3),
    passed(2),
    'passed (tests: 2 passed, 0 failed, 0 skipped)',
    'passed (tests: 3 passed, 0 failed, 0 skipped)',
  ],
  [passed(3), passed(), 'passed (no tests were counted)', 'passed (tests: 3 passed, 0 failed, 0 skipped)'],
])('says what differs between the room and here: %j, %j', async (here, room, there, said) =>
  expect(await lineOf(here, here, room)).toBe(
    `gate tests judges in place: in its room it is ${there}, and here ${said}`,
  ),
);

it('says what differs between two judgements of one tree', async () =>
  expect(await lineOf(failed('a'), failed('b'), failed('c'))).toContain(
    'twice (failed with 1 finding ("a"), then failed with 1 finding ("b")); it is flaky',
  ));
