import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { Activity } from '@agentgate/core';
import { group, oneLine, subject, text } from './programs/values.ts';

/** What needs no leave where files may be edited. */
const free = new Set(['read', 'edit', 'delete', 'move', 'search', 'think', 'fetch']);

/** Answers an agent that asks whether it may use a tool; nobody else is there to be asked. */
export function answerTo(
  { toolCall, options }: RequestPermissionRequest,
  leave: { isAll: boolean; commands: readonly string[]; tell(activity: Activity): void },
): RequestPermissionResponse {
  const kind = toolCall.kind ?? 'other';
  const command = commandIn(toolCall.rawInput);
  const isAllowed = leave.isAll || free.has(kind) || (kind === 'execute' && mayRun(command, leave.commands));
  const wanted = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const chosen = wanted.map((one) => options.find((option) => option.kind === one)).find((one) => one);
  if (!isAllowed)
    leave.tell({
      kind: 'denied',
      tool: kind,
      what: command || subject(toolCall.rawInput) || oneLine(toolCall.title ?? ''),
    });
  return { outcome: chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' } };
}

/** A command as one line; some agents give its words, with the shell that is to run it. */
function commandIn(input: unknown): string {
  const { command } = group(input);
  if (!Array.isArray(command)) return text(command);
  const words = command.map(text);
  return words[0]?.endsWith('sh') === true && /^-l?c$/.test(words[1] ?? '')
    ? (words[2] ?? '')
    : words.join(' ');
}

/** A command of the gates, also with more words behind it, but with nothing that would start another one. */
export function mayRun(command: string, commands: readonly string[]): boolean {
  const wanted = command.trim();
  return commands.some((one) => {
    if (wanted === one.trim()) return true;
    const rest = wanted.startsWith(`${one.trim()} `) ? wanted.slice(one.trim().length) : null;
    return rest !== null && !/[;&|<>`$(){}\n\\]/.test(rest);
  });
}
