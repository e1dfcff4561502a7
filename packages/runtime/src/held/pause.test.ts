import { describe, expect, it } from 'vitest';
import type { Binding } from './files.ts';
import { idleMs, longestPause, pausedOnce, spokenTo } from './pause.ts';

const working: Binding = {
  v: 1,
  host: 'claude',
  sessionId: 's',
  root: '/w',
  runId: 'r',
  phase: 'working',
  blocks: 0,
  last: null,
  transcriptBytes: 0,
  told: '',
  redirects: 0,
  heard: null,
  key: 'k',
};
const minute = 60_000;

describe('a session that stops with work in the background', () => {
  it('is let through so many times in a row, and then judged', () => {
    let now: Binding | null = working;
    for (let n = 0; n < longestPause.stops; n++) now = pausedOnce(now!, n);
    expect(now?.pauses).toEqual({ stops: longestPause.stops, sinceMs: 0 });
    expect(pausedOnce(now!, longestPause.stops)).toBeNull();
  });
  it('is let through so long, and then judged', () => {
    const paused = pausedOnce(working, 0)!;
    expect(pausedOnce(paused, longestPause.ms - 1)).not.toBeNull();
    expect(pausedOnce(paused, longestPause.ms)).toBeNull();
  });
  it('is not said to pause while it waits for its person', () => {
    const paused = spokenTo(pausedOnce(working, 0)!, 10 * longestPause.ms);
    expect(pausedOnce(paused, 10 * longestPause.ms + minute)).not.toBeNull();
  });
});

describe('how long a session waits for words', () => {
  it('is the time from each of its stops to the words that follow', () => {
    const first = spokenTo(pausedOnce(working, 0)!, 5 * minute);
    const second = pausedOnce(first, 7 * minute)!;
    expect([idleMs(first, 6 * minute), idleMs(second, 8 * minute)]).toEqual([5 * minute, 6 * minute]);
    expect(idleMs(spokenTo(second, 9 * minute), 20 * minute)).toBe(7 * minute);
  });
  it('is not that until it wakes up by itself', () => {
    const woken = pausedOnce(pausedOnce(working, 0)!, 30 * minute)!;
    expect(idleMs(spokenTo(woken, 31 * minute), 40 * minute)).toBe(minute);
  });
  it('is nothing where it never stopped', () => {
    expect([idleMs(working, minute), spokenTo(working, minute)]).toEqual([0, working]);
  });
});
