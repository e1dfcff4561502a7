import type { EventBody, RunState } from '@agentgate/core';
import type { RunStore } from '../store/index.ts';

/** Steps in which nothing works: the time they took is waiting, not active time. */
const waiting: readonly string[] = ['wait', 'ask', 'notify', 'end-run'];

/** The fact that a run which was cut short goes on, with the time its open step took until the last sign of life. */
export function resumption(
  store: RunStore,
  state: RunState,
  { pid, version }: { pid: number; version: string },
): Extract<EventBody, { kind: 'run.resumed' }> {
  const beat = store.lastBeat(state.runId);
  const isNow = beat !== null && beat.seq >= state.seq - state.wordsSince;
  const openMs = state.open && isNow ? beat.sinceMs : 0;
  const fact = { kind: 'run.resumed', pid, version } as const;
  return state.open && waiting.includes(state.open.kind)
    ? { ...fact, lostMs: 0, waitedMs: openMs }
    : { ...fact, lostMs: openMs };
}
