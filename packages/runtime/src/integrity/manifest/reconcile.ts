export type Doc = Record<string, unknown>;

/** Whether what stands at a path is the agent's to decide, given what was there and what is. */
export type IsFree = (path: readonly string[], before: unknown, after: unknown) => boolean;

export interface Difference {
  path: string[];
  before: unknown;
  after: unknown;
}

/** One document with the agent's free parts and the baseline's others, and where these differed. */
export function reconcile(base: Doc, now: Doc, isFree: IsFree): { merged: Doc; differing: Difference[] } {
  const differing: Difference[] = [];
  const walk = (before: Doc, after: Doc, path: readonly string[]): Doc => {
    const entries: [string, unknown][] = [];
    for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
      const at = [...path, key];
      const [was, is] = [own(before, key), own(after, key)];
      const taken = isFree(at, was, is) ? is : settle(was, is, at);
      if (taken !== undefined) entries.push([key, taken]);
    }
    return Object.fromEntries(entries);
  };
  const settle = (was: unknown, is: unknown, at: string[]): unknown => {
    if (isDoc(was) && isDoc(is)) return walk(was, is, at);
    if (isDoc(was) && is === undefined) return kept(walk(was, {}, at));
    if (isDoc(is) && was === undefined) return kept(walk({}, is, at));
    if (!isSame(was, is)) differing.push({ path: at, before: was, after: is });
    return was;
  };
  return { merged: walk(base, now, []), differing };
}

export function isDoc(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}

export function own(doc: Doc, key: string): unknown {
  return Object.hasOwn(doc, key) ? doc[key] : undefined;
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || written(a) === written(b);
}

/** The value as one line, keys in order; large whole numbers too. */
export function written(value: unknown): string {
  const sorted = (_key: string, part: unknown): unknown => {
    if (typeof part === 'bigint') return String(part);
    if (!isDoc(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return JSON.stringify(value, sorted) ?? 'nothing';
}

const kept = (doc: Doc): Doc | undefined => (Object.keys(doc).length === 0 ? undefined : doc);
