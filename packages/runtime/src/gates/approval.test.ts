import { describe, expect, test } from 'vitest';
import type { Approval } from '@agentgate/core';
import { gateFrom, idsOf, judgeGate, runOf } from './testing.ts';

const answer = (by: string, approved: boolean, note?: string): Approval => ({
  gate: 'ship',
  tree: 'tree',
  by,
  approved,
  ...(note === undefined ? {} : { note }),
});
const yes = (by: string) => answer(by, true);
const judge = async (options: object, approvals: Approval[], tree = 'tree') =>
  (
    await judgeGate(gateFrom({ kind: 'approval', ...options }, 'ship'), '/', {
      run: runOf({ approvals, tree }),
    })
  ).verdict;

describe('waits', () => {
  test('with its question and the way to answer', async () => {
    expect(await judge({ message: 'Is it ready?' }, [])).toEqual({
      kind: 'pending',
      retryAfterMs: 60_000,
      note: 'Is it ready?: 0 of 1 approval; answer with: agentgate approve ship, or reject',
    });
  });

  test('until enough persons approved', async () => {
    const options = { minApprovals: 2 };
    expect(await judge(options, [yes('ann')])).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('1 of 2 approvals (ann)'),
    });
    expect(await judge(options, [yes('ann'), yes('Ann '), yes('ann')])).toMatchObject({ kind: 'pending' });
    expect(await judge(options, [yes('ann'), yes('bob')])).toEqual({
      kind: 'passed',
      note: 'approved by ann, bob',
    });
  });

  test('for those it names', async () => {
    const options = { approvers: ['ann', 'bob'] };
    expect(await judge(options, [yes('eve')])).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('0 of 1 approval of ann, bob'),
    });
    expect((await judge(options, [yes('Bob')])).kind).toBe('passed');
    expect((await judge(options, [answer('eve', false)])).kind).toBe('pending');
  });

  test('outside of a run, whatever was said', async () => {
    expect(await judge({}, [yes('ann')], '')).toMatchObject({
      kind: 'pending',
      note: expect.stringContaining('approvals are given in a run'),
    });
  });
});

describe('a rejection', () => {
  test('fails with its reason', async () => {
    expect(await judge({}, [yes('ann'), answer('bob', false, 'the button is red')])).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'approval:rejected:bob', title: 'bob said no', message: 'the button is red' }],
    });
  });

  test('may be taken back, and so may an approval', async () => {
    expect((await judge({}, [answer('bob', false), yes('bob')])).kind).toBe('passed');
    expect(idsOf(await judge({}, [yes('bob'), answer('bob', false)]))).toEqual(['approval:rejected:bob']);
  });
});
