import type { Trace } from '../traces/trace.ts';
import type { Needs } from './needs.ts';

/** Where a dial may stand that keeps the promised share of solves. */
export interface Kept {
  /** The lowest need on record that loses no more than may be lost. */
  dial: number;
  /** A little lower, between that need and the next one: for rules whose needs are no whole numbers. */
  finer: number;
}

/**
 * The dial that keeps the promised share of solves, by conformal risk control: on runs like the recorded ones the
 * expected share that is lost is at most `1 - target`. One run more could be lost for what was not seen yet, so
 * (lost + 1) / (solved + 1) is held under it. With too few solves for that the dial loses none of the recorded ones, which promises nothing: whoever asks has to
 * say so.
 *
 * What may be lost is seldom a whole number of runs. With three and a half of them allowed the finer dial stands
 * halfway between losing three and losing four: as the need of a run to come may lie anywhere between the two that
 * are on record there, the expected share is then what was promised.
 */
export function controlRisk(
  traces: readonly Trace[],
  needs: Needs,
  target: number,
  weights: Float64Array,
): Kept {
  const wanted = traces.flatMap(({ solved }, index) =>
    solved ? [{ need: needs[index]!.at(-1) ?? 0, weight: weights[index]! }] : [],
  );
  wanted.sort((a, b) => b.need - a.need);
  const solved = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const allowed = Math.max(0, (1 - target) * (solved + 1) - 1);
  let lost = 0;
  for (const [at, { need, weight }] of wanted.entries()) {
    if (lost + weight > allowed + 1e-9)
      return { dial: need, finer: between(need, wanted[at + 1]?.need ?? 0, (allowed - lost) / weight) };
    lost += weight;
  }
  return { dial: 0, finer: 0 };
}

/** Prices are compared by how many times dearer one is, so what lies halfway is their geometric mean. */
const between = (from: number, to: number, share: number): number =>
  to > 0 && share > 1e-9 ? from * (to / from) ** share : from;
