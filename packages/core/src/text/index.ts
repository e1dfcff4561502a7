export { findClaim } from './claims.ts';
export { hash64 } from './hash.ts';
export { levenshteinRatio } from './levenshtein.ts';
export { findGiveUp } from './marker.ts';
export { nearest } from './nearest.ts';
export { defaultSignals } from './signals.ts';
export { jaccard, similarity } from './similarity.ts';
export { Sketch, sketch } from './sketch.ts';
export { substanceOf } from './substance.ts';
