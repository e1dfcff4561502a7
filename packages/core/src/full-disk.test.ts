import { expect, it } from 'vitest';
import { decide } from './decide.ts';
import { evolve, fold } from './evolve.ts';
import { failed, play, specOf } from './testing/play.ts';

it('a run whose end did not fit on the disk any more goes on when it is resumed', () => {
  const { events } = play(specOf({ limits: { iterations: 2 } }), {
    turn: (n) => ({ tree: `t${n}` }),
    judge: () => failed(['a']),
  });
  const built = events.findIndex((one) => one.kind === 'snapshot.taken' && one.iteration === 1);
  let state = fold(events.slice(0, built + 1));
  const next = (body: object) => {
    state = evolve(state, { v: 1, seq: state.seq + 1, at: '', ...body } as never);
  };
  const fault = { code: 'state.full', message: 'no space left', retry: 'never' };
  next({ kind: 'fault.raised', phase: 'gate', iteration: 1, fault });
  expect(decide(state)).toMatchObject({ kind: 'end-run', status: 'suspended' });
  next({ kind: 'decided', decision: decide(state) });
  next({ kind: 'run.resumed', pid: 1, lostMs: 0 });
  expect(decide(state)).toMatchObject({ kind: 'judge', iteration: 1 });
});

it('what the gates wrote before a run that never began stays theirs when it goes on', () => {
  const { events } = play(specOf({ limits: { iterations: 2 } }), {
    turn: (n) => ({ tree: `t${n}` }),
    judge: () => failed(['a']),
  });
  const upTo = events.findIndex((one) => one.kind === 'tree.confirmed') + 1;
  const told = events
    .slice(0, upTo)
    .map((one) =>
      one.kind === 'tree.confirmed'
        ? { ...one, after: 'later', moved: ['out/r.xml'], fresh: ['out/r.xml'] }
        : one,
    );
  const before = fold(told);
  expect([...before.gateWrites]).toEqual(['out/r.xml']);
  const parent = { runId: before.runId, seq: before.seq };
  const first = { ...events[0]!, seq: 1, runId: 'next', parent } as (typeof events)[number];
  const state = evolve(before, first);
  expect([state.baseTree, [...state.gateWrites]]).toEqual([null, ['out/r.xml']]);
});
