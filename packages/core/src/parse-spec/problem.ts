import { nearest } from '../text/index.ts';

export type Path = readonly (string | number)[];

/** One mistake in a spec: where it stands and what was expected there. */
export interface SpecProblem {
  path: (string | number)[];
  message: string;
  /** The name itself is the mistake, not what it was set to. */
  inName?: true;
}

export const showPath = (path: Path): string => path.join('.') || 'the spec';

/** A value as a person wrote it, cut where it gets long. */
export function show(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group';
  // A token that somebody wrote into a spec is not repeated where it would be read by more people.
  const text = (JSON.stringify(value) ?? String(value)).replace(
    /\b(gh[a-z]_|github_pat_|glpat-)[\w-]+/g,
    '$1***',
  );
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}

/** The end of a message about an unknown name: the nearest one, or all there are. */
export function suggest(name: string, known: readonly string[], also: readonly string[] = []): string {
  const near = nearest(name, [...known, ...also]);
  return near ? `: did you mean "${near}"?` : `: expected one of ${known.join(', ')}`;
}

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    root,
  );
}
