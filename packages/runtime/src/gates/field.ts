/** Finds a field by a way such as `scripts.test` or `items[0].id`, or by a JSON pointer such as `/items/0/id`. */
export function readField(value: unknown, way: string): { found: true; value: unknown } | { found: false } {
  let at = value;
  for (const part of partsOf(way)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return { found: false };
    at = (at as Record<string, unknown>)[part];
  }
  return { found: true, value: at };
}

function partsOf(way: string): string[] {
  if (way === '') return [];
  if (way.startsWith('/')) {
    return way
      .slice(1)
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return way
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((part) => part !== '');
}
