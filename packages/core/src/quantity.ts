import * as z from 'zod';

const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const unitCount: Record<string, number> = { '': 1, k: 1_000, m: 1_000_000 };

/** Reads `90s`, `5m`, `1h30m`; null for anything else, so that a typo never becomes a default. */
export function parseDuration(text: string): number | null {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)/g)];
  const plain = text.trim().replace(/\s+/g, '');
  if (parts.length === 0 || parts.map((p) => p[1]! + p[2]!).join('') !== plain) return null;
  return parts.reduce((sum, p) => sum + Number(p[1]) * unitMs[p[2]!]!, 0);
}

/** Reads `5usd`, `$5`, `0.50 USD`; null for anything else. */
export function parseMoney(text: string): number | null {
  const match = /^(?:\$\s*(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?)\s*(?:usd|\$)?)$/i.exec(text.trim());
  return match ? Number(match[1] ?? match[2]) : null;
}

/** Reads `200000`, `500k`, `2M`; null for anything else. */
export function parseCount(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([km]?)$/i.exec(text.trim());
  return match ? Math.round(Number(match[1]) * unitCount[match[2]!.toLowerCase()]!) : null;
}

/** Reads `80%`; null for anything else. */
export function parseShare(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*%$/.exec(text.trim());
  return match ? Number(match[1]) / 100 : null;
}

/** Reads `2GB`, `500 MB`, `1GiB`; null for anything else. */
export function parseBytes(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*(?:([kmgt])(i?))?b$/i.exec(text.trim());
  if (!match) return null;
  const power = 'kmgt'.indexOf((match[2] ?? '').toLowerCase() || '?') + 1;
  return Math.round(Number(match[1]) * (match[3] ? 1024 : 1000) ** power);
}

/** `512 B`, `3.4 MB`, `12 GB`: for people. */
export function showBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1_000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  const shown = bytes / 1_000 ** power;
  return `${power > 0 && shown < 10 ? shown.toFixed(1) : Math.round(shown)} ${units[power]}`;
}

/** `1h 5m`, `6m 12s`, `3.4s`: at most two units, for people. */
export function showDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)}s`;
  const seconds = Math.round(ms / 1000);
  const pairs = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  const first = pairs.findIndex(([n]) => n > 0);
  return pairs
    .slice(first, first + 2)
    .filter(([n]) => n > 0)
    .map(([n, unit]) => n + unit)
    .join(' ');
}

export const showMoney = (usd: number): string => `$${usd.toFixed(2)}`;

export const showCount = (n: number): string =>
  n >= 1_000_000 ? `${+(n / 1_000_000).toFixed(1)}M` : n >= 10_000 ? `${Math.round(n / 1000)}k` : String(n);

const quantity = (parse: (text: string) => number | null, expected: string, example: string) =>
  z.union([z.number(), z.string()], { error: () => expected }).transform((value, context) => {
    const read = typeof value === 'number' ? value : parse(value);
    if (read !== null && Number.isFinite(read) && read > 0) return read;
    context.addIssue({ code: 'custom', message: `${expected} such as ${example}` });
    return z.NEVER;
  });

/** A bare number would leave seconds and milliseconds to guesswork, so a duration needs its unit. */
export const Duration = z
  .string({ error: () => 'a duration with its unit, such as 90s, 5m or 1h' })
  .transform((value, context) => {
    const read = parseDuration(value);
    if (read !== null && read > 0 && Number.isFinite(read)) return read;
    context.addIssue({ code: 'custom', message: 'a duration with its unit, such as 90s, 5m or 1h' });
    return z.NEVER;
  });
export const Money = quantity(parseMoney, 'an amount of money', '5usd or $2.50');
export const Count = quantity(parseCount, 'a number', '200000, 500k or 2M');
export const Share = quantity(parseShare, 'a share', '80%').refine((share) => share <= 1, {
  error: () => 'a share of at most 100%, such as 80%',
});
