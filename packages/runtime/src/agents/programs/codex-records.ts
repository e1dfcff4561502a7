import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { UsageWindow } from '@agentgate/core';
import { recordsIn } from '../records.ts';
import type { Denied } from './program.ts';
import { group, type Loose, number, oneLine, text } from './values.ts';

/** A session that is gone on with stays in the folder of the day on which it began. */
const mostDays = 60;

/** How full the windows of a subscription are, as Codex writes it to its own records. */
export const windowsOf = (sessionId: string, env: NodeJS.ProcessEnv): UsageWindow[] =>
  windowsIn(entriesOf(sessionId, env));

/** Patches that it rejected since a moment: of these it tells its model, its records and nobody else. */
export const deniedOf = (sessionId: string, env: NodeJS.ProcessEnv, sinceMs: number): Denied[] =>
  deniedIn(entriesOf(sessionId, env).filter(({ timestamp }) => Date.parse(text(timestamp)) >= sinceMs));

/** The same of the entries of a session. */
export function deniedIn(entries: readonly Loose[]): Denied[] {
  const items = entries.map((entry) => group(entry['payload']));
  return items.flatMap(({ call_id: id, output }) => {
    if (!/^patch rejected/i.test(text(output))) return [];
    const { input, arguments: words } = items.find((one) => one['call_id'] === id) ?? {};
    const files = (text(input) || text(words)).matchAll(/\*\*\* (?:Add|Update|Delete) File: ([^\n\\"]+)/g);
    return [{ tool: 'edit', what: oneLine([...files].map(([, path]) => path).join(', ')) }];
  });
}

function entriesOf(sessionId: string, env: NodeJS.ProcessEnv): Loose[] {
  const home = env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex');
  return recordsIn(recordOf(join(home, 'sessions'), sessionId), 0);
}

/** The newest that the entries of a session tell. */
export function windowsIn(entries: readonly Loose[]): UsageWindow[] {
  const told = entries.findLast((entry) => isFilled(group(entry['payload'])['rate_limits']));
  const limits = group(group(told?.['payload'])['rate_limits']);
  return ['primary', 'secondary'].flatMap((name) => {
    const { used_percent, window_minutes, resets_at } = group(limits[name]);
    if (typeof used_percent !== 'number' || typeof resets_at !== 'number') return [];
    return [
      { name: spanOf(number(window_minutes)), used: used_percent / 100, resetsAtMs: resets_at * 1_000 },
    ];
  });
}

const isFilled = (value: unknown): boolean => Object.keys(group(value)).length > 0;

function spanOf(minutes: number): string {
  if (minutes % 1_440 === 0 && minutes > 0) return `${minutes / 1_440} d`;
  return minutes % 60 === 0 && minutes > 0 ? `${minutes / 60} h` : `${minutes} min`;
}

/** By the days on which sessions began, the newest first. */
function recordOf(sessions: string, sessionId: string): string | null {
  let days = 0;
  for (const year of namesIn(sessions))
    for (const month of namesIn(join(sessions, year)))
      for (const day of namesIn(join(sessions, year, month))) {
        const folder = join(sessions, year, month, day);
        const found = namesIn(folder).find((name) => name.endsWith(`${sessionId}.jsonl`));
        if (found !== undefined) return join(folder, found);
        if (++days >= mostDays) return null;
      }
  return null;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort().reverse();
  } catch {
    // Not there, or not for us.
    return [];
  }
}
