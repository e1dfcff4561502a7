import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, type HostCall, hostNames, readCall, taskIn, wordsFor } from './hosts.ts';

const stop = (over: object = {}): string =>
  JSON.stringify({ session_id: 'a-1', cwd: '/w', hook_event_name: 'Stop', stop_hook_active: false, ...over });

describe('the words of a host', () => {
  it.each<[string, string, NodeJS.ProcessEnv, Partial<HostCall>]>([
    [
      'Claude Code',
      stop({ prompt_id: 'p', last_assistant_message: 'Done.', background_tasks: [] }),
      { CLAUDECODE: '1' },
      { host: 'claude', event: 'stop', said: 'Done.', isPausing: false },
    ],
    [
      'Codex',
      stop({ turn_id: 't', model: 'm', last_assistant_message: null }),
      {},
      { host: 'codex', event: 'stop', said: null },
    ],
    [
      'Gemini CLI',
      stop({ hook_event_name: 'AfterAgent', prompt: 'go', prompt_response: 'did' }),
      { GEMINI_SESSION_ID: 'x' },
      { host: 'gemini', event: 'stop', said: 'did' },
    ],
    [
      'Copilot CLI',
      stop({ timestamp: '2026-01-01', stop_reason: 'end_turn' }),
      {},
      { host: 'copilot', event: 'stop' },
    ],
    [
      'Qwen Code',
      stop({ stop_hook_active: true, transcript_path: '/h/.qwen/tmp/x.jsonl' }),
      {},
      { host: 'qwen', event: 'stop' },
    ],
    [
      'a prompt',
      stop({ hook_event_name: 'UserPromptSubmit', prompt: '/gate x' }),
      { CLAUDECODE: '1' },
      { event: 'prompt', prompt: '/gate x' },
    ],
    [
      'a subagent',
      stop({ hook_event_name: 'SubagentStop', agent_id: 'x' }),
      { CLAUDECODE: '1' },
      { event: 'substop' },
    ],
    [
      'work in the background',
      stop({ background_tasks: [{ id: 'b' }] }),
      { CLAUDECODE: '1' },
      { isPausing: true },
    ],
    ['an event that nobody knows', stop({ hook_event_name: 'constructor' }), {}, { event: 'other' }],
  ])('are understood: %s', (_name, words, env, expected) => {
    expect(readCall(words, env)).toMatchObject({ sessionId: 'a-1', cwd: '/w', ...expected });
  });

  it.each([
    [''],
    ['null'],
    ['[]'],
    ['7'],
    ['{'],
    [stop({ session_id: '../../etc/passwd' })],
    [stop({ session_id: '' })],
    [stop({ session_id: 7 })],
    [stop({ session_id: 'a'.repeat(200) })],
    [stop({ cwd: 'relative' })],
    [stop({ cwd: '/a\0b' })],
    [stop({ cwd: null })],
  ])('are none: %s', (words) => expect(readCall(words, {})).toBeNull());

  it('break nothing, whatever they are', () => {
    const field = fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.array(fc.string()), fc.object());
    const near = fc.record(
      {
        session_id: fc.oneof(fc.uuid(), field),
        cwd: fc.oneof(fc.constant('/w'), field),
        hook_event_name: fc.oneof(
          fc.constantFrom('Stop', 'AfterAgent', 'UserPromptSubmit', '__proto__'),
          field,
        ),
        prompt: field,
        transcript_path: field,
        background_tasks: field,
        last_assistant_message: field,
        turn_id: field,
      },
      { requiredKeys: [] },
    );
    const words = fc.oneof(
      fc.string(),
      fc.json(),
      near.map((one) => JSON.stringify(one)),
      near.map((one) => JSON.stringify(one).slice(0, -3)),
    );
    fc.assert(
      fc.property(words, (text) => {
        const call = readCall(text, {});
        if (call === null) return;
        expect(call.sessionId).toMatch(/^[\w-]{1,128}$/);
        expect(hostNames).toContain(call.host);
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('an answer', () => {
  it('is exactly what its host takes', () => {
    const call = { host: 'codex', name: 'Stop', event: 'stop' } as const;
    expect(wordsFor(call, { kind: 'hold', reason: 'tests fail' })).toBe(
      '{"decision":"block","reason":"tests fail"}',
    );
    expect(wordsFor(call, { kind: 'let' })).toBe('');
    expect(wordsFor(call, { kind: 'let', say: 'Gates met.' })).toBe('{"systemMessage":"Gates met."}');
    expect(
      JSON.parse(
        wordsFor(
          { host: 'claude', name: 'UserPromptSubmit', event: 'prompt' },
          { kind: 'tell', text: 'By these gates' },
        ),
      ),
    ).toEqual({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'By these gates' },
    });
  });

  it.each(hostNames)('beside a prompt of %s reaches its person, by the host or by the agent', (host) => {
    const call = { host, name: 'Prompt', event: 'prompt' } as const;
    const told = (answer: Answer) =>
      JSON.parse(wordsFor(call, answer)) as {
        systemMessage?: string;
        hookSpecificOutput?: { additionalContext: string };
      };
    for (const answer of [
      { kind: 'let', say: 'Not armed: no gate.' },
      { kind: 'tell', text: 'By these gates', say: 'Not armed: no gate.' },
      { kind: 'tell', text: 'Not armed: no gate.', say: 'Not armed: no gate.' },
    ] as const) {
      const { systemMessage, hookSpecificOutput } = told(answer);
      const relayed = hookSpecificOutput?.additionalContext ?? '';
      expect(systemMessage ?? /Tell the person now.*: ([^:]+: .*)$/.exec(relayed)?.[1]).toBe(answer.say);
      if (answer.kind === 'tell') expect(relayed).toContain(answer.text);
    }
  });

  it.each(hostNames)('beside a stop of %s is never words that its agent would go on with', (host) => {
    const words = wordsFor({ host, name: 'Stop', event: 'stop' }, { kind: 'let', say: 'Gates met.' });
    expect(['', '{"systemMessage":"Gates met."}']).toContain(words);
  });
});

it.each([
  ['/gate fix the tests', 'fix the tests'],
  ['  /gate   fix\nall of it ', 'fix\nall of it'],
  ['/agentgate:gate fix it', 'fix it'],
  ['/gate', ''],
  ['/gates fix', null],
  ['please /gate fix', null],
  ['gate fix', null],
])('%j has the task %j', (prompt, task) => expect(taskIn(prompt)).toBe(task));
