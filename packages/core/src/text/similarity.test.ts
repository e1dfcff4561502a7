import { describe, expect, it } from 'vitest';
import { jaccard, Sketch, similarity, sketch } from './index.ts';

const between = (a: string, b: string) => similarity(sketch(a), sketch(b));

describe('similarity', () => {
  it.each([
    ['two empty texts', '', ' \n\t', 1],
    ['one empty text', '', 'a', 0],
    ['equal texts', 'a b c d e f', 'a b c d e f', 1],
    ['case and white space', 'All Tests\n passed on  the machine', 'all tests passed ON the machine', 1],
    ['case beyond ASCII', 'ÜBER straße Ελλάδα naïve x y', 'über STRAßE ελλάδα NAÏVE x y', 1],
    ['other white space', 'a b c\u3000d\u2003e f', 'a b c d e f', 1],
    ['equal short texts', 'Nothing to do', 'nothing to do', 1],
    ['different short texts', 'yes', 'no', 0],
    ['half of a short text', 'a b', 'a c', 0.5],
    ['a short and a long text', 'a b c', 'a b c d e f', 0],
    ['texts with nothing in common', 'a b c d e f g', 'h i j k l m n', 0],
  ])('of %s', (_, a, b, expected) => {
    expect(between(a, b)).toBeCloseTo(expected, 12);
  });

  describe.each([500, 20_000])('of %i words', (size) => {
    it.each([0.01, 0.02, 0.05, 0.1, 0.2])('is the share of equal words with %d replaced', (share) => {
      const chance = chanceOf(size + share * 1_000);
      const errors = Array.from({ length: 40 }, () => {
        const words = Array.from({ length: size }, () => `w${Math.floor(chance() * 3_000)}`);
        const other = words.map((word) => (chance() < share ? `x${Math.floor(chance() * 1e9)}` : word));
        const equal = other.filter((word, i) => word === words[i]).length;
        return between(words.join(' '), other.join(' ')) - equal / size;
      });
      const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
      expect(Math.abs(mean)).toBeLessThan(0.006);
      expect(Math.max(...errors.map(Math.abs))).toBeLessThan(share <= 0.05 ? 0.02 : 0.06);
    });
  });
});

describe('a sketch', () => {
  it('stays below 2.5 KB for a text of any size', () => {
    const chance = chanceOf(1);
    for (const size of [4, 5, 380, 390, 500, 1_000, 10_000, 100_000]) {
      const value = sketch(Array.from({ length: size }, () => chance().toString(36)).join(' '));
      expect(JSON.stringify(value).length).toBeLessThan(2_500);
      expect(Sketch.parse(JSON.parse(JSON.stringify(value)))).toEqual(value);
    }
  });

  it('never changes between versions, because logs hold it', () => {
    expect(sketch('the quick brown fox jumps over')).toEqual({ words: 6, lowest: '4pp3e3 cf22k5' });
    expect(sketch('Ünder four')).toEqual({ words: 2, lowest: 'shu249 f7iaot' });
  });

  it('keeps few shingles of a text that repeats itself', () => {
    expect(sketch('one two three four five six\n'.repeat(10_000)).lowest.split(' ')).toHaveLength(6);
  });
});

describe('jaccard', () => {
  it.each([
    ['', '', 1],
    ['', 'a', 0],
    [' a ', 'A', 1],
    ['a b c', 'b c d', 0.5],
    ['a a a b', 'a b', 1],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(jaccard(a, b)).toBe(expected);
  });
});

function chanceOf(seed: number): () => number {
  let state = Math.floor(seed);
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4_294_967_296;
  };
}
