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
const judge = async (options: object, approvals: Approval[], tree = 'tree', waitedMs = 0) =>
  (
    await judgeGate(gateFrom({ kind: 'approval', ...options }, 'ship'), '/', {
      run: runOf({ approvals, tree, waitedMs }),
    })
  ).verdict;

describe('waits', () => {
  test('with its question and the way to answer', async () => {
    expect(await judge({ message: 'Is it ready?' }, [])).toEqual({
      kind: 'pending',
      retryAfterMs: 60_000,
      note: 'Is it ready? 0 of 1 approval; answer with: agentgate approve ship, or reject',
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

describe('silence', () => {
  const after = (minutes: number, options: object, approvals: Approval[] = [], tree = 'tree') =>
    judge({ timeout: '10m', ...options }, approvals, tree, minutes * 60_000);

  test('is waited for until the time-out, and to the minute', async () => {
    expect(await after(9.5, {})).toMatchObject({ kind: 'pending', retryAfterMs: 30_000 });
    expect(await after(1, {})).toMatchObject({ kind: 'pending', retryAfterMs: 60_000 });
  });

  test.each<[string, object, object]>([
    [
      'no, unless told',
      {},
      { kind: 'failed', findings: [{ id: 'approval:no-answer', title: 'nobody answered within 10m' }] },
    ],
    ['no', { default: 'reject' }, { kind: 'failed' }],
    [
      'yes, and it is said',
      { default: 'approve' },
      {
        kind: 'passed',
        note: 'nobody answered within 10m; the default is approve',
        unanswered: true,
      },
    ],
  ])('means %s', async (_name, options, expected) => {
    expect(await after(10, options)).toMatchObject(expected);
  });

  test('never outweighs what was said', async () => {
    expect(await after(10, { default: 'reject' }, [yes('ann')])).toEqual({
      kind: 'passed',
      note: 'approved by ann',
    });
    expect(idsOf(await after(10, { default: 'approve' }, [answer('bob', false)]))).toEqual([
      'approval:rejected:bob',
    ]);
  });

  test('means nothing without a time-out, or outside of a run', async () => {
    expect((await judge({ default: 'approve' }, [], 'tree', 1e9)).kind).toBe('pending');
    expect((await after(10, { default: 'approve' }, [], '')).kind).toBe('pending');
  });
});
