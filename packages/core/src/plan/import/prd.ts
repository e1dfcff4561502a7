import { isRecord } from '../../spec/words.ts';
import { goalId } from '../work-item.ts';
import { idFrom } from './markdown.ts';

/** A product file as loops of that kind keep it, and the way to its list of stories. */
export interface Prd {
  value: Record<string, unknown>;
  stories: readonly unknown[];
  path: readonly string[];
}

/** What the list is called where the name of the file says that it is one. */
const lists = ['userStories', 'user_stories', 'stories', 'features', 'tasks', 'requirements'];

/** The stories in a value, if it is such a file. One that is called `prd.json` may also be a bare list, or call it otherwise. */
export function findPrd(value: unknown, isNamed = false): Prd | null {
  if (Array.isArray(value)) return isNamed ? { value: {}, stories: value, path: [] } : null;
  if (!isRecord(value)) return null;
  const isStories = (key: string) => Array.isArray(value[key]);
  const own = isNamed && !hasOwnItems(value) ? [...lists, 'items'] : lists.slice(0, 1);
  const key = own.find(isStories);
  return key === undefined ? null : { value, stories: value[key] as unknown[], path: [key] };
}

/** The name under which such a file has something that is no list of stories; null where it says nothing of the kind. */
export function misreadStories(value: unknown): string | null {
  if (!isRecord(value) || 'items' in value) return null;
  return lists.find((key) => key in value) ?? null;
}

/** Items of ours do not say whether they pass. */
const hasOwnItems = ({ items }: Record<string, unknown>): boolean =>
  Array.isArray(items) && !items.some((one) => isRecord(one) && typeof one['passes'] === 'boolean');

/** Reads such a file as it is: stories are items, their criteria are for a person to tick, `passes` means done before. */
export function readPrd({ value, stories }: Prd): Record<string, unknown> {
  const taken = new Set<string>([goalId]);
  const items = stories.map((story) => (isRecord(story) ? itemOf(story, taken) : story));
  const title = first(value, ['project', 'projectName', 'name', 'title', 'feature'], words);
  const goal = first(value, ['description', 'overview', 'goal'], words);
  return { ...(title === null ? {} : { title }), ...(goal === null ? {} : { goal }), items };
}

function itemOf(story: Record<string, unknown>, taken: Set<string>): Record<string, unknown> {
  const title = first(story, ['title', 'name'], words);
  const description = words(story['description']);
  const task = [
    ...[title, description].filter((one) => one !== null),
    ...listed('Steps', story['steps']),
    ...listed('Tasks', story['tasks']),
    ...listed('Notes', story['notes']),
  ];
  const id = asId(story['id']) ?? idFrom(title ?? description ?? '', taken);
  taken.add(id);
  const criteria = first(story, ['acceptanceCriteria', 'acceptance_criteria', 'acceptance'], asCriteria);
  const priority = asPriority(story['priority']);
  const dependsOn = first(story, ['dependsOn', 'depends_on', 'dependencies', 'blockedBy'], asIds);
  return {
    id,
    ...(title === null ? {} : { title }),
    ...(task.length === 0 ? {} : { task: task.join('\n\n') }),
    ...(criteria === null ? {} : { acceptance: criteria }),
    ...(priority === null ? {} : { priority }),
    ...(dependsOn === null ? {} : { dependsOn }),
    ...(isDone(story) ? { done: true } : isPutOff(story) ? { deferred: true } : {}),
  };
}

/** What the first of these names that says anything says. */
function first<T>(
  from: Record<string, unknown>,
  names: readonly string[],
  read: (value: unknown) => T | null,
): T | null {
  for (const name of names) {
    const found = read(from[name]);
    if (found !== null) return found;
  }
  return null;
}

const words = (one: unknown): string | null =>
  typeof one === 'string' && one.trim() !== '' ? one.trim() : null;

function listed(name: string, value: unknown): string[] {
  const text = words(value);
  if (text !== null) return [text];
  const lines = Array.isArray(value) ? value.map(asText).filter((one) => one !== null) : [];
  return lines.length === 0 ? [] : [`${name}:\n${lines.map((line) => `- ${line}`).join('\n')}`];
}

/** A sentence, or something that has one. */
const asText = (one: unknown): string | null =>
  isRecord(one) ? first(one, ['description', 'text', 'criterion', 'title', 'name'], words) : words(one);

/** Sentences; what is none is left as it is, so that its mistake is told. */
function asCriteria(value: unknown): unknown[] | null {
  const text = words(value);
  if (text !== null) return [text];
  return Array.isArray(value) ? value.filter((one) => one !== '').map((one) => asText(one) ?? one) : null;
}

/** The same word for a story and for those that name it. */
function asId(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text.replace(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '') || null;
}

function asIds(value: unknown): unknown[] | null {
  if (value === undefined || value === null || value === '') return null;
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => asId(one) ?? one);
}

const priorityWords = ['critical', 'high', 'medium', 'low'];

/** A number, `P0`, or a word; 1 comes first. Other words say nothing about the order. */
function asPriority(value: unknown): number | null {
  if (typeof value === 'number') return Math.max(1, Math.round(value));
  const word = words(value)?.toLowerCase() ?? '';
  const level = /^p(\d)$/.exec(word);
  if (level) return Number(level[1]) + 1;
  const at = priorityWords.indexOf(word);
  return at === -1 ? null : at + 1;
}

/** Whether it says that it is done: by a yes or no, and where it has none, by its status. */
function isDone(story: Record<string, unknown>): boolean {
  const told = ['passes', 'passed', 'completed', 'complete', 'done', 'tested']
    .map((name) => story[name])
    .find((one) => typeof one === 'boolean');
  return told ?? /^(done|completed?|passed|closed)$/i.test(words(story['status']) ?? '');
}

const isPutOff = (story: Record<string, unknown>): boolean =>
  story['skip'] === true || /^(deferred|skipped)$/i.test(words(story['status']) ?? '');
