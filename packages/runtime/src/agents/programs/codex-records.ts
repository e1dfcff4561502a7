import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { UsageWindow } from '@agentgate/core';
import { recordsIn } from '../records.ts';
import { group, type Loose, number } from './values.ts';

/** A session that is gone on with stays in the folder of the day on which it began. */
const mostDays = 60;

/** How full the windows of a subscription are, as Codex writes it to its own records. */
export function windowsOf(sessionId: string, env: NodeJS.ProcessEnv): UsageWindow[] {
  const home = env['CODEX_HOME'] ?? join(env['HOME'] ?? homedir(), '.codex');
  const path = recordOf(join(home, 'sessions'), sessionId);
  return path === null ? [] : windowsIn(recordsIn(path, 0));
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
