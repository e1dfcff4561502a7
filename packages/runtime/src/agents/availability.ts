import { type BuildEnd, parseDuration } from '@agentgate/core';
import { safeText } from '../process/index.ts';
import { faultTable } from './fault-table.ts';

/** Why an agent cannot work just now, in its own words. */
export type Unavailable = Omit<Away, 'kind'>;

type Away = Extract<BuildEnd, { kind: 'unavailable' }>;

/** The exit code by which programs say "try again later" (EX_TEMPFAIL). */
const tryAgainLater = 75;
/** Only the last lines tell why a program ended; what it worked on may speak of limits, too. */
const lastLines = 5;

/** Reads the end of a failed agent that only could not work just now; null for one that failed by itself. */
export function unavailableEnd(end: BuildEnd, output: string, told: Unavailable | undefined): Away | null {
  if (end.kind === 'aborted') return null;
  if (told) return { kind: 'unavailable', ...told };
  if (end.kind !== 'failed') return null;
  const lines = output.trimEnd().split('\n').slice(-lastLines);
  for (const { why, pattern } of faultTable) {
    const line = lines.findLast((one) => pattern.test(one));
    if (line !== undefined) {
      const retry = retryAfter(line);
      const detail = safeText(line).trim().slice(0, 200);
      return { kind: 'unavailable', why, detail, ...(retry === null ? {} : { retryAfterMs: retry }) };
    }
  }
  if (end.exitCode !== tryAgainLater) return null;
  const detail = `it exited with ${tryAgainLater}: try again later`;
  return { kind: 'unavailable', why: 'environment', detail };
}

/** What an agent wrote to its outcome file: `{"unavailable": {"why": "usage-limit", "retryAfter": "30m"}}`. */
export function readUnavailable(value: unknown): { unavailable?: Unavailable } {
  if (typeof value !== 'object' || value === null) return {};
  const { why, detail, retryAfter: after } = value as Record<string, unknown>;
  const known = why === 'usage-limit' || why === 'overloaded' || why === 'network' || why === 'environment';
  if (!known) return {};
  const ms = typeof after === 'string' ? parseDuration(after) : null;
  return {
    unavailable: {
      why,
      detail: typeof detail === 'string' && detail !== '' ? safeText(detail).slice(0, 200) : why,
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
 * `retry after 30s`, `try again in 3 days 4 hours`, `resets 3:45pm`, `retry-after: 120`, `limit reached|1731686400`.
 * Null when it is not told, or told in a way we do not know: then the usual pause is the better guess.
 */
export function retryAfter(line: string, nowMs: number = Date.now()): number | null {
  const stamp = /\|\s*(1\d{9})\b/.exec(line);
  if (stamp) return positive(Number(stamp[1]) * 1_000 - nowMs);
  const header = /retry[-_ ]after["']?\s*[:=]\s*(\d+)\b(?!\s*[a-z:])/i.exec(line);
  if (header) return positive(Number(header[1]) * 1_000);
  const told = /(?:retry|try again|resets?|available)(?:\s+(?:after|in|at))?[:= ]+(.*)$/i.exec(line)?.[1];
  if (told === undefined) return null;
  return lengthOf(told) ?? clockTime(told, nowMs);
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
  const found = /^\s*(?:at\s+)?(\d{1,2})(?::(\d{2}))?\s*(am|pm)?\b\s*\(?(utc|gmt)?/i.exec(text);
  if (!found || (found[2] === undefined && found[3] === undefined)) return null;
  const half = found[3]?.toLowerCase();
  const hour = (Number(found[1]) % (half ? 12 : 24)) + (half === 'pm' ? 12 : 0);
  const at = new Date(nowMs);
  if (found[4]) at.setUTCHours(hour, Number(found[2] ?? 0), 0, 0);
  else at.setHours(hour, Number(found[2] ?? 0), 0, 0);
  return at.getTime() > nowMs ? at.getTime() - nowMs : at.getTime() + unitsMs['d']! - nowMs;
}

const positive = (ms: number): number | null => (ms > 0 ? ms : null);
