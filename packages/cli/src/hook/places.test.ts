import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deadlineMs, type HostCall } from '@agentgate/runtime/held';
import { places } from './places.ts';

const events: Record<string, HostCall['event']> = {
  SessionStart: 'start',
  UserPromptSubmit: 'prompt',
  BeforeAgent: 'prompt',
  Stop: 'stop',
  AfterAgent: 'stop',
  SessionEnd: 'end',
};

describe('a hook gives up before its host does', () => {
  it.each([
    ['claude', 1_000],
    ['codex', 1_000],
    ['gemini', 1],
    ['qwen', 1],
  ] as const)('by the settings of %s', (host, unitMs) => {
    const entries = places[host].settings!.entries('agentgate hook answer');
    expect(entries).toHaveLength(4);
    for (const { event, timeout } of entries)
      expect(timeout * unitMs, event).toBeGreaterThan(deadlineMs({ host, event: events[event]! }));
  });

  it('by the plugin, in seconds for Copilot CLI and Claude Code', () => {
    const file = new URL('../../plugin/plugins/agentgate/hooks/hooks.json', import.meta.url);
    const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as {
      hooks: Record<string, { hooks: Record<string, unknown>[] }[]>;
    };
    for (const event of ['UserPromptSubmit', 'Stop'])
      for (const entry of hooks[event]!.flatMap((group) => group.hooks)) {
        const least = deadlineMs({ host: 'copilot', event: events[event]! });
        expect(Number(entry['timeout']) * 1_000, event).toBeGreaterThan(least);
        // Copilot CLI has another name for it as well; Codex refuses an entry that has both.
        expect(entry).not.toHaveProperty('timeoutSec');
      }
  });
});
