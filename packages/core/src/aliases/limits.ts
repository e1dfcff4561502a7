import type { Group } from './group.ts';
import type { Reading } from './reading.ts';

/** Older names of the limits; `unit` turns a bare number into a duration. */
export const olderLimits: Record<string, { now: string; unit?: 's' | 'ms' }> = {
  maxIterations: { now: 'iterations' },
  maxWallClock: { now: 'wallClock' },
  maxWallClockSeconds: { now: 'wallClock', unit: 's' },
  maxTimeMs: { now: 'wallClock', unit: 'ms' },
  maxCost: { now: 'cost' },
  maxTokens: { now: 'tokens' },
};

/** The limits, under the names they have today, also where they stood at the top. */
export function readLimits(reading: Reading, top: Group): void {
  for (const old of Object.keys(olderLimits)) {
    const entry = top.take(old);
    if (!entry) continue;
    const limits = top.openOrMake('limits', entry.from);
    if (limits && !limits.has(old)) limits.put(old, entry);
    else reading.problem(entry.from, `is also given in limits; give one of them`, true);
  }
  const limits = top.open('limits');
  if (!limits) return;
  for (const [old, { now, unit }] of Object.entries(olderLimits)) {
    const entry = limits.get(old);
    // No limit is what a missing one means, too.
    if (entry && entry.value === null) limits.take(old);
    else if (entry && unit) readNumber(reading, limits, old, now, unit);
    else reading.rename(limits, old, now);
  }
}

function readNumber(reading: Reading, limits: Group, old: string, now: string, unit: 's' | 'ms'): void {
  const { value, from } = limits.get(old)!;
  if (typeof value === 'number' && value > 0 && Number.isFinite(value))
    return reading.rename(limits, old, now, () => `${value}${unit}`);
  limits.take(old);
  const name = unit === 's' ? 'seconds' : 'milliseconds';
  reading.problem(from, `expected a number of ${name} above 0, found ${JSON.stringify(value)}`);
}
