import { join } from 'node:path';
import type { Event } from '@agentgate/core';
import { type Chunk, type Look, type LogTail, openLogTail } from './log-tail.ts';

/**
 * The history of a run that is followed: its own log, behind the events of the runs that it goes on from. A position
 * counts all of them, and never means another event.
 */
export function openHistoryTail(runsDir: string, runId: string): LogTail {
  const own = openLogTail(logOf(runsDir, runId));
  /** Known once the first event is there, and the same for ever. */
  let before: Part[] | null = null;
  const inherited = () => before?.at(-1)?.end ?? 0;
  return {
    count: () => inherited() + own.count(),
    damage: () => before?.find(({ damage }) => damage !== null)?.damage ?? own.damage(),
    look(): Look {
      const seen = own.look();
      if (before === null && own.count() > 0) before = partsBefore(runsDir, own);
      return seen;
    },
    chunk(after, mostBytes): Chunk {
      const part = before?.find(({ end }) => after < end);
      if (!part) {
        const { texts, last } = own.chunk(after - inherited(), mostBytes);
        return { texts, last: inherited() + last };
      }
      const start = part.end - part.count;
      const { texts, last } = part.log.chunk(after - start, mostBytes);
      const over = Math.max(0, last - part.count);
      return { texts: texts.slice(0, texts.length - over), last: start + last - over };
    },
  };
}

/** What a run has from one that it goes on from. */
interface Part {
  log: LogTail;
  count: number;
  /** The position of its last event. */
  end: number;
  damage: string | null;
}

/** Oldest first. */
function partsBefore(runsDir: string, log: LogTail): Part[] {
  const first = JSON.parse(log.chunk(0, 0).texts[0] ?? '{}') as Partial<Event>;
  const parent = first.kind === 'run.started' ? first.parent : undefined;
  if (!parent) return [];
  const its = openLogTail(logOf(runsDir, parent.runId));
  const seen = its.look();
  const older = its.count() > 0 ? partsBefore(runsDir, its) : [];
  const count = Math.min(parent.seq, its.count());
  const damage =
    seen === 'gone'
      ? `run ${parent.runId}, which it goes on from, is no longer there`
      : count < parent.seq
        ? `run ${parent.runId}, which it goes on from, has lost events`
        : null;
  return [...older, { log: its, count, end: (older.at(-1)?.end ?? 0) + count, damage }];
}

const logOf = (runsDir: string, runId: string): string => join(runsDir, runId, 'log.jsonl');
