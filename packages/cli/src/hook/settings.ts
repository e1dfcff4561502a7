import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  parse,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser';
import { FaultError, fault } from '@agentgate/core';

/** One program that an agent starts at one of its events. */
export interface HookEntry {
  event: string;
  command: string;
  /** In the unit of the agent. */
  timeout: number;
  /** Some agents want a name for it. */
  name?: string;
}

/** A text of settings with our entries in it; everything else stays to the byte. */
export function withHooks(text: string, entries: readonly HookEntry[], path: string): string {
  let made = text.trim() === '' ? '{}\n' : text;
  const { hooks } = checkSettings(made, path);
  for (const { event, ...entry } of entries) {
    if (hooks[event] !== undefined && !Array.isArray(hooks[event])) throw unknownForm(path);
    const at = placeOf(made, event);
    const value = { hooks: [{ type: 'command', ...entry }] };
    if (at !== null && JSON.stringify(valueAt(made, at)) === JSON.stringify(value)) continue;
    const list = groupsOf(made, event);
    const place: JSONPath = at ?? ['hooks', event, list.length];
    made = edit(made, place, value, at === null && list.length > 0);
  }
  // A file of ours alone is laid out for a reader.
  return text.trim() === '' ? laidOut(made) : made;
}

const laidOut = (text: string): string => `${JSON.stringify(parse(text), null, 2)}\n`;

/** The text without our entries, as it was before them. */
export function withoutHooks(text: string, path: string): string {
  checkSettings(text, path);
  let made = text;
  const { hooks } = settingsIn(made);
  for (const event of Object.keys(hooks)) {
    // An empty list of somebody else stays.
    if (placeOf(made, event) === null) continue;
    for (let at = placeOf(made, event); at !== null; at = placeOf(made, event)) made = removed(made, at);
    if (groupsOf(made, event).length === 0) made = removed(made, ['hooks', event]);
  }
  return made !== text && Object.keys(settingsIn(made).hooks).length === 0 ? removed(made, ['hooks']) : made;
}

/** Whether the file was made for our entries, and nobody has written anything into it since. */
export const isOursAlone = (text: string, path: string): boolean =>
  text === laidOut(text) && Object.keys(asGroup(parse(withoutHooks(text, path)))).length === 0;

/** Whether the text has an entry of ours. */
export const hasHooks = (text: string): boolean =>
  Object.keys(settingsIn(text).hooks).some((event) => placeOf(text, event) !== null);

/** What our entries start. */
export const ourCommands = (text: string): string[] =>
  Object.keys(settingsIn(text).hooks).flatMap((event) => {
    const at = placeOf(text, event);
    return at === null ? [] : [String(valueAt(text, [...at, 'hooks', 0, 'command']))];
  });

const ours = /\bagentgate(?:\.cjs)?["']? hook answer\b/;

/** Where our entry for an event stands. Only a group that holds nothing else is ours to change. */
function placeOf(text: string, event: string): JSONPath | null {
  const at = groupsOf(text, event).findIndex((group) => {
    const { hooks } = asGroup(group);
    return Array.isArray(hooks) && hooks.length === 1 && ours.test(String(asGroup(hooks[0])['command']));
  });
  return at === -1 ? null : ['hooks', event, at];
}

const groupsOf = (text: string, event: string): unknown[] => {
  const list = settingsIn(text).hooks[event];
  return Array.isArray(list) ? list : [];
};

const settingsIn = (text: string): { hooks: Record<string, unknown> } => ({
  hooks: asGroup(asGroup(parse(text))['hooks']),
});

const valueAt = (text: string, path: JSONPath): unknown =>
  path.reduce<unknown>(
    (value, part) => (value as Record<string | number, unknown> | undefined)?.[part],
    parse(text),
  );

const asGroup = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** Nothing around the place is laid out anew: the bytes of others stay theirs. */
function edit(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  return applyEdits(text, modify(text, path, value, { isArrayInsertion }));
}

/** Takes one entry out with the comma that came with it, and nothing else. */
function removed(text: string, path: JSONPath): string {
  const tree = parseTree(text);
  const value = tree && findNodeAtLocation(tree, path);
  if (!value) return text;
  const node = value.parent?.type === 'property' ? value.parent : value;
  const siblings = node.parent?.children ?? [node];
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  const from = before ? before.offset + before.length : node.offset;
  const last = node.offset + node.length;
  // Behind the only one no comma may stay, either.
  const comma = before || after ? 0 : (/^\s*,/.exec(text.slice(last))?.[0].length ?? 0);
  const to = !before && after ? after.offset : last + comma;
  return text.slice(0, from) + text.slice(to);
}

/** A file that its agent could not read either is not ours to mend. */
function checkSettings(text: string, path: string): { hooks: Record<string, unknown> } {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const first = errors[0];
  const line = first ? text.slice(0, first.offset).split('\n').length : 1;
  if (first)
    throw new FaultError(
      fault(
        'settings.unreadable',
        `${path} cannot be read (line ${line}: ${printParseErrorCode(first.error)}); put it right, then try again`,
      ),
    );
  const { hooks } = asGroup(value) as { hooks?: unknown };
  if (
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value) ||
    (hooks !== undefined && (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)))
  )
    throw unknownForm(path);
  return { hooks: asGroup(hooks) };
}

const unknownForm = (path: string): FaultError =>
  new FaultError(
    fault(
      'settings.unreadable',
      `${path} holds something else than settings with hooks; put it right, then try again`,
    ),
  );
