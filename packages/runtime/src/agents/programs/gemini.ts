import type { Activity } from '@agentgate/core';
import { needsPerson, type Program, type Reader, refused, type Told } from './program.ts';
import { group, type Loose, number, oneLine, subject, text } from './values.ts';

/** Gemini CLI. */
export const gemini: Program = {
  args: (spec, { isAll, commands }, sessionId) => [
    '--output-format',
    'stream-json',
    // Whoever starts a run here trusts the folder; without this it ends with 55.
    '--skip-trust',
    '--approval-mode',
    isAll ? 'yolo' : 'auto_edit',
    ...(isAll
      ? []
      : [...ours, ...commands.map((command) => `run_shell_command(${command})`)].flatMap((tool) => [
          '--allowed-tools',
          tool,
        ])),
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...(sessionId === undefined ? [] : ['--resume', sessionId]),
  ],
  // Started anew by itself it would hear no signal.
  env: () => ({ GEMINI_CLI_NO_RELAUNCH: 'true' }),
  read: () => makeReader(),
  isLost: (words) =>
    /Invalid session identifier|No previous sessions? found|session .* not found/i.test(words),
};

/** The tools of `agentgate mcp`: they run the gates, which it may, and change nothing. */
const ours = ['mcp_agentgate_*'];

function makeReader(): Reader {
  let sessionId = '';
  let result: Loose | null = null;
  let isInWords = false;
  const tools = new Map<string, { tool: string; what: string }>();
  /** Its words come in pieces; the line ends where something else begins. */
  const between = (activities: Activity[]): Activity[] => {
    const ended = isInWords;
    isInWords = false;
    return ended ? [{ kind: 'text', text: '\n' }, ...activities] : activities;
  };
  return {
    take(event) {
      switch (event['type']) {
        case 'init':
          sessionId = text(event['session_id']);
          return [];
        case 'message':
          if (event['role'] !== 'assistant') return [];
          isInWords = true;
          return [{ kind: 'text', text: text(event['content']) }];
        case 'tool_use': {
          const told = { tool: text(event['tool_name']), what: subject(event['parameters']) };
          tools.set(text(event['tool_id']), told);
          return between([{ kind: 'tool', ...told }]);
        }
        case 'tool_result':
          return between(
            isDenied(event)
              ? [{ kind: 'denied', ...(tools.get(text(event['tool_id'])) ?? { tool: 'a tool', what: '' }) }]
              : [],
          );
        case 'result':
          result = event;
          return between([]);
        default:
          return [];
      }
    },
    end: (exitCode) => ({ ...endOf(result, statusOf(exitCode)), ...(sessionId === '' ? {} : { sessionId }) }),
  };
}

/** A tool that is not allowed is refused by a rule, keeps to the workspace, or was never offered at all. */
function isDenied({ status, error }: Loose): boolean {
  const { type, message } = group(error);
  return (
    status === 'error' &&
    (type === 'policy_violation' ||
      type === 'tool_not_registered' ||
      /not found in registry|denied by policy|^Path not in workspace/i.test(text(message)))
  );
}

function endOf(result: Loose | null, status: number): Told {
  if (!result) return { problem: 'it ended without telling how', used: {} };
  const used = usedIn(group(result['stats']));
  if (result['status'] === 'success') return { problem: null, used };
  const problem = oneLine(text(group(result['error'])['message']) || 'it ended with an error', 300);
  const isLogin =
    status === 401 || status === 403 || /\b40[13]\b|API key not valid|UNAUTHENTICATED/i.test(problem);
  const told = isLogin
    ? needsPerson(`Gemini CLI is not logged in (${problem}); start gemini once and log in`)
    : refused(status, problem);
  return { problem, used, ...told };
}

const statuses = [401, 403, 429, 500, 502, 503, 504];

/** It exits with the number of a refusal, of which the system keeps the lowest byte; 0 when it is none of those. */
const statusOf = (exitCode: number | null): number => statuses.find((one) => one % 256 === exitCode) ?? 0;

/** Told for this run alone. */
function usedIn(stats: Loose): Told['used'] {
  const all = number(stats['total_tokens']);
  return all === 0 ? {} : { tokens: Math.max(0, all - number(stats['cached'])) };
}
