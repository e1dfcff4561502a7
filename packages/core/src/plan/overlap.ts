/** Paths up to their first wildcards, as folders; null for who does not say what it changes. */
export type Ground = readonly (readonly string[])[] | null;

export const groundOf = (paths: readonly string[] | null): Ground => paths?.map(stem) ?? null;

/** Whether two items might change the same files. Who does not say what it changes might change everything. */
export const overlaps = (a: readonly string[] | null, b: readonly string[] | null): boolean =>
  groundsMeet(groundOf(a), groundOf(b));

export function groundsMeet(a: Ground, b: Ground): boolean {
  if (a === null || b === null) return true;
  return a.some((one) => b.some((other) => meet(one, other)));
}

/** A path up to its first wildcard, as folders; what stands behind it could be anything. */
function stem(pattern: string): string[] {
  const parts = pattern
    .replace(/^\.\//, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const at = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  // A way up from what could be anything leads anywhere.
  if (at !== -1 && parts.includes('..', at)) return [];
  return walked(at === -1 ? parts : parts.slice(0, at));
}

/** The folders with each `..` followed; one that leads out of the workspace could come back in anywhere. */
function walked(parts: readonly string[]): string[] {
  const folders: string[] = [];
  for (const part of parts) {
    if (part !== '..') folders.push(part);
    else if (folders.pop() === undefined) return [];
  }
  return folders;
}

function meet(a: readonly string[], b: readonly string[]): boolean {
  const least = Math.min(a.length, b.length);
  for (let at = 0; at < least; at++) if (a[at] !== b[at]) return false;
  return true;
}
