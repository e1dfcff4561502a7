import type { Event } from '../event.ts';
import { fold } from '../evolve.ts';
import { agentKey } from '../observed.ts';
import type { Status } from '../outcome.ts';

/** What one run came to: its ending, and what it used itself. What a run that it goes on from used is not counted again. */
export interface RunFacts {
  runId: string;
  /** The first run of its lineage: runs that go on from one another are one piece of work. */
  work: string;
  project: string;
  agent: string;
  strategy: string;
  /** Null while it has not ended. */
  status: Status | null;
  code: string | null;
  iterations: number;
  activeMs: number;
  tokens: number | null;
  costUsd: number | null;
  at: string;
}

/** Reads the facts of the newest run of a history; null for one that never started. */
export function runFacts(events: readonly Event[]): RunFacts | null {
  const start = events.findLastIndex((one) => one.kind === 'run.started');
  if (start === -1) return null;
  const before = fold(events.slice(0, start));
  const had = { ...before };
  const state = fold(events.slice(start), before);
  const { spec, ended, runId, root, lineage } = state;
  if (!spec) return null;
  const used = (what: 'tokens' | 'costUsd') => (state[what] === null ? null : state[what] - (had[what] ?? 0));
  return {
    runId,
    work: lineage[0] ?? runId,
    project: root,
    agent: agentKey(spec),
    strategy: spec.strategy.kind,
    status: ended?.status ?? null,
    code: ended?.code ?? null,
    iterations: Math.max(0, state.iteration - had.iteration),
    activeMs: Math.max(0, state.activeMs - had.activeMs),
    tokens: used('tokens'),
    costUsd: used('costUsd'),
    at: events[start]?.at ?? '',
  };
}
