/** Whether two items might change the same files. Who does not say what it changes might change everything. */
export function overlaps(a: readonly string[] | null, b: readonly string[] | null): boolean {
  if (a === null || b === null) return true;
  const others = stemsOf(b);
  return stemsOf(a).some((one) => others.some((other) => meet(one, other)));
}

/** The lists stand in the plan and are asked for over and over. */
const known = new WeakMap<readonly string[], readonly string[][]>();

function stemsOf(paths: readonly string[]): readonly string[][] {
  const made = known.get(paths) ?? paths.map(stem);
  known.set(paths, made);
  return made;
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
  const least = Math.min(a.length, b.length);
  for (let at = 0; at < least; at++) if (a[at] !== b[at]) return false;
  return true;
}
