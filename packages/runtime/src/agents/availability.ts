import { type BuildEnd, parseDuration } from '@agentgate/core';
import { cleanText } from '../process/index.ts';

/** Why an agent cannot work just now, in its own words. */
export interface Unavailable {
  why: 'usage-limit' | 'overloaded' | 'environment';
  detail: string;
  retryAfterMs?: number;
}

type Away = Extract<BuildEnd, { kind: 'unavailable' }>;

/** The exit code by which programs say "try again later" (EX_TEMPFAIL). */
const tryAgainLater = 75;
/** Only the last lines tell why a program ended; what it worked on may speak of limits, too. */
const lastLines = 5;

const patterns: readonly { why: Unavailable['why']; pattern: RegExp }[] = [
  {
    why: 'usage-limit',
    pattern:
      /\b(?:usage limit (?:reached|exceeded)|hit your (?:usage |session |weekly )?limit|(?:session|weekly|5-hour) limit reached|quota (?:exceeded|exhausted)|exceeded your current quota|RESOURCE_EXHAUSTED|insufficient_quota|credit balance is too low)\b/i,
  },
  {
    why: 'overloaded',
    pattern:
      /\b(?:overloaded_error|rate_limit_error|rate limit (?:reached|exceeded)|too many requests|(?:status|error|code|HTTP)[:= ]+(?:429|503|529)|(?:429|503|529) (?:too many|service unavailable|overloaded|\{))/i,
  },
  {
    why: 'environment',
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network is unreachable|temporary failure in name resolution|connection error\.?$)\b/im,
  },
];

/** Reads the end of a failed agent that only could not work just now; null for one that failed by itself. */
export function unavailableEnd(end: BuildEnd, output: string, told: Unavailable | undefined): Away | null {
  if (end.kind === 'aborted') return null;
  if (told) return { kind: 'unavailable', ...told };
  if (end.kind !== 'failed') return null;
  const lines = output.trimEnd().split('\n').slice(-lastLines);
  for (const { why, pattern } of patterns) {
    const line = lines.findLast((one) => pattern.test(one));
    if (line !== undefined) {
      const retry = retryAfter(line);
      const detail = cleanText(line).trim().slice(0, 200);
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
  const known = why === 'usage-limit' || why === 'overloaded' || why === 'environment';
  if (!known) return {};
  const ms = typeof after === 'string' ? parseDuration(after) : null;
  return {
    unavailable: {
      why,
      detail: typeof detail === 'string' && detail !== '' ? cleanText(detail).slice(0, 200) : why,
      ...(ms === null || ms <= 0 ? {} : { retryAfterMs: ms }),
    },
  };
}

/** `retry after 30s`, `try again in 5 minutes`, `retry-after: 120`, `limit reached|1731686400`; null when not told. */
function retryAfter(line: string): number | null {
  const stamp = /\|\s*(1\d{9})\b/.exec(line);
  if (stamp) return positive(Number(stamp[1]) * 1_000 - Date.now());
  const match =
    /(?:retry|try again|resets?|available)(?:[- ]after|[- ]in)?[:= ]+(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|sec(?:onds?)?|m|min(?:utes?)?|h|hours?)?\b/i.exec(
      line,
    );
  if (!match) return null;
  const unit = (match[2] ?? 's').toLowerCase();
  const ms =
    unit.startsWith('ms') || unit.startsWith('mil')
      ? 1
      : unit.startsWith('h')
        ? 3_600_000
        : unit.startsWith('m')
          ? 60_000
          : 1_000;
  return positive(Number(match[1]) * ms);
}

const positive = (ms: number): number | null => (ms > 0 ? ms : null);
