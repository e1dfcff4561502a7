import type { Activity, ProgramKind } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { claude } from './claude.ts';
import { codex } from './codex.ts';
import { deniedIn } from './codex-records.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import type { Program, ProgramSpec, Told } from './program.ts';
import { qwen } from './qwen.ts';

type Loose = Record<string, unknown>;

/** What a program's events become. */
function heard(
  program: Program,
  events: readonly Loose[],
  exitCode: number | null = 1,
): Told & { activities: Activity[] } {
  const reader = program.read();
  const activities = events.flatMap((event) => reader.take(event));
  return { ...reader.end(exitCode), activities };
}

const spec = (kind: ProgramKind, over: Partial<ProgramSpec> = {}): ProgramSpec => ({
  kind,
  allow: [],
  args: [],
  ...over,
});
const edits = { isAll: false, isShutIn: false, commands: ['npm test', 'npm run lint && npm run types'] };
const shutIn = { isAll: true, isShutIn: true, commands: [] };

describe('Claude Code', () => {
  const result = (over: Loose = {}): Loose => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: 'All finished.',
    session_id: 's1',
    total_cost_usd: 0.5,
    modelUsage: {
      big: { inputTokens: 100, outputTokens: 20, cacheReadInputTokens: 9_000, cacheCreationInputTokens: 5 },
      small: { inputTokens: 10, outputTokens: 2 },
    },
    permission_denials: [],
    ...over,
  });

  it('says, does and ends', () => {
    const told = heard(claude, [
      { session_id: 's1', type: 'system', subtype: 'init' },
      { type: 'assistant', message: { content: [{ type: 'text', text: 'I look.' }] } },
      {
        type: 'assistant',
        message: { content: [{ type: 'tool_use', name: 'Bash', input: { command: 'npm  test\n' } }] },
      },
      {
        type: 'assistant',
        parent_tool_use_id: 't',
        message: { content: [{ type: 'text', text: 'of a subagent' }] },
      },
      {
        type: 'system',
        subtype: 'api_retry',
        attempt: 1,
        max_retries: 10,
        error_status: 529,
        error: 'overloaded',
      },
      { type: 'never_heard_of', subtype: 7 },
      result(),
    ]);
    expect(told.activities).toEqual([
      { kind: 'text', text: 'I look.\n' },
      { kind: 'tool', tool: 'Bash', what: 'npm test' },
      { kind: 'retry', what: 'its model did not answer (529 overloaded), try 1 of 10' },
    ]);
    // Subagents are in the usage by model, and what came out of the cache is not counted.
    expect(told).toMatchObject({
      problem: null,
      sessionId: 's1',
      used: { total: { tokens: 137, costUsd: 0.5 } },
    });
  });
  it('tells each refused tool once', () => {
    const use = { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'curl x' } };
    const asked = { type: 'assistant', message: { content: [use] } };
    const denied = {
      type: 'system',
      subtype: 'permission_denied',
      tool_name: 'Bash',
      tool_use_id: 'a',
      message: 'This needs approval',
    };
    const also = [
      { tool_name: 'Bash', tool_use_id: 'a', tool_input: { command: 'curl x' } },
      { tool_name: 'WebFetch', tool_use_id: 'b', tool_input: { url: 'http://x' } },
    ];
    expect(heard(claude, [asked, denied, result({ permission_denials: also })]).activities.slice(1)).toEqual([
      { kind: 'denied', tool: 'Bash', what: 'curl x' },
      { kind: 'denied', tool: 'WebFetch', what: 'http://x' },
    ]);
  });
  it.each([
    ['no result at all', [], 'it ended without telling how'],
    [
      'an error under the name of success',
      [result({ is_error: true, terminal_reason: 'api_error', result: 'Bad thing' })],
      'Bad thing',
    ],
    [
      'too many turns',
      [
        result({
          subtype: 'error_max_turns',
          terminal_reason: 'max_turns',
          result: undefined,
          errors: ['Reached maximum number of turns (3)'],
        }),
      ],
      'Reached maximum number of turns (3)',
    ],
    [
      'a hook that ended it',
      [result({ terminal_reason: 'stop_hook_prevented', result: '' })],
      'it ended with stop_hook_prevented',
    ],
  ])('is not done with %s', (_name, events, problem) => {
    expect(heard(claude, events as Loose[]).problem).toBe(problem);
  });
  it('is not logged in, overloaded, or at its limit until a time', () => {
    const failed = (status: number, words: string) =>
      result({ is_error: true, terminal_reason: 'api_error', api_error_status: status, result: words });
    expect(heard(claude, [failed(401, 'Invalid API key')]).away).toMatchObject({ why: 'configuration' });
    expect(heard(claude, [failed(529, 'Overloaded')]).away).toMatchObject({ why: 'overloaded' });
    // Of the same number, and told by its words.
    const words = 'You have reached your usage limit; resets in 2 hours';
    expect(heard(claude, [failed(429, words)]).away).toMatchObject({
      why: 'usage-limit',
      retryAfterMs: 7_200_000,
    });
    expect(heard(claude, [failed(429, 'Something that nobody has heard of')]).away).toMatchObject({
      why: 'overloaded',
    });
    const resetsAt = Math.round(Date.now() / 1_000) + 3_600;
    const unifiedWindows = {
      five_hour: { utilization: 1, resetsAt },
      seven_day: { utilization: 0.4, resetsAt },
    };
    const limit = {
      type: 'rate_limit_event',
      rate_limit_info: { status: 'rejected', resetsAt, unifiedWindows },
    };
    const told = heard(claude, [limit, failed(429, 'You have hit your limit')]);
    expect(told.away).toMatchObject({ why: 'usage-limit', detail: 'You have hit your limit' });
    expect(told.away?.retryAfterMs).toBeGreaterThan(3_500_000);
    expect(told.windows?.map(({ name, used }) => [name, used])).toEqual([
      ['five_hour', 1],
      ['seven_day', 0.4],
    ]);
  });
  it('may edit and run the gates, or everything where it is shut in', () => {
    const settings = (args: string[]): unknown => JSON.parse(args[args.indexOf('--settings') + 1]!);
    const args = claude.args(spec('claude', { model: 'opus', effort: 'high' }), edits, 's1');
    expect(args).toEqual(
      expect.arrayContaining(['-p', 'acceptEdits', '--model', 'opus', '--effort', 'high', '--resume', 's1']),
    );
    expect(settings(args)).toMatchObject({
      permissions: {
        allow: expect.arrayContaining(['Bash(npm test)', 'Bash(npm test *)', 'Bash(npm run types)']),
      },
    });
    // A rule for edits would hold outside of the workspace, too; its mode keeps to it.
    expect(JSON.stringify(settings(args))).not.toMatch(/Edit|Write/);
    expect(claude.args(spec('claude'), shutIn, undefined)).toContain('bypassPermissions');
    expect(claude.env(spec('claude'), shutIn)).toEqual({ IS_SANDBOX: '1' });
    // Outside of a sandbox nobody pretends to be in one.
    const all = claude.args(spec('claude'), { ...shutIn, isShutIn: false }, undefined);
    expect(all).toContain('acceptEdits');
    expect(settings(all)).toMatchObject({ permissions: { allow: expect.arrayContaining(['Bash']) } });
  });
});

describe('Codex', () => {
  const usage = { input_tokens: 3_202, cached_input_tokens: 900, output_tokens: 110 };
  const item = (one: Loose, type = 'item.completed'): Loose => ({ type, item: one });

  it('says, does and ends', () => {
    const shell = { type: 'command_execution', command: "/bin/bash -lc 'npm test'", status: 'in_progress' };
    const told = heard(codex, [
      { type: 'thread.started', thread_id: 't1' },
      item({ type: 'error', message: 'only a warning' }),
      item(shell, 'item.started'),
      item({ ...shell, status: 'completed', exit_code: 0 }),
      item({ type: 'file_change', changes: [{ path: '/w/a' }, { path: '/w/b' }] }, 'item.started'),
      item({ type: 'file_change', changes: [{ path: '/w/a' }, { path: '/w/b' }], status: 'completed' }),
      item({ type: 'command_execution', command: 'rm x', status: 'declined' }),
      item({
        type: 'mcp_tool_call',
        server: 'one',
        tool: 'drop',
        error: { message: 'MCP tool call requires approval, but approval policy is never' },
        status: 'failed',
      }),
      { type: 'error', message: 'Reconnecting... 1/5' },
      item({ type: 'agent_message', text: 'Done.' }),
      { type: 'turn.completed', usage },
    ]);
    expect(told.activities).toEqual([
      { kind: 'tool', tool: 'shell', what: "'npm test'" },
      { kind: 'tool', tool: 'edit', what: '/w/a, /w/b' },
      { kind: 'denied', tool: 'shell', what: 'rm x' },
      { kind: 'denied', tool: 'one.drop', what: '' },
      { kind: 'retry', what: 'Reconnecting... 1/5' },
      { kind: 'text', text: 'Done.\n' },
    ]);
    expect(told).toMatchObject({ problem: null, sessionId: 't1', used: { total: { tokens: 2_412 } } });
  });
  it('is not done before its turn is', () => {
    expect(heard(codex, []).problem).toBe('it ended without finishing its turn');
    const failed = heard(codex, [
      { type: 'turn.failed', error: { message: '{"error":{"message":"too long"}}' } },
    ]);
    expect(failed.problem).toBe('too long');
    expect(
      heard(codex, [
        { type: 'turn.completed', usage },
        { type: 'turn.failed', error: {} },
      ]).problem,
    ).toBe('its turn failed');
  });
  it('is not logged in', () => {
    const failed = (message: string) => heard(codex, [{ type: 'turn.failed', error: { message } }]);
    expect(failed('unexpected status 401 Unauthorized: bad key').away).toMatchObject({
      why: 'configuration',
    });
    expect(failed('Something else')).not.toHaveProperty('away');
  });
  it('takes up a session with its sandbox', () => {
    expect(codex.args(spec('codex', { effort: 'high' }), edits, 't1')).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '--sandbox',
      'workspace-write',
      '-c',
      'model_reasoning_effort="high"',
      'resume',
      't1',
      '-',
    ]);
    expect(codex.args(spec('codex'), shutIn, undefined)).toContain(
      '--dangerously-bypass-approvals-and-sandbox',
    );
  });
});

it('Codex tells of a rejected patch in its records alone', () => {
  const entry = (payload: Loose): Loose => ({ type: 'response_item', payload });
  const patch = '*** Begin Patch\n*** Add File: /etc/x\n+y\n*** Update File: /etc/z\n*** End Patch\n';
  const rejected = 'patch rejected: writing outside of the project; rejected by user approval settings';
  expect(
    deniedIn([
      entry({ type: 'custom_tool_call', call_id: 'a', input: patch }),
      entry({ type: 'custom_tool_call_output', call_id: 'a', output: rejected }),
      entry({ type: 'function_call', call_id: 'b', arguments: JSON.stringify({ input: patch }) }),
      entry({ type: 'function_call_output', call_id: 'b', output: rejected }),
      entry({ type: 'function_call', call_id: 'c', arguments: '{"cmd":"cat notes"}' }),
      entry({ type: 'function_call_output', call_id: 'c', output: `Output:\n${rejected}` }),
      entry({ type: 'custom_tool_call_output', call_id: 7, output: [rejected] }),
    ]),
  ).toEqual([
    { tool: 'edit', what: '/etc/x, /etc/z' },
    { tool: 'edit', what: '/etc/x, /etc/z' },
  ]);
});

describe('Gemini CLI', () => {
  const result = { type: 'result', status: 'success', stats: { total_tokens: 3_312, cached: 900 } };

  it('says, does and ends', () => {
    const told = heard(gemini, [
      { type: 'init', session_id: 'g1' },
      { type: 'message', role: 'user', content: 'go' },
      { type: 'message', role: 'assistant', content: 'I wr', delta: true },
      { type: 'message', role: 'assistant', content: 'ite.', delta: true },
      {
        type: 'tool_use',
        tool_name: 'write_file',
        tool_id: 'a',
        parameters: { file_path: 'x', content: 'y' },
      },
      { type: 'tool_result', tool_id: 'a', status: 'success' },
      { type: 'tool_use', tool_name: 'run_shell_command', tool_id: 'b', parameters: { command: 'curl x' } },
      {
        type: 'tool_result',
        tool_id: 'b',
        status: 'error',
        error: { type: 'policy_violation', message: 'no' },
      },
      { type: 'tool_use', tool_name: 'write_file', tool_id: 'c', parameters: { file_path: '/etc/x' } },
      {
        type: 'tool_result',
        tool_id: 'c',
        status: 'error',
        error: { type: 'invalid_tool_params', message: 'Path not in workspace: Attempted path "/etc/x"' },
      },
      { type: 'tool_use', tool_name: 'ask_user', tool_id: 'd', parameters: {} },
      {
        type: 'tool_result',
        tool_id: 'd',
        status: 'error',
        error: { type: 'tool_not_registered', message: 'Tool "ask_user" not found.' },
      },
      result,
    ]);
    expect(told.activities).toEqual([
      { kind: 'text', text: 'I wr' },
      { kind: 'text', text: 'ite.' },
      { kind: 'text', text: '\n' },
      { kind: 'tool', tool: 'write_file', what: 'x' },
      { kind: 'tool', tool: 'run_shell_command', what: 'curl x' },
      { kind: 'denied', tool: 'run_shell_command', what: 'curl x' },
      { kind: 'tool', tool: 'write_file', what: '/etc/x' },
      { kind: 'denied', tool: 'write_file', what: '/etc/x' },
      { kind: 'tool', tool: 'ask_user', what: '' },
      { kind: 'denied', tool: 'ask_user', what: '' },
    ]);
    expect(told).toMatchObject({ problem: null, sessionId: 'g1', used: { tokens: 2_412 } });
  });
  it('is not done without its result, which it leaves out when it is ended', () => {
    expect(heard(gemini, [{ type: 'init', session_id: 'g1' }]).problem).toBe('it ended without telling how');
    const failed = { type: 'result', status: 'error', error: { message: '[API Error: quota]' } };
    expect(heard(gemini, [failed]).problem).toBe('[API Error: quota]');
    const long = 'The input token count (1240174) exceeds the maximum number of tokens allowed (1048576).';
    expect(heard(gemini, [{ ...failed, error: { message: `[API Error: ${long}]` } }]).away).toBeUndefined();
    expect(heard(gemini, [{ ...failed, error: { message: 'API key not valid.' } }]).away).toMatchObject({
      why: 'configuration',
    });
  });
  it.each([
    [173, 'Something that nobody has heard of', { why: 'overloaded' }],
    [
      173,
      'You have reached your usage limit; resets in 2 hours',
      { why: 'usage-limit', retryAfterMs: 7_200_000 },
    ],
    [244, 'Something that nobody has heard of', { why: 'overloaded' }],
    [246, 'Something that nobody has heard of', { why: 'overloaded' }],
    [247, 'Something that nobody has heard of', { why: 'overloaded' }],
    [145, 'Something that nobody has heard of', { why: 'configuration' }],
    [1, 'Something that nobody has heard of', undefined],
  ])('tells by the exit code %i why its service refused: %s', (exitCode, message, away) => {
    const told = heard(gemini, [{ type: 'result', status: 'error', error: { message } }], exitCode);
    if (away === undefined) expect(told).not.toHaveProperty('away');
    else expect(told.away).toMatchObject(away);
  });
  it('may edit and run the gates, or everything where it is shut in', () => {
    expect(gemini.args(spec('gemini'), edits, 'g1')).toEqual(
      expect.arrayContaining([
        'auto_edit',
        'mcp_agentgate_*',
        'run_shell_command(npm test)',
        '--resume',
        'g1',
      ]),
    );
    expect(gemini.args(spec('gemini'), shutIn, undefined)).toContain('yolo');
  });
});

describe('opencode', () => {
  const step = (reason: string): Loose => ({
    type: 'step_finish',
    sessionID: 'ses_1',
    part: {
      reason,
      tokens: { input: 1_200, output: 40, reasoning: 5, cache: { write: 3, read: 900 } },
      cost: 0.001,
    },
  });
  const tool = (state: Loose): Loose => ({
    type: 'tool_use',
    sessionID: 'ses_1',
    part: { tool: 'bash', state },
  });

  it('says, does and ends', () => {
    const told = heard(opencode, [
      { type: 'text', sessionID: 'ses_1', part: { text: 'I look.' } },
      tool({ status: 'completed', input: { command: 'npm test' } }),
      tool({
        status: 'error',
        input: { command: 'rm x' },
        error: 'The user has specified a rule which prevents you …',
      }),
      step('tool-calls'),
      step('stop'),
    ]);
    expect(told.activities).toEqual([
      { kind: 'text', text: 'I look.\n' },
      { kind: 'tool', tool: 'bash', what: 'npm test' },
      { kind: 'denied', tool: 'bash', what: 'rm x' },
    ]);
    expect(told).toMatchObject({
      problem: null,
      sessionId: 'ses_1',
      used: { tokens: 2_496, costUsd: 0.002 },
    });
  });
  it.each([
    ['nothing', [], 'it ended without an answer'],
    ['an answer that was cut off', [step('length')], 'its answer was cut off (length)'],
    ['a refused tool at the end', [step('tool-calls')], 'its answer was cut off (tool-calls)'],
    ['an error', [step('stop'), { type: 'error', error: { name: 'E', data: { message: 'odd' } } }], 'odd'],
  ])('is not done with %s', (_name, events, problem) => {
    expect(heard(opencode, events as Loose[]).problem).toBe(problem);
  });
  it('is not logged in, or overloaded', () => {
    const failed = (statusCode: number) =>
      heard(opencode, [{ type: 'error', error: { data: { message: 'm', statusCode } } }]);
    expect(failed(401).away).toMatchObject({ why: 'configuration' });
    expect(failed(503).away).toMatchObject({ why: 'overloaded' });
    expect(failed(429).away).toMatchObject({ why: 'overloaded' });
  });
  it('may edit, look around and run the gates, or everything where it is shut in', () => {
    const config = (leave: typeof edits): unknown =>
      JSON.parse(opencode.env(spec('opencode'), leave)['OPENCODE_CONFIG_CONTENT']!);
    expect(config(edits)).toMatchObject({
      permission: { edit: 'allow', bash: { '*': 'deny', 'npm test': 'allow', 'git diff *': 'allow' } },
    });
    expect(config({ ...edits, isAll: true })).toEqual({ permission: { '*': 'allow' } });
  });
  it.each([
    ['bash', 'ls', true],
    ['bash', 'cat src/a.ts', true],
    ['bash', 'git log --oneline -3', true],
    ['bash', 'grep -rn "export" src', true],
    ['bash', 'npm test -- --grep "a"', true],
    ['bash', 'find . -exec rm {} +', false],
    ['bash', 'find . -delete', false],
    ['bash', 'rg --pre ./x y', false],
    ['bash', 'git diff --output=/etc/x', false],
    ['bash', 'git log --ou"t"put=x', false],
    ['bash', 'git show --ext-diff', false],
    ['bash', 'cat a > b', false],
    ['bash', 'ls $(touch x)', false],
    ['bash', 'curl x', false],
    ['webfetch', 'http://x', false],
    ['websearch', 'x', false],
    ['other_server_tool', '*', false],
    ['agentgate_check', '*', true],
    ['read', 'src/a.ts', true],
    ['read', '.env', false],
    ['glob', '*', true],
    ['edit', 'src/a.ts', true],
    ['external_directory', '/etc/*', false],
  ])('may it, without a sandbox, use %s for %j? %s', (tool, what, may) => {
    const { permission } = JSON.parse(opencode.env(spec('opencode'), edits)['OPENCODE_CONFIG_CONTENT']!) as {
      permission: Record<string, string | Record<string, string>>;
    };
    expect(ruleOf(permission, tool, what)).toBe(may ? 'allow' : 'deny');
  });
});

/** As opencode finds the rule for a tool: the last one whose patterns fit counts, and ` *` at an end may be nothing. */
function ruleOf(permission: Record<string, string | Record<string, string>>, tool: string, what: string) {
  const fits = (pattern: string, value: string) => {
    const made = pattern.replace(/[.+^${}()|[\]\\?]/g, '\\$&').replaceAll('*', '.*');
    return new RegExp(`^${made.replace(/ \.\*$/, '( .*)?')}$`, 's').test(value);
  };
  const rules = Object.entries(permission).flatMap(([name, rule]) =>
    (typeof rule === 'string' ? [['*', rule] as const] : Object.entries(rule)).map(
      ([pattern, action]) => [name, pattern, action] as const,
    ),
  );
  return rules.findLast(([name, pattern]) => fits(name, tool) && fits(pattern, what))?.[2];
}

describe('Qwen Code', () => {
  const result = (over: Loose = {}): Loose => ({
    type: 'result',
    subtype: 'success',
    is_error: false,
    session_id: 'q1',
    result: 'All finished.',
    usage: { input_tokens: 250, output_tokens: 20, cache_read_input_tokens: 50 },
    ...over,
  });
  const said = (words: string) => heard(qwen, [result({ result: words })], 0);

  it('says, does and ends', () => {
    const use = { type: 'tool_use', id: 'a', name: 'write_file', input: { file_path: 'x' } };
    const told = heard(
      qwen,
      [
        { type: 'system', subtype: 'init', session_id: 'q1' },
        { type: 'assistant', message: { content: [{ type: 'text', text: 'I write.' }] } },
        { type: 'assistant', message: { content: [use] } },
        result({
          permission_denials: [
            { tool_name: 'run_shell_command', tool_use_id: 'b', tool_input: { command: 'curl x' } },
          ],
        }),
      ],
      0,
    );
    expect(told.activities).toEqual([
      { kind: 'text', text: 'I write.\n' },
      { kind: 'tool', tool: 'write_file', what: 'x' },
      { kind: 'denied', tool: 'run_shell_command', what: 'curl x' },
    ]);
    expect(told).toMatchObject({ problem: null, sessionId: 'q1', used: { total: { tokens: 220 } } });
  });
  it('is not done when what its service refused comes as an answer', () => {
    expect(said('[API Error: 401 invalid key]').away).toMatchObject({ why: 'configuration' });
    expect(said('[API Error: 503 busy]').away).toMatchObject({ why: 'overloaded' });
    expect(said('[API Error: 429 You have reached your usage limit]').away).toMatchObject({
      why: 'usage-limit',
    });
    expect(said('[API Error: 400 too long]')).toMatchObject({ problem: '[API Error: 400 too long]' });
    expect(said('I mended the [API Error: 503] that users see.').problem).toBeNull();
    expect(heard(qwen, []).problem).toBe('it ended without telling how');
  });
  it('may edit and run the gates, or everything where it is shut in', () => {
    expect(qwen.args(spec('qwen'), edits, 'q1')).toEqual(
      expect.arrayContaining([
        'auto-edit',
        'mcp__agentgate',
        'run_shell_command(npm test)',
        '--resume',
        'q1',
      ]),
    );
    expect(qwen.args(spec('qwen'), shutIn, undefined)).toContain('yolo');
  });
});

it('hostile events break none of them', () => {
  const odd = [null, 7, 'x', [], {}, { type: 7 }, [null]];
  for (const program of [claude, codex, gemini, opencode, qwen]) {
    const reader = program.read();
    for (const type of [
      'assistant',
      'system',
      'result',
      'rate_limit_event',
      'item.completed',
      'turn.completed',
      'turn.failed',
      'message',
      'tool_use',
      'tool_result',
      'step_finish',
      'error',
      'text',
    ])
      for (const value of odd)
        for (const name of [
          'message',
          'item',
          'usage',
          'part',
          'error',
          'stats',
          'rate_limit_info',
          'permission_denials',
          'content',
        ])
          reader.take({ type, [name]: value, subtype: 'permission_denied' });
    expect(() => reader.end(1)).not.toThrow();
  }
});
