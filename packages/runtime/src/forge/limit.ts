import type { IncomingHttpHeaders } from 'node:http';

const leastMs = 1_000;
const mostMs = 2 * 3_600_000;
const usualMs = 60_000;

/** For how long a forge wants to be left alone; null when the answer is no such wish. */
export function limitOf(
  status: number,
  headers: IncomingHttpHeaders,
  body: string,
  nowMs: number,
): number | null {
  if (status !== 403 && status !== 429) return null;
  const after = afterMs(one(headers['retry-after']), nowMs);
  const left = one(headers['x-ratelimit-remaining']) ?? one(headers['ratelimit-remaining']);
  const reset = Number(one(headers['x-ratelimit-reset']) ?? one(headers['ratelimit-reset']));
  const spent = left === '0' || status === 429;
  const serverMs = Date.parse(headers.date ?? '') || nowMs;
  const untilReset = spent && reset > 0 ? reset * 1_000 - serverMs : null;
  // GitHub's second limit is told by words alone.
  const byWords = status === 429 || /rate limit/i.test(body.slice(0, 2_000)) ? usualMs : null;
  const forMs = after ?? untilReset ?? byWords;
  return forMs === null ? null : Math.min(mostMs, Math.max(leastMs, forMs));
}

/** Seconds, or a date. */
function afterMs(value: string | undefined, nowMs: number): number | null {
  if (value === undefined) return null;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? null : at - nowMs;
}

const one = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value[0] : value;
