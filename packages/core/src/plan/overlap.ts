/** Whether two items might change the same files. Who does not say what it changes might change everything. */
export function overlaps(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return true;
  return a.some((one) => b.some((other) => meet(stem(one), stem(other))));
}

/** A path up to its first wildcard, as folders; what stands behind it could be anything. */
function stem(pattern: string): string[] {
  const parts = pattern
    .replace(/^\.\//, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  const at = parts.findIndex((part) => /[*?[\]{}!]/.test(part));
  return at === -1 ? parts : parts.slice(0, at);
}

function meet(a: readonly string[], b: readonly string[]): boolean {
  return a.slice(0, b.length).every((part, at) => part === b[at]);
}
