import type { Activity } from '@agentgate/core';
import { away, type Leave, needsPerson, type Program, type Reader, refused, type Told } from './program.ts';
import { group, groups, type Loose, number, oneLine, subject, text } from './values.ts';

/** Claude Code. */
export const claude: Program = {
  args: (spec, leave, sessionId) => [
    '-p',
    '--output-format',
    'stream-json',
    '--verbose',
    '--permission-mode',
    leave.isAll && leave.isShutIn ? 'bypassPermissions' : 'acceptEdits',
    '--settings',
    JSON.stringify({ permissions: { allow: rulesFor(leave) } }),
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...(spec.effort === undefined ? [] : ['--effort', spec.effort]),
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
  ],
  // As root it wants to be told that it is shut in before it allows everything.
  env: (_spec, { isShutIn }) => (isShutIn ? { IS_SANDBOX: '1' } : {}),
  read: () => makeReader(endOf),
  isLost: (words) => /No conversation found with session ID/i.test(words),
};

/** The tools of `agentgate mcp`, by hand and by the plugin: they run the gates, which it may, and change nothing. */
const ours = ['mcp__agentgate', 'mcp__plugin_agentgate_agentgate'];
const everything = ['Bash', 'Edit', 'Write', 'Read', 'NotebookEdit', 'WebFetch', 'WebSearch', ...ours];

function rulesFor({ isAll, commands }: Leave): string[] {
  if (isAll) return everything;
  // It takes a line of commands apart and asks about each of them.
  const parts = commands.flatMap((command) =>
    [command, ...command.split(/&&|\|\||;|\n/)].map((one) => one.trim()),
  );
  // A rule for edits would allow them everywhere; without one its mode keeps them in the workspace.
  return [
    'Read',
    ...ours,
    ...new Set(parts.filter(Boolean).flatMap((one) => [`Bash(${one})`, `Bash(${one} *)`])),
  ];
}

/** Reads its events, which others speak as well; how it ended is for each to say. */
export function makeReader(endOf: (result: Loose | null, limit: Loose | null) => Told): Reader {
  let sessionId = '';
  let result: Loose | null = null;
  let limit: Loose | null = null;
  const denied = new Set<string>();
  const deeds = new Map<string, string>();
  return {
    take(event) {
      sessionId ||= text(event['session_id']);
      switch (event['type']) {
        case 'assistant':
          return saidIn(event, deeds);
        case 'system':
          return aside(event, denied, deeds);
        case 'rate_limit_event':
          limit = group(event['rate_limit_info']);
          return [];
        case 'result':
          result = event;
          return groups(event['permission_denials'])
            .filter((one) => !denied.has(text(one['tool_use_id'])))
            .map((one) => ({
              kind: 'denied',
              tool: text(one['tool_name']),
              what: subject(one['tool_input']),
            }));
        default:
          return [];
      }
    },
    end: () => ({ ...endOf(result, limit), ...(sessionId === '' ? {} : { sessionId }) }),
  };
}

function saidIn({ message, parent_tool_use_id }: Loose, deeds: Map<string, string>): Activity[] {
  return groups(group(message)['content']).flatMap((block): Activity[] => {
    // What a subagent does is told by the one that sent it.
    const isOwn = !parent_tool_use_id;
    if (block['type'] === 'text')
      return isOwn
        ? [
            {
              kind: 'text',
              text: `${text(block['text'])}
`,
            },
          ]
        : [];
    if (block['type'] !== 'tool_use') return [];
    const what = subject(block['input']);
    deeds.set(text(block['id']), what);
    return isOwn ? [{ kind: 'tool', tool: text(block['name']), what }] : [];
  });
}

function aside(event: Loose, denied: Set<string>, deeds: Map<string, string>): Activity[] {
  if (event['subtype'] === 'permission_denied') {
    const id = text(event['tool_use_id']);
    denied.add(id);
    const what = deeds.get(id) || oneLine(text(event['message']));
    return [{ kind: 'denied', tool: text(event['tool_name']), what }];
  }
  if (event['subtype'] !== 'api_retry') return [];
  const { attempt, max_retries, error_status, error } = event;
  const why = [error_status, error].filter(Boolean).join(' ');
  return [
    {
      kind: 'retry',
      what: `its model did not answer (${why}), try ${number(attempt)} of ${number(max_retries)}`,
    },
  ];
}

function endOf(result: Loose | null, limit: Loose | null): Told {
  const windows = windowsIn(limit);
  if (!result) return { problem: 'it ended without telling how', used: {}, ...windows };
  const used = usedIn(result);
  const isGood =
    result['is_error'] === false && ['completed', undefined].includes(result['terminal_reason'] as string);
  if (isGood && result['subtype'] === 'success') return { problem: null, used, ...windows };
  const words = [text(result['result']), ...((result['errors'] ?? []) as unknown[]).map(text)]
    .filter(Boolean)
    .join('; ');
  const reason = text(result['terminal_reason']) || text(result['subtype']);
  const problem = oneLine(words || `it ended with ${reason}`, 300);
  return { problem, used, ...windows, ...awayIn(result, problem, limit) };
}

/** An answer of the service that no later try changes is a matter for a person; some others pass by themselves. */
function awayIn(result: Loose, problem: string, limit: Loose | null): Pick<Told, 'away'> {
  const status = number(result['api_error_status']);
  if (status === 401 || status === 403)
    return needsPerson(`Claude Code is not logged in (${problem}); start claude once and log in`);
  if (status === 404) return needsPerson(`${problem}; choose another model`);
  if (limit?.['status'] === 'rejected')
    return { away: away('usage-limit', problem, number(limit['resetsAt']) * 1_000 - Date.now()) };
  return refused(status, problem);
}

/**
 * Its usage tells of this run alone and leaves subagents out; money and the usage by model are of the whole session.
 * Input that came out of the cache is not counted.
 */
function usedIn(result: Loose): Told['used'] {
  const models = Object.values(group(result['modelUsage'])).map(group);
  const costUsd = result['total_cost_usd'];
  const tokens = models.map(
    (one) =>
      number(one['inputTokens']) + number(one['cacheCreationInputTokens']) + number(one['outputTokens']),
  );
  const total = {
    ...(models.length > 0 ? { tokens: tokens.reduce((sum, one) => sum + one, 0) } : {}),
    ...(typeof costUsd === 'number' ? { costUsd: number(costUsd) } : {}),
  };
  return Object.keys(total).length > 0 ? { total } : {};
}

/** How full the windows of a subscription are, where it is told. */
function windowsIn(limit: Loose | null): Pick<Told, 'windows'> {
  if (!limit) return {};
  const windows = Object.entries(group(limit['unifiedWindows'])).map(([name, one]) => ({
    name,
    used: number(group(one)['utilization']),
    resetsAtMs: number(group(one)['resetsAt'] ?? limit['resetsAt']) * 1_000,
  }));
  return windows.length > 0 ? { windows } : {};
}
