import type { Trace } from '../traces/trace.ts';
import type { Needs } from './needs.ts';

/**
 * The lowest dial that keeps the promised share of solves, by conformal risk control: on runs like the recorded ones
 * the expected share that is lost is at most `1 - target`. One run more could be lost for what was not seen yet, so
 * (lost + 1) / (solved + 1) is held under it. With too few solves for that the dial loses none of the recorded ones.
 */
export function controlRisk(
  traces: readonly Trace[],
  needs: Needs,
  target: number,
  weights: Float64Array,
): number {
  const wanted = traces.flatMap(({ solved }, index) =>
    solved ? [{ need: needs[index]!.at(-1) ?? 0, weight: weights[index]! }] : [],
  );
  wanted.sort((a, b) => b.need - a.need);
  const solved = wanted.reduce((sum, { weight }) => sum + weight, 0);
  const allowed = Math.max(0, (1 - target) * (solved + 1) - 1);
  let lost = 0;
  for (const { need, weight } of wanted) {
    if (lost + weight > allowed + 1e-9) return need;
    lost += weight;
  }
  return 0;
}
