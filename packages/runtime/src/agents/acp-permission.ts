import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk';
import type { Activity } from '@agentgate/core';
import { group, groups, oneLine, subject, text } from './programs/values.ts';

/** What needs no leave where files may be edited. A fetch is none of them: what it asks for tells what it knows. */
const free = new Set(['read', 'edit', 'delete', 'move', 'search', 'think']);

/** These only where they stay in the workspace. */
const changing = new Set(['edit', 'delete', 'move']);

/** Answers an agent that asks whether it may use a tool; nobody else is there to be asked. */
export function answerTo(
  { toolCall, options }: RequestPermissionRequest,
  leave: { root: string; isAll: boolean; commands: readonly string[]; tell(activity: Activity): void },
): RequestPermissionResponse {
  const kind = toolCall.kind ?? 'other';
  const command = commandIn(toolCall.rawInput);
  const elsewhere = changing.has(kind)
    ? pathsIn(toolCall).find((path) => !isInside(path, leave.root))
    : undefined;
  const isAllowed =
    leave.isAll ||
    (free.has(kind) && elsewhere === undefined) ||
    (kind === 'execute' && mayRun(command, leave.commands));
  const wanted = isAllowed ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const chosen = wanted.map((one) => options.find((option) => option.kind === one)).find((one) => one);
  if (!isAllowed)
    leave.tell({
      kind: 'denied',
      tool: kind,
      what: elsewhere ?? (command || subject(toolCall.rawInput) || oneLine(toolCall.title ?? '')),
    });
  return { outcome: chosen ? { outcome: 'selected', optionId: chosen.optionId } : { outcome: 'cancelled' } };
}

/** The files that a call is about, as far as it tells. */
function pathsIn({ locations, content, rawInput }: RequestPermissionRequest['toolCall']): string[] {
  const told = [...groups(locations), ...groups(content)].map((one) => one['path']);
  const { file_path, filePath, filepath, abs_path, path } = group(rawInput);
  return [...told, file_path, filePath, filepath, abs_path, path].map(text).filter((one) => one !== '');
}

/** By its name, or by what its folders really are. */
function isInside(path: string, root: string): boolean {
  const full = resolve(root, path);
  return [full, realOf(full)].some((one) => {
    const way = relative(root, one);
    return way.split('/')[0] !== '..' && !isAbsolute(way);
  });
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Not there yet; its folder may be.
    return dirname(path) === path ? path : join(realOf(dirname(path)), relative(dirname(path), path));
  }
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
