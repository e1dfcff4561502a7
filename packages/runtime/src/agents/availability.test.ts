import { describe, expect, it } from 'vitest';
import type { BuildEnd } from '@agentgate/core';
import { faultTable } from './fault-table.ts';
import { readUnavailable, unavailableEnd } from './availability.ts';

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
    ['usage limit reached', undefined],
    ['usage limit reached, try again in a while', undefined],
  ])('may say when it is back: %s', (output, retryAfterMs) => {
    expect(seen(output)?.retryAfterMs).toBe(retryAfterMs);
  });
  it('may name the time of day', () => {
    const end = seen("You've hit your session limit · resets 3:45pm (UTC)");
    expect(end?.retryAfterMs).toBeGreaterThan(0);
    expect(end?.retryAfterMs).toBeLessThanOrEqual(86_400_000);
    const at = new Date(Date.now() + end!.retryAfterMs!);
    expect([at.getUTCHours(), at.getUTCMinutes()]).toEqual([15, 45]);
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
