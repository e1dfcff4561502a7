import { lowestOf, type Sketch, shingleWords, sketchSize } from './sketch.ts';

/**
 * The share of words two texts have in common, estimated from their sketches: 0.95 when every twentieth
 * word was replaced. Symmetric, between 0 and 1; equal texts give exactly 1, two empty ones too.
 */
export function similarity(a: Sketch, b: Sketch): number {
  if (a.words === 0 || b.words === 0) return a.words === b.words ? 1 : 0;
  const width = widthOf(a);
  if (width !== widthOf(b)) return 0;
  if (a.lowest === b.lowest) return 1;
  const j = sharedShare(lowestOf(a), lowestOf(b));
  // Of shingles, 2J/(1+J) survive; one survives when all of its words do.
  return ((2 * j) / (1 + j)) ** (1 / width);
}

/** Word-set Jaccard of two texts, without regard to case: 1 when both are empty, 0 when one is. */
export function jaccard(a: string, b: string): number {
  const left = wordSet(a);
  const right = wordSet(b);
  if (left.size === 0 && right.size === 0) return 1;
  let shared = 0;
  for (const word of left) if (right.has(word)) shared++;
  return shared / (left.size + right.size - shared);
}

function widthOf(value: Sketch): number {
  return value.words < shingleWords ? 1 : shingleWords;
}

/**
 * Jaccard of the sketched sets. The smallest hashes of a union lie among those of its parts, and they are
 * a fair sample of it: the share of them that stands in both parts is the estimate.
 */
function sharedShare(a: readonly number[], b: readonly number[]): number {
  let i = 0;
  let j = 0;
  let seen = 0;
  let shared = 0;
  for (; seen < sketchSize && (i < a.length || j < b.length); seen++) {
    const left = a[i] ?? Number.POSITIVE_INFINITY;
    const right = b[j] ?? Number.POSITIVE_INFINITY;
    if (left === right) shared++;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return seen === 0 ? 0 : shared / seen;
}

function wordSet(text: string): Set<string> {
  return new Set(text.toLowerCase().split(/\s+/).filter(Boolean));
}
