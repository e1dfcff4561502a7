import type { Activity } from '@agentgate/core';
import { deniedOf, windowsOf } from './codex-records.ts';
import { needsPerson, type Program, type Reader, type Told } from './program.ts';
import { group, groups, type Loose, number, oneLine, text } from './values.ts';

/** Codex. */
export const codex: Program = {
  args: (spec, { isAll }, sessionId) => [
    'exec',
    '--json',
    '--skip-git-repo-check',
    // Its own sandbox stands for the list of commands; inside of ours, or with leave for all, it is in the way.
    ...(isAll ? ['--dangerously-bypass-approvals-and-sandbox'] : ['--sandbox', 'workspace-write']),
    ...(spec.model === undefined ? [] : ['--model', spec.model]),
    ...(spec.effort === undefined ? [] : ['-c', `model_reasoning_effort=${JSON.stringify(spec.effort)}`]),
    // A resumed session has forgotten its sandbox, so that everything stands before the word.
    ...(sessionId === undefined ? [] : ['resume', sessionId]),
    '-',
  ],
  env: () => ({}),
  read: () => makeReader(),
  windows: windowsOf,
  denied: deniedOf,
  isLost: (words) => /no rollout found|thread not found|session not found|no saved session/i.test(words),
};

function makeReader(): Reader {
  let sessionId = '';
  let usage: Loose | null = null;
  let failure = '';
  return {
    take(event) {
      switch (event['type']) {
        case 'thread.started':
          sessionId = text(event['thread_id']);
          return [];
        case 'item.started':
        case 'item.completed':
          return itemIn(group(event['item']), event['type'] === 'item.completed');
        case 'turn.completed':
          usage = group(event['usage']);
          failure = '';
          return [];
        case 'turn.failed':
          failure = text(group(event['error'])['message']) || 'its turn failed';
          return [];
        case 'error':
          return [{ kind: 'retry', what: oneLine(messageIn(text(event['message']))) }];
        default:
          return [];
      }
    },
    end: () => ({ ...endOf(usage, failure), ...(sessionId === '' ? {} : { sessionId }) }),
  };
}

function itemIn(item: Loose, isOver: boolean): Activity[] {
  const { type, status } = item;
  if (type === 'agent_message') return isOver ? [{ kind: 'text', text: `${text(item['text'])}\n` }] : [];
  const told = deedIn(item);
  if (!told) return [];
  // Tools of others want a person's yes, and nobody is there to give it.
  const isRefused = type === 'mcp_tool_call' && /requires approval/i.test(messageOf(item));
  if (status === 'declined' || isRefused) return [{ kind: 'denied', ...told }];
  // A patch tells of itself once, when it is done.
  return isOver === (type === 'file_change') ? [{ kind: 'tool', ...told }] : [];
}

const messageOf = (item: Loose): string => text(group(item['error'])['message']);

function deedIn(item: Loose): { tool: string; what: string } | null {
  switch (item['type']) {
    case 'command_execution':
      return { tool: 'shell', what: oneLine(text(item['command']).replace(/^\S*sh -l?c /, '')) };
    case 'file_change':
      return {
        tool: 'edit',
        what: oneLine(
          groups(item['changes'])
            .map((one) => text(one['path']))
            .join(', '),
        ),
      };
    case 'mcp_tool_call':
      return { tool: `${text(item['server'])}.${text(item['tool'])}`, what: '' };
    case 'web_search':
      return { tool: 'search', what: oneLine(text(item['query'])) };
    default:
      return null;
  }
}

function endOf(usage: Loose | null, failure: string): Told {
  if (usage && failure === '') return { problem: null, used: { total: { tokens: tokensIn(usage) } } };
  const problem = failure === '' ? 'it ended without finishing its turn' : oneLine(messageIn(failure), 300);
  return { problem, used: usage ? { total: { tokens: tokensIn(usage) } } : {}, ...awayIn(failure, problem) };
}

function awayIn(failure: string, problem: string): Pick<Told, 'away'> {
  if (/\b401\b|unauthorized|not logged in/i.test(failure))
    return needsPerson(`Codex is not logged in (${problem}); run codex login`);
  return {};
}

/** What the whole session has used: input that came out of no cache, and output. */
const tokensIn = (usage: Loose): number =>
  Math.max(0, number(usage['input_tokens']) - number(usage['cached_input_tokens'])) +
  number(usage['output_tokens']);

/** Errors of the service are passed on as they came, in braces. */
function messageIn(words: string): string {
  try {
    const value = group(JSON.parse(words));
    return text(group(value['error'])['message']) || text(value['message']) || words;
  } catch {
    return words;
  }
}
