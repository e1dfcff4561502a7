import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostCall } from './hosts.ts';
import { hasUsedTool, lengthOf, usedIn } from './transcript.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agentgate-transcript-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const callOf = (host: HostCall['host']): HostCall => ({
  host,
  event: 'stop',
  name: 'Stop',
  sessionId: 's',
  cwd: '/w',
  prompt: '',
  said: null,
  transcript: join(folder, 's.jsonl'),
  stopId: null,
  isPausing: false,
});
const at = (second: number) => new Date(second * 1_000).toISOString();
const write = (path: string, ...entries: object[]) =>
  writeFileSync(join(folder, path), entries.map((one) => `${JSON.stringify(one)}\n`).join(''));
const message = (second: number, id: string, input: number, output: number) => ({
  type: 'assistant',
  timestamp: at(second),
  message: { id, usage: { input_tokens: input, cache_read_input_tokens: 500, output_tokens: output } },
});

describe('what a session has used', () => {
  it('is told by Claude Code once for each message, with what its subagents used', () => {
    write('s.jsonl', message(1, 'old', 9, 9), message(5, 'a', 10, 1), message(6, 'a', 10, 20));
    mkdirSync(join(folder, 's', 'subagents'), { recursive: true });
    write('s/subagents/agent-1.jsonl', message(1, 'old', 9, 9), message(6, 'b', 100, 200));
    expect(usedIn(callOf('claude'), 5_000)).toEqual({ tokens: 330 });
  });
  it('is told by Gemini CLI without what came out of a cache', () => {
    const tokens = { input: 100, output: 20, cached: 60, thoughts: 5 };
    write('s.jsonl', { type: 'user' }, { type: 'gemini', timestamp: at(6), content: '', tokens });
    expect(usedIn(callOf('gemini'), 5_000)).toEqual({ tokens: 65 });
  });
});

it('a pipe or a folder in the place of a transcript holds nobody up', () => {
  execFileSync('mkfifo', [join(folder, 's.jsonl')]);
  const piped = callOf('claude');
  expect([usedIn(piped, 0), hasUsedTool(piped, 0), lengthOf(piped.transcript)]).toEqual([{}, false, 0]);
  const held = { ...piped, transcript: folder };
  expect([usedIn(held, 0), hasUsedTool(held, 0)]).toEqual([{}, false]);
});
