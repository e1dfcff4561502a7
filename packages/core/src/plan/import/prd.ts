import { isRecord } from '../../spec/words.ts';
import { idFrom } from './markdown.ts';

/** Whether a value is a product file of user stories, as loops of that kind keep it. */
export const isPrd = (value: unknown): value is Record<string, unknown> & { userStories: unknown[] } =>
  isRecord(value) && Array.isArray(value['userStories']);

/** The same word for a story and for those that name it. */
function asId(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text.replace(/[^\w.-]+/g, '-');
}

const named = (value: unknown): unknown => asId(value) ?? value;

/** Reads such a file as it is: stories are items, their criteria are for a person to tick, `passes` means done before. */
export function readPrd(
  value: Record<string, unknown> & { userStories: unknown[] },
): Record<string, unknown> {
  const taken = new Set<string>();
  const words = (one: unknown) => (typeof one === 'string' && one.trim() !== '' ? one.trim() : null);
  const items = value.userStories.map((story) => {
    if (!isRecord(story)) return story;
    const title = words(story['title']);
    const task = [title, words(story['description']), words(story['notes'])].filter((one) => one !== null);
    const id = asId(story['id']) ?? idFrom(title ?? '', taken);
    taken.add(id);
    const { priority, dependsOn, acceptanceCriteria } = story;
    return {
      id,
      ...(title === null ? {} : { title }),
      ...(task.length === 0 ? {} : { task: task.join('\n\n') }),
      ...(Array.isArray(acceptanceCriteria) ? { acceptance: acceptanceCriteria } : {}),
      ...(typeof priority === 'number' ? { priority: Math.max(1, Math.round(priority)) } : {}),
      ...(dependsOn === undefined
        ? {}
        : { dependsOn: Array.isArray(dependsOn) ? dependsOn.map(named) : named(dependsOn) }),
      ...(story['passes'] === true ? { done: true } : {}),
    };
  });
  const title = words(value['project']) ?? words(value['name']);
  const goal = words(value['description']);
  return { ...(title === null ? {} : { title }), ...(goal === null ? {} : { goal }), items };
}
