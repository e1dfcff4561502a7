import { statfsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { hearSignals } from './signals.ts';

/** What a run sets aside for its log, and half as much again to do something with. */
const neededBytes = 12 * 2 ** 20;

/**
 * Waits until the disk below a directory has room again, looking less and less often. False when the deadline comes
 * first, or a signal.
 */
export async function awaitRoom(dir: string, firstMs: number, deadlineMs: number): Promise<boolean> {
  const stop = new AbortController();
  const unhook = hearSignals(() => stop.abort());
  try {
    for (let pauseMs = firstMs; performance.now() < deadlineMs; pauseMs = Math.min(30_000, pauseMs * 2)) {
      await pause(Math.min(pauseMs, deadlineMs - performance.now()), null, { signal: stop.signal });
      if (hasRoom(dir)) return true;
    }
    return false;
  } catch (error) {
    if (stop.signal.aborted) return false;
    throw error;
  } finally {
    unhook();
  }
}

function hasRoom(dir: string): boolean {
  const { bavail, bsize } = statfsSync(dir);
  return bavail * bsize >= neededBytes;
}
