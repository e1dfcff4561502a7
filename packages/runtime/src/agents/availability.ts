import { type BuildEnd, parseDuration } from '@agentgate/core';
import { safeText } from '../process/index.ts';
import { type AgentFault, faultTable } from './fault-table.ts';

/** Why an agent cannot work just now, in its own words. */
export type Unavailable = Omit<Away, 'kind'>;

type Away = Extract<BuildEnd, { kind: 'unavailable' }>;

type Failed = Extract<BuildEnd, { kind: 'failed' }>;

/** Only the last lines tell why a program ended; what it worked on may speak of limits, too. */
const lastLines = 5;

/** Reads the end of a failed agent that only could not work just now; null for one that failed by itself. */
export function unavailableEnd(end: BuildEnd, output: string, told: Unavailable | undefined): Away | null {
  if (end.kind === 'aborted') return null;
  if (told) return { kind: 'unavailable', ...told };
  if (end.kind !== 'failed') return null;
  const { fault, line } = faultOf(end, output);
  if (fault.costs) return null;
  const retry = retryAfter(line);
  const detail = safeText(line).trim().slice(0, 200);
  return {
    kind: 'unavailable',
    why: fault.why,
    detail,
    ...(retry === null ? {} : { retryAfterMs: retry }),
  };
}

/** The row of the table that an end belongs to, and the words by which it is known. */
function faultOf(end: Failed, output: string): { fault: AgentFault; line: string } {
  const lines = output.trimEnd().split('\n').slice(-lastLines);
  for (const fault of faultTable) {
    if (fault.exitCode !== undefined && fault.exitCode === end.exitCode)
      return { fault, line: `${end.detail}: try again later` };
    const { pattern } = fault;
    const line = (fault.costs ? [end.detail] : lines).findLast((one) => pattern?.test(one));
    if (line !== undefined) return { fault, line };
  }
  throw new Error('the last fault of the table is every end that is no other');
}

/** Why a service refused by a number that passes by itself: for a limit that its words name, or for how often. */
export function refusalOf(status: number, words: string): 'usage-limit' | 'overloaded' | null {
  if (status !== 429) return status >= 500 ? 'overloaded' : null;
  const isLimit = faultTable.some(
    (fault) => !fault.costs && fault.why === 'usage-limit' && fault.pattern?.test(words),
  );
  return isLimit ? 'usage-limit' : 'overloaded';
}

/** What an agent wrote to its outcome file: `{"unavailable": {"why": "usage-limit", "retryAfter": "30m"}}`. */
export function readUnavailable(value: unknown): { unavailable?: Unavailable } {
  if (typeof value !== 'object' || value === null) return {};
  const { why, detail, retryAfter: after } = value as Record<string, unknown>;
  // What a person must put right is no matter of waiting.
  const known = faultTable.find(
    (fault) => !fault.costs && fault.class !== 'configuration' && fault.why === why,
  );
  if (!known || known.costs) return {};
  const ms = typeof after === 'string' ? parseDuration(after) : null;
  return {
    unavailable: {
      why: known.why,
      detail: typeof detail === 'string' && detail !== '' ? safeText(detail).slice(0, 200) : known.why,
      ...(ms === null || ms <= 0 ? {} : { retryAfterMs: ms }),
    },
  };
}

const unitsMs: Record<string, number> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/**
 * `retry after 30s`, `try again in 3 days 4 hours`, `resets 3:45pm`, `try again at Nov 20th, 2026 3:05 PM`,
 * `retry-after: 120`, `limit reached|1731686400`.
 * Null when it is not told, or told in a way we do not know: then the usual pause is the better guess.
 */
export function retryAfter(line: string, nowMs: number = Date.now()): number | null {
  const stamp = /\|\s*(1\d{9})\b/.exec(line);
  if (stamp) return positive(Number(stamp[1]) * 1_000 - nowMs);
  const header = /retry[-_ ]after["']?\s*[:=]\s*(\d+)\b(?!\s*[a-z:])/i.exec(line);
  if (header) return positive(Number(header[1]) * 1_000);
  // `Please try again later. It resets at 5pm`: not every word of a return tells its time.
  for (const found of line.matchAll(/(?:retry|try again|resets?|available)(?:\s+(?:after|in|at))?[:= ]+/gi)) {
    const told = line.slice(found.index + found[0].length);
    const ms = lengthOf(told) ?? dayTime(told, nowMs) ?? clockTime(told, nowMs);
    if (ms !== null) return ms;
  }
  return null;
}

/** `3 days 4 hours 5 minutes`, `1h30m`, `30s`: every part of the length that stands at the beginning. */
function lengthOf(text: string): number | null {
  const part =
    /^[\s,and]*(\d+(?:\.\d+)?)\s*(ms|milliseconds?|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z:])/i;
  let sum = 0;
  let rest = text.replaceAll(/(\d)([a-z]+)(?=\d)/gi, '$1$2 ');
  for (let found = part.exec(rest); found; found = part.exec(rest)) {
    const unit = found[2]!.toLowerCase();
    sum += Number(found[1]) * unitsMs[/^m(s|il)/.test(unit) ? 'ms' : unit[0]!]!;
    rest = rest.slice(found[0].length);
  }
  return positive(sum);
}

/** `3:45pm (UTC)`, `15:45`: the next time the clock shows it; in UTC when that is said, here otherwise. */
function clockTime(text: string, nowMs: number): number | null {
  const time = timeIn(text);
  if (!time) return null;
  const today = new Date(nowMs);
  const day = time.isUtc
    ? ([today.getUTCFullYear(), today.getUTCMonth(), today.getUTCDate()] as const)
    : ([today.getFullYear(), today.getMonth(), today.getDate()] as const);
  return untilEndOf(momentOf(...day, time), nowMs) ?? momentOf(day[0], day[1], day[2] + 1, time) - nowMs;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Longer than any window of an account: a day without a year that is farther back is one of the next year. */
const halfYearMs = 183 * 86_400_000;

/** `Nov 20th, 2026 3:05 PM`, `on Oct 6, 1pm (UTC)`: a day with its time. Null when it is over, or none at all. */
function dayTime(text: string, nowMs: number): number | null {
  const found =
    /^\s*(?:on\s+)?([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b,?(?:\s+(\d{4})\b,?)?\s+(.*)/i.exec(text);
  const month = months.indexOf(found?.[1]!.toLowerCase() ?? '');
  const time = found && timeIn(found[4]!);
  if (!time || month === -1) return null;
  const day = Number(found[2]);
  const years = found[3] === undefined ? new Date(nowMs).getFullYear() : Number(found[3]);
  // The thirtieth of February would be a day in March.
  if (new Date(Date.UTC(years, month, day)).getUTCDate() !== day) return null;
  const atMs = momentOf(years, month, day, time);
  const isNext = found[3] === undefined && atMs < nowMs - halfYearMs;
  return untilEndOf(isNext ? momentOf(years + 1, month, day, time) : atMs, nowMs);
}

interface ClockTime {
  hour: number;
  minute: number;
  isUtc: boolean;
}

function timeIn(text: string): ClockTime | null {
  const found = /^\s*(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\b\s*\(?(utc|gmt)?/i.exec(text);
  if (!found || (found[2] === undefined && found[3] === undefined)) return null;
  const half = found[3]?.toLowerCase();
  const hour = (Number(found[1]) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0);
  return { hour, minute: Number(found[2] ?? 0), isUtc: found[4] !== undefined };
}

const momentOf = (year: number, month: number, day: number, { hour, minute, isUtc }: ClockTime): number =>
  isUtc ? Date.UTC(year, month, day, hour, minute) : new Date(year, month, day, hour, minute).getTime();

/** Seconds are not told: within the minute that is named, it is over when the minute is. */
function untilEndOf(minuteMs: number, nowMs: number): number | null {
  if (minuteMs > nowMs) return minuteMs - nowMs;
  return positive(minuteMs + unitsMs['m']! - nowMs);
}

const positive = (ms: number): number | null => (ms > 0 ? ms : null);
