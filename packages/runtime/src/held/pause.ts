import type { Binding } from './files.ts';

/** A session with work in the background may stop so often, and pause so long, before it is judged all the same. */
export const longestPause = { stops: 10, ms: 3_600_000 };

/** The session pauses once more and is not judged; null where it has paused enough since its last judgement. */
export function pausedOnce(binding: Binding, nowMs: number): Binding | null {
  const { stops, sinceMs } = binding.pauses ?? { stops: 0, sinceMs: nowMs };
  const idleMs = binding.idle?.ms ?? 0;
  if (stops >= longestPause.stops || nowMs - sinceMs - idleMs >= longestPause.ms) return null;
  return {
    ...binding,
    pauses: { stops: stops + 1, sinceMs },
    idle: { ms: idleMs, sinceMs: nowMs },
  };
}

/** Somebody speaks to a session that had stopped: until now it waited for them, which is no time of the run. */
export function spokenTo(binding: Binding, nowMs: number): Binding {
  return binding.idle ? { ...binding, idle: { ms: idleMs(binding, nowMs), sinceMs: null } } : binding;
}

/** How long a session has waited for words since its iteration began, with the time that it waits now. */
export function idleMs({ idle }: Pick<Binding, 'idle'>, nowMs: number): number {
  if (!idle) return 0;
  return idle.ms + (idle.sinceMs === null ? 0 : Math.max(0, nowMs - idle.sinceMs));
}
