import { type EventBody, emptyState, evolve, type RunState } from '@agentgate/core';
import { expect, it } from 'vitest';
import { makeMemoryStore } from '../store/index.ts';
import { resumption } from './resumption.ts';

const build = { kind: 'start-iteration', iteration: 1, because: { code: 'begin', reason: '' } };
const redirect = { kind: 'redirect.requested', by: 'command', text: 'x' };

/** What a resume counts where the log has these events and the last sign of life came 9 s after event `seq`. */
function counted(seq: number, ...bodies: object[]): number {
  const store = makeMemoryStore();
  store.create('r1');
  store.beat('r1', { seq, sinceMs: 9_000 });
  const state = bodies.reduce<RunState>(
    (at, body, index) =>
      evolve(at, { v: 1, seq: index + 1, at: '2026-01-01T00:00:00Z', ...(body as EventBody) }),
    { ...emptyState(), runId: 'r1' },
  );
  return resumption(store, state, { pid: 1, version: 't' }).lostMs;
}

it('a step that a crash cut short counts up to the last sign of life', () => {
  expect(counted(1, { kind: 'decided', decision: build })).toBe(9_000);
});

it('words that a crash parted from the fact they came with take none of its time away', () => {
  expect(counted(1, { kind: 'decided', decision: build }, redirect)).toBe(9_000);
  expect(counted(1, { kind: 'decided', decision: build }, redirect, redirect)).toBe(9_000);
});

it('a sign of life from before the newest fact is old', () => {
  const snapshot = { kind: 'snapshot.taken', iteration: 1, tookMs: 5, changed: {} };
  expect(counted(1, { kind: 'decided', decision: build }, snapshot)).toBe(0);
  expect(counted(1, { kind: 'decided', decision: build }, snapshot, redirect)).toBe(0);
});

it('nothing works while the end of a run is told', () => {
  expect(counted(1, { kind: 'decided', decision: { ...build, kind: 'end-run' } })).toBe(0);
});
