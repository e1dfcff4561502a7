import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levenshteinRatio } from './index.ts';

describe('the Levenshtein ratio', () => {
  it.each([
    ['', '', 1],
    ['', 'abc', 0],
    ['abc', 'abc', 1],
    ['kitten', 'sitting', 1 - 3 / 7],
    ['flaw', 'lawn', 0.5],
    ['a'.repeat(100), 'b'.repeat(100), 0],
    [`x${'a'.repeat(64)}`, `${'a'.repeat(64)}y`, 1 - 2 / 65],
  ])('of %j and %j is %d', (a, b, ratio) => {
    expect(levenshteinRatio(a, b)).toBeCloseTo(ratio, 12);
  });

  it('agrees with the textbook on any two texts', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 120 }),
      fc.string({ unit: 'binary', maxLength: 80 }),
    );
    fc.assert(
      fc.property(text, text, (a, b) => {
        const longer = Math.max(a.length, b.length);
        expect(levenshteinRatio(a, b)).toBeCloseTo(longer === 0 ? 1 : 1 - textbook(a, b) / longer, 12);
        expect(levenshteinRatio(a, b)).toBe(levenshteinRatio(b, a));
      }),
      { numRuns: 400 },
    );
  });

  it('compares the last 20,000 characters only', () => {
    const end = 'z'.repeat(20_000);
    expect(levenshteinRatio(`first${end}`, `second, and longer${end}`)).toBe(1);
  });
});

function textbook(a: string, b: string): number {
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
    }
    last = row;
  }
  return last[b.length] ?? 0;
}
