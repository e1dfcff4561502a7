import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  emptyState,
  type Event,
  evolve,
  FaultError,
  fold,
  type RunState,
  type RunSummary,
  summariseRun,
} from '@agentgate/core';
import { openHistoryTail, openRunStore, readHistory, type WorkspaceHome } from '../store/index.ts';

/** What is known of a run as long as its log has this size and date. */
export interface Known {
  /** Null where nothing of it can be read. */
  summary: RunSummary | null;
  /** What is wrong with its log; null where nothing is. */
  damage: string | null;
  bytes: number;
  writtenMs: number;
}

type Stamp = Pick<Known, 'bytes' | 'writtenMs'>;

/** Reads the whole log of a run; null for one that was removed. Of a damaged one what is good of it counts. */
export async function readRun(home: WorkspaceHome, runId: string, stamp: Stamp): Promise<Known | null> {
  const store = openRunStore(home.runs);
  try {
    const events = await readHistory(store, runId);
    return { ...stamp, summary: summaryOf(fold(events), events, runId, home), damage: null };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    // It may also be the run that this one goes on from which is gone.
    const isGone = error.fault.code === 'run.unknown' && !existsSync(join(home.runs, runId, 'log.jsonl'));
    if (isGone) return null;
    return { ...stamp, summary: goodPart(home, runId), damage: error.fault.message };
  }
}

function goodPart(home: WorkspaceHome, runId: string): RunSummary | null {
  try {
    const tail = openHistoryTail(home.runs, runId);
    tail.look();
    const events = tail.chunk(0, Number.POSITIVE_INFINITY).texts.map((text) => JSON.parse(text) as Event);
    if (events.length === 0) return null;
    return summaryOf(fold(events), events, runId, home);
  } catch {
    // Events that were written by nobody of ours, or nobody lets us read.
    return null;
  }
}

/** A run that is read on from where it was read last. */
export interface Follower {
  /** Null where it must be read anew. */
  readOn(stamp: Stamp): Known | null;
}

const blockBytes = 1 << 20;

export function follow(home: WorkspaceHome, runId: string): Follower | null {
  const tail = openHistoryTail(home.runs, runId);
  let state: RunState = emptyState();
  let startedAt = '';
  let at = 0;
  return {
    readOn(stamp) {
      const seen = tail.look();
      if (seen === 'gone' || seen === 'restarted' || tail.damage() !== null) return null;
      while (at < tail.count()) {
        const { texts, last } = tail.chunk(at, blockBytes);
        for (const text of texts) {
          const event = JSON.parse(text) as Event;
          if (event.kind === 'run.started') startedAt = event.at;
          state = evolve(state, event);
        }
        at = last;
      }
      return { ...stamp, summary: { ...summariseRun(state, startedAt), runId }, damage: null };
    },
  };
}

function summaryOf(
  state: RunState,
  events: readonly Event[],
  runId: string,
  home: WorkspaceHome,
): RunSummary {
  const startedAt = events.findLast(({ kind }) => kind === 'run.started')?.at ?? '';
  // Of one that was only begun nothing may be left after a power cut.
  return { ...summariseRun(state, startedAt), runId, root: home.root };
}
