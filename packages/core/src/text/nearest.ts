/** The candidate a person most likely meant by `name`, or undefined when none is close. Ignores case. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  if (wanted === '') return undefined;
  let best: { candidate: string; cost: number } | undefined;
  for (const candidate of candidates) {
    const cost = costOf(wanted, candidate.toLowerCase());
    if (cost !== undefined && (best === undefined || cost < best.cost)) best = { candidate, cost };
  }
  return best?.candidate;
}

function costOf(wanted: string, candidate: string): number | undefined {
  if (candidate === wanted) return 0;
  const longer = Math.max(wanted.length, candidate.length);
  const limit = longer < 3 ? 0 : Math.max(1, Math.floor(longer / 4));
  if (Math.abs(wanted.length - candidate.length) <= limit) {
    const distance = editDistance(wanted, candidate);
    if (distance <= limit) return distance;
  }
  // An abbreviation is a worse guess than any typing error that passed the limit.
  return isAbbreviation(wanted, candidate) ? limit + longer : undefined;
}

function isAbbreviation(wanted: string, candidate: string): boolean {
  return wanted.length >= 3 && candidate.startsWith(wanted);
}

/** Damerau-Levenshtein, restricted: a swap of two neighbours costs one. */
function editDistance(a: string, b: string): number {
  let beforeLast = new Uint32Array(b.length + 1);
  let last = Uint32Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = new Uint32Array(b.length + 1);
    row[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(last, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, replaced);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      row[j] = cost;
    }
    beforeLast = last;
    last = row;
  }
  return at(last, b.length);
}

function at(row: Uint32Array, index: number): number {
  return row[index] ?? 0;
}
