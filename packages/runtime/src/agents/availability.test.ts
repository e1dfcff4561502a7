import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BuildEnd } from '@agentgate/core';
import { faultTable } from './fault-table.ts';
import { readUnavailable, retryAfter, unavailableEnd } from './availability.ts';

const failed = (exitCode = 1): BuildEnd => ({
  kind: 'failed',
  detail: `it exited with ${exitCode}`,
  exitCode,
});
const seen = (output: string, end: BuildEnd = failed()) => unavailableEnd(end, output, undefined);

describe('an agent that only cannot work just now', () => {
  it.each(
    faultTable.flatMap((fault) =>
      fault.costs
        ? []
        : fault.examples.flatMap((one) => ('says' in one ? [[one.says, fault.why] as const] : [])),
    ),
  )('is known by its last words: %s', (output, why) => {
    expect(seen(`some work\n${output}\n`)).toMatchObject({ kind: 'unavailable', why });
  });
  it.each([
    ['a test of the rate limiter failed: expected 200, found 418'],
    ['I wrote a handler for too many open files'],
    ['TypeError: undefined is not a function'],
    ['limit reached: 3 of 5 tests'],
    ['1 failing: expected HTTP 429 but got 200'],
  ])('is not taken for one that failed by itself: %s', (output) => {
    expect(seen(output)).toBeNull();
  });
  it('is not looked for far above its end, nor when it finished or was cut short', () => {
    const early = `HTTP 429 Too Many Requests\n${'line\n'.repeat(10)}`;
    expect(seen(early)).toBeNull();
    expect(seen('usage limit reached', { kind: 'finished' })).toBeNull();
    expect(seen('usage limit reached', { kind: 'aborted', by: 'stop' })).toBeNull();
  });
  it.each([
    ['usage limit reached, try again in 5 minutes', 300_000],
    ['rate limit exceeded, retry after 30s', 30_000],
    ['rate limit reached. Retry-After: 120', 120_000],
    ['usage limit reached, resets in 2 hours', 7_200_000],
    ["You've hit your usage limit. Upgrade or try again in 3 days 4 hours 5 minutes.", 273_900_000],
    ['rate limit exceeded, retry in 1h30m', 5_400_000],
    ['exhausted your capacity on this model. Your quota will reset after 8h44m7s.', 31_447_000],
    ['usage limit reached', undefined],
    ['usage limit reached, try again in a while', undefined],
  ])('may say when it is back: %s', (output, retryAfterMs) => {
    expect(seen(output)?.retryAfterMs).toBe(retryAfterMs);
  });
  it('may name the time of day', () => {
    const nowMs = Date.UTC(2026, 10, 19, 12, 0, 30);
    const after = (words: string) => retryAfter(words, nowMs);
    const told = "You've hit your session limit · resets";
    expect(seen(`${told} 3:45pm (UTC)`)?.retryAfterMs).toBeGreaterThan(0);
    expect(after(`${told} 3:45pm (UTC)`)).toBe(Date.UTC(2026, 10, 19, 15, 45) - nowMs);
    expect(after(`${told} 9am (UTC)`)).toBe(Date.UTC(2026, 10, 20, 9) - nowMs);
    // It is back within this minute, and not tomorrow.
    expect(after(`${told} 12pm (UTC)`)).toBe(30_000);
  });
  it.each([
    ['try again at Nov 20th, 2026 3:05 PM.', [2026, 10, 20, 15, 5]],
    ['Try again at Dec 1st, 2026 12:30 AM.', [2026, 11, 1, 0, 30]],
    ['Your rate limit resets on Jan 3, 2027, 11:43 AM. Upgrade', [2027, 0, 3, 11, 43]],
    ['usage limit reached, resets November 22, 1pm', [2026, 10, 22, 13, 0]],
    ['usage limit reached, resets Jan 2, 1pm', [2027, 0, 2, 13, 0]],
  ] as const)(
    'may name the day as well, by the clock of this machine: %s',
    (words, [year, month, day, h, m]) => {
      const now = new Date(2026, 10, 19, 12, 0).getTime();
      expect(retryAfter(words, now)).toBe(new Date(year, month, day, h, m).getTime() - now);
    },
  );
  it.each([
    ['try again at Nov 18th, 2026 3:05 PM'],
    ['resets Nov 18, 3pm'],
    ['try again at Feb 30th, 2027 3:05 PM'],
    ['try again at Foo 20th, 2026 3:05 PM'],
    ['try again at Nov 20th, 2026'],
  ])('names no time to wait for when it is over, or is none: %s', (words) => {
    expect(retryAfter(words, new Date(2026, 10, 19, 12, 0).getTime())).toBeNull();
  });
  it('names the day as Codex writes it, to the minute and never in the past', () => {
    const minutes = fc.integer({ min: -60 * 24 * 400, max: 60 * 24 * 400 });
    fc.assert(
      fc.property(fc.integer({ min: 1.6e12, max: 2e12 }), minutes, (nowMs, away) => {
        const at = new Date(nowMs + away * 60_000);
        at.setSeconds(0, 0);
        // Where the clock is put back, one hour of the year is named twice.
        fc.pre(at.getTime() === new Date(at.toLocaleString('en-US')).getTime());
        const told = retryAfter(`Visit us to purchase more credits or try again at ${asCodex(at)}.`, nowMs);
        const lateMs = nowMs - at.getTime();
        const isBackAt = lateMs < 0 ? at.getTime() : at.getTime() + 60_000;
        expect(told).toBe(lateMs < 60_000 ? isBackAt - nowMs : null);
      }),
      { numRuns: 2_000 },
    );
  });
  it.each([
    [
      'API Error: Request rejected (429) · You have reached your usage limit for this week; resets at 5pm',
      17,
    ],
    ['[API Error: You have reached your usage limit; Please try again later; it resets at 11:30]', 11],
  ])('may name it behind other words: %s', (output, hour) => {
    const end = seen(output);
    expect(end).toMatchObject({ why: 'usage-limit' });
    expect(new Date(Date.now() + end!.retryAfterMs!).getHours()).toBe(hour);
  });
  it('says so by the exit code for trying again later', () => {
    expect(seen('', failed(75))).toMatchObject({ kind: 'unavailable', why: 'environment' });
  });
  it('says so in its outcome file, whatever its exit code', () => {
    const { unavailable } = readUnavailable({ why: 'usage-limit', retryAfter: '30m', detail: 'weekly' });
    expect(unavailableEnd({ kind: 'finished' }, '', unavailable)).toEqual({
      kind: 'unavailable',
      why: 'usage-limit',
      detail: 'weekly',
      retryAfterMs: 1_800_000,
    });
    for (const wrong of [null, 'usage-limit', { why: 'tired' }, { retryAfter: '1h' }])
      expect(readUnavailable(wrong)).toEqual({});
  });
});

/** `Nov 20th, 2026 3:05 PM`, in the time of this machine. */
function asCodex(at: Date): string {
  const day = at.getDate();
  const suffix = day > 10 && day < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][day % 10] ?? 'th');
  const month = at.toLocaleString('en-US', { month: 'short' });
  const hour = at.getHours() % 12 || 12;
  const minute = String(at.getMinutes()).padStart(2, '0');
  return `${month} ${day}${suffix}, ${at.getFullYear()} ${hour}:${minute} ${at.getHours() < 12 ? 'AM' : 'PM'}`;
}
