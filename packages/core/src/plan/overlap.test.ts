import { describe, expect, it } from 'vitest';
import { overlaps } from './overlap.ts';

describe('two items overlap', () => {
  it.each([
    ['src/a', 'src/a/b.ts', true],
    ['src/a/**', './src/b', false],
    ['src/../lib', 'lib/x.ts', true],
    ['src/../lib', 'src/x.ts', false],
    ['src/a/../b/**', 'src/b/x.ts', true],
    ['src/a/../b/**', 'src/a/x.ts', false],
    ['src/**/../../lib', 'lib', true],
    ['../work/src', 'src', true],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(overlaps([a], [b])).toBe(expected);
    expect(overlaps([b], [a])).toBe(expected);
  });
  it('where one of them does not say what it changes', () => {
    expect(overlaps(null, ['src'])).toBe(true);
  });
});
