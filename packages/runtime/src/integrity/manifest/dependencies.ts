import { type Doc, isDoc, own, written } from './reconcile.ts';

/** What a manifest asks for, by name. */
export type Dependencies = ReadonlyMap<string, string>;

/** Reads the dependencies that stand at some paths of a document, as tables or as lists. `*` is any key. */
export function dependenciesAt(doc: Doc, places: readonly (readonly string[])[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const place of places) {
    for (const value of valuesAt(doc, place))
      for (const [name, spec] of entriesOf(value)) found.set(name, spec);
  }
  return found;
}

/** The place of which a path is part, if any. */
export function placeOf(
  path: readonly string[],
  places: readonly (readonly string[])[],
): readonly string[] | undefined {
  return places.find(
    (place) => place.length <= path.length && place.every((key, i) => key === '*' || key === path[i]),
  );
}

/** Whether a name that was asked for from a registry now comes from somewhere else. */
export function isSwapped(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined || before === after) return false;
  return foreign.test(after);
}

export function someSwapped(before: unknown, after: unknown): boolean {
  const was = new Map(entriesOf(before));
  return entriesOf(after).some(([name, spec]) => isSwapped(was.get(name), spec));
}

export function compareDependencies(before: Dependencies, after: Dependencies, file: string): string[] {
  const said: string[] = [];
  for (const [name, spec] of after) {
    const was = before.get(name);
    if (was === undefined) said.push(`${name} ${spec} was added in ${file}`);
    else if (was !== spec) said.push(`${name} went from ${was} to ${spec} in ${file}`);
  }
  for (const name of before.keys()) if (!after.has(name)) said.push(`${name} was removed from ${file}`);
  return said.map((line) => line.slice(0, 300));
}

/** A requirement of Python as one text: the name and the rest. */
export function splitRequirement(text: string): [string, string] {
  const match = /^\s*([A-Za-z0-9][\w.-]*)\s*(\[[^\]]*\])?\s*([^;#]*)/.exec(text);
  if (match === null) return [text.trim(), ''];
  const name = (match[1] ?? '').toLowerCase().replaceAll(/[-_.]+/g, '-');
  return [name, `${match[2] ?? ''}${(match[3] ?? '').trim()}`];
}

/** Paths, addresses, repositories and other names: not a version of the same package. */
const foreign =
  /^(?:file:|link:|portal:|patch:|exec:|npm:|git[+:@]|github:|gitlab:|bitbucket:|gist:|https?:|\.{0,2}\/|~\/|[\w-]+\/[\w.-]+(?:#|$))|"(?:path|git|url|file|registry|index|source|sdk|hosted)":|^\[?[^\]]*\]?\s*@\s*[a-z]/i;

function valuesAt(value: unknown, place: readonly string[]): unknown[] {
  const [key, ...rest] = place;
  if (key === undefined) return [value];
  if (!isDoc(value)) return [];
  if (key !== '*') return valuesAt(own(value, key), rest);
  return Object.values(value).flatMap((part) => valuesAt(part, rest));
}

function entriesOf(value: unknown): [string, string][] {
  if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').map(splitRequirement);
  if (!isDoc(value)) return [];
  return Object.entries(value).map(([name, spec]) => [name, typeof spec === 'string' ? spec : written(spec)]);
}
