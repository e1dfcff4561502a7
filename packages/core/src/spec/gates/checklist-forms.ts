import { isRecord } from '../words.ts';

/** The older ways to write an item: `{check: {type, value}}`, `{type, value}` and `group`. */
export function asItem(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (isRecord(value['check'])) {
    const { check, ...rest } = value;
    return asItem({ ...(check as object), ...rest });
  }
  const { type, value: wanted, items, ...rest } = value;
  if (type === 'checklist') return { ...rest, all_of: items };
  if (type === 'quality' && wanted === undefined) return { quality: rest };
  const plain = typeof type === 'string' ? { ...rest, [type]: wanted } : value;
  return Object.fromEntries(Object.entries(plain).map(([key, one]) => [aliases[key] ?? key, one]));
}

const aliases: Record<string, string> = {
  group: 'all_of',
  allOf: 'all_of',
  anyOf: 'any_of',
  notCommand: 'not_command',
  'not-command': 'not_command',
  notFile: 'not_file',
  'not-file': 'not_file',
};

/** A rubric may stand in a group of its own. */
export function asQuality(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { rubric, ...rest } = value;
  const inner = isRecord(rubric) ? rubric : rubric === undefined ? {} : { criteria: rubric };
  const { pass_threshold: threshold, ...flat } = { ...inner, ...rest };
  return threshold === undefined ? flat : { threshold, ...flat };
}
