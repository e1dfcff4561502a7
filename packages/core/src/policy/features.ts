import type { Observation, Situation } from './observation.ts';

/** The version of this list. A model that was fitted to another one is not read. */
export const featuresVersion = 1;

/** What is looked at after a failing iteration, in this order. */
export const featureNames = [
  'iteration',
  'score',
  'best',
  'change',
  'gain',
  'drop',
  'sinceBest',
  'sameFailures',
  'newFailures',
  'failureSets',
  'seenBefore',
  'timesSeen',
  'repeats',
  'repeatsInRow',
  'similarity',
  'hasSimilarity',
  'length',
  'lengthChange',
  'failures',
  'total',
  'gateChanged',
  'scoresSeen',
  'partly',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** The features of the last iteration as a vector in the order of `featureNames`. */
export function observe({ iterations }: Pick<Situation, 'iterations'>): Float64Array {
  const trail = new Trail();
  for (const one of iterations) trail.add(one);
  return trail.features();
}

const epsilon = 1e-9;

/** Walks a run once, so that every prefix of it can be observed on the way. */
export class Trail {
  private count = 0;
  private best = 0;
  private bestBefore = 0;
  private bestAt = 0;
  private same = 0;
  private isNewSet = false;
  private readonly sets = new Set<string>();
  private readonly outs = new Map<string, number>();
  private readonly scores = new Set<number>();
  private seen = 0;
  private repeats = 0;
  private inRow = 0;
  private last: Observation | null = null;
  private before: Observation | null = null;

  add(given: Observation): void {
    const one = { ...given, score: Math.min(1, Math.max(0, given.score)) };
    this.before = this.last;
    this.last = one;
    this.count += 1;
    this.bestBefore = this.best;
    if (this.count === 1 || one.score > this.best + epsilon) {
      this.best = one.score;
      this.bestAt = this.count;
    }
    this.same = one.failRep ?? (isSameFailure(this.before, one) ? this.same + 1 : 0);
    const set = one.failKey ?? '';
    this.isNewSet = set !== '' && !this.sets.has(set);
    this.sets.add(set);
    this.seen = one.rep ?? (one.out ? (this.outs.get(one.out) ?? 0) : 0);
    if (one.out) this.outs.set(one.out, (this.outs.get(one.out) ?? 0) + 1);
    this.repeats += this.seen > 0 ? 1 : 0;
    this.inRow = this.seen > 0 ? this.inRow + 1 : 0;
    this.scores.add(one.score);
  }

  features(): Float64Array {
    const { last: now, before } = this;
    if (!now) return new Float64Array(featureNames.length);
    const length = Math.log1p(now.outChars ?? 0);
    const lengthBefore = isNumber(before?.outChars) ? Math.log1p(before.outChars) : length;
    return Float64Array.of(
      Math.log(this.count),
      now.score,
      this.best,
      before ? now.score - before.score : 0,
      before ? Math.max(0, now.score - this.bestBefore) : 0,
      this.best - now.score,
      Math.log1p(this.count - this.bestAt),
      Math.log1p(this.same),
      this.isNewSet ? 1 : 0,
      Math.log1p(this.sets.size),
      this.seen > 0 ? 1 : 0,
      Math.log1p(this.seen),
      Math.log1p(this.repeats),
      Math.log1p(this.inRow),
      now.sim ?? 0,
      isNumber(now.sim) ? 1 : 0,
      length,
      isNumber(now.outChars) ? length - lengthBefore : 0,
      Math.log1p(now.failed ?? 0),
      Math.log1p(now.total ?? 0),
      before && before.gate !== now.gate ? 1 : 0,
      Math.log1p(this.scores.size),
      now.score > 0 && now.score < 1 ? 1 : 0,
    );
  }
}

/** Where no keys are known, the same score with as many failures has to stand for the same failures. */
function isSameFailure(before: Observation | null, now: Observation): boolean {
  if (!before) return false;
  if (now.failKey && before.failKey) return now.failKey === before.failKey;
  return now.score === before.score && now.failed === before.failed;
}

const isNumber = (value: number | null | undefined): value is number => typeof value === 'number';
