import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Built, RunSpec } from '@agentgate/core';
import { recordsIn } from '../agents/records.ts';
import { windowsIn } from '../agents/programs/codex-records.ts';
import { group, groups, type Loose, number, text } from '../agents/programs/values.ts';
import type { HostCall, HostName } from './hosts.ts';

/** How long a transcript is; 0 where there is none. */
export function lengthOf(path: string | null): number {
  return path === null ? 0 : (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
}

/** Whether the agent has used a tool since the transcript was so long. */
export function hasUsedTool({ transcript }: HostCall, sinceBytes: number): boolean {
  return recordsIn(transcript, sinceBytes).some(
    (entry) =>
      entry['type'] === 'assistant' &&
      groups(group(entry['message'])['content']).some((block) => block['type'] === 'tool_use'),
  );
}

/** What transcripts tell. A limit on anything else cannot bind in a session that is held. */
const told: Partial<Record<HostName, readonly (keyof RunSpec['limits'])[]>> = {
  claude: ['tokens'],
  codex: ['tokens', 'quota'],
  gemini: ['tokens'],
};

/** The limits of a run that count what its host does not tell a hook. */
export const unheardLimits = (host: HostName, spec: RunSpec | null): string[] =>
  (['tokens', 'cost', 'quota'] as const).filter(
    (name) => spec?.limits[name] !== undefined && !told[host]?.includes(name),
  );

/** What a session has used since a moment, as far as its transcript tells. */
export function usedIn({ host, transcript }: HostCall, sinceMs: number): Pick<Built, 'tokens' | 'windows'> {
  const since = (path: string | null) =>
    recordsIn(path, 0).filter((entry) => Date.parse(text(entry['timestamp'])) >= sinceMs);
  const entries = since(transcript);
  const used = (): number => {
    switch (host) {
      case 'claude':
        return claudeTokens([...entries, ...transcriptsOfSubagents(transcript, sinceMs).flatMap(since)]);
      case 'codex':
        return codexTokens(entries);
      case 'gemini':
        return geminiTokens(entries);
      default:
        return 0;
    }
  };
  const tokens = used();
  const windows = host === 'codex' ? windowsIn(entries) : [];
  return { ...(tokens > 0 ? { tokens } : {}), ...(windows.length > 0 ? { windows } : {}) };
}

/** Claude Code keeps what its subagents did in a folder beside the session. */
function transcriptsOfSubagents(transcript: string | null, sinceMs: number): string[] {
  if (!transcript?.endsWith('.jsonl')) return [];
  const folder = join(transcript.slice(0, -'.jsonl'.length), 'subagents');
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(folder, name))
      .filter((path) => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= sinceMs);
  } catch {
    // It has none, as most sessions.
    return [];
  }
}

/** A message that was written in several entries tells its usage in each of them. */
function claudeTokens(entries: readonly Loose[]): number {
  const byMessage = new Map<string, number>();
  for (const entry of entries) {
    if (entry['type'] !== 'assistant') continue;
    const { id, usage } = group(entry['message']);
    const { input_tokens, cache_creation_input_tokens, output_tokens } = group(usage);
    const used = number(input_tokens) + number(cache_creation_input_tokens) + number(output_tokens);
    byMessage.set(text(id), Math.max(byMessage.get(text(id)) ?? 0, used));
  }
  return [...byMessage.values()].reduce((sum, one) => sum + one, 0);
}

function codexTokens(entries: readonly Loose[]): number {
  let sum = 0;
  for (const entry of entries) {
    const payload = group(entry['payload']);
    if (payload['type'] !== 'token_count') continue;
    const { input_tokens, cached_input_tokens, output_tokens } = group(
      group(payload['info'])['last_token_usage'],
    );
    sum += Math.max(0, number(input_tokens) - number(cached_input_tokens)) + number(output_tokens);
  }
  return sum;
}

function geminiTokens(entries: readonly Loose[]): number {
  let sum = 0;
  for (const entry of entries) {
    if (entry['type'] !== 'gemini') continue;
    const { input, cached, output, thoughts } = group(entry['tokens']);
    sum += Math.max(0, number(input) - number(cached)) + number(output) + number(thoughts);
  }
  return sum;
}
