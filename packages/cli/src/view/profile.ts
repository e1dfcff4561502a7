import { Document, isScalar, isSeq, visit } from 'yaml';

type WhereOf = (path: readonly (string | number)[]) => string;

/** The values of a profile as YAML, each followed by the place it comes from. */
export function profileText(value: unknown, whereOf: WhereOf): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_key, pair, ancestors) {
      if (!isScalar(pair.value) && !isSeq(pair.value)) return;
      const path = [...ancestors, pair].flatMap((one) => keyOf(one));
      if (isSeq(pair.value)) pair.value.flow = true;
      pair.value.comment = ` ${whereOf(path)}`;
    },
  });
  return document.toString({ lineWidth: 0 }).trimEnd();
}

/** Where each value that is no group was said. */
export function sourcesOf(value: unknown, whereOf: WhereOf, path: string[] = []): Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { [path.join('.')]: whereOf(path) };
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, one]) => sourcesOf(one, whereOf, [...path, key])),
  ) as Record<string, string>;
}

function keyOf(node: unknown): string[] {
  const key = typeof node === 'object' && node !== null ? (node as { key?: unknown }).key : undefined;
  return isScalar(key) ? [String(key.value)] : [];
}
