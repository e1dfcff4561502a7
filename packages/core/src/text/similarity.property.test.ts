import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jaccard, similarity, sketch } from './index.ts';

const words = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string({ unit: 'binary' })), {
  maxLength: 40,
});
const text = words.map((list) => list.join(' '));

it('is symmetric and between 0 and 1', () => {
  fc.assert(
    fc.property(text, text, (a, b) => {
      const share = similarity(sketch(a), sketch(b));
      expect(share).toBe(similarity(sketch(b), sketch(a)));
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
      expect(jaccard(a, b)).toBe(jaccard(b, a));
    }),
  );
});

it('is exactly 1 for a text and itself, whatever its white space and case', () => {
  fc.assert(
    fc.property(text, fc.constantFrom(' ', '\n', '\t \u00a0'), (a, space) => {
      expect(similarity(sketch(a), sketch(a))).toBe(1);
      expect(similarity(sketch(a), sketch(space + a.replaceAll(/\s+/g, space) + space))).toBe(1);
    }),
  );
});

it('counts words as white space parts them', () => {
  fc.assert(
    fc.property(text, (a) => {
      expect(sketch(a).words).toBe(a.split(/\s+/).filter(Boolean).length);
    }),
  );
});

it('is never NaN for sketches that were written by somebody else', () => {
  const foreign = fc.record({ words: fc.nat(20), lowest: fc.string() });
  fc.assert(
    fc.property(foreign, foreign, (a, b) => {
      expect(similarity(a, b)).toBeGreaterThanOrEqual(0);
      expect(similarity(a, b)).toBeLessThanOrEqual(1);
    }),
  );
});
