import type { IterationRecord } from '../state.ts';
import { type Detector, numbers } from './view.ts';

/** A cycle of any period, in trees or in failure sets, seen twice in full. */
export const oscillation: Detector = ({ series, window: periods }) => {
  const trees = cycle(series, periods, (one) => one.work);
  const found = trees ?? cycle(series, periods, (one) => one.failureKey);
  if (!found) return null;
  const recent = series.slice(-found * periods);
  const what = trees ? 'the same trees' : 'the same sets of failures';
  return {
    reason: `the run goes round through ${what} with period ${found} (iterations ${recent[0]!.iteration} to ${recent.at(-1)!.iteration})`,
    confidence: 0.9,
    evidence: { period: found, periods, in: trees ? 'trees' : 'failures', iterations: numbers(recent) },
  };
};

/** The shortest period of at least two with which the end of the series repeats, or null. */
function cycle(
  series: readonly IterationRecord[],
  periods: number,
  key: (record: IterationRecord) => string,
): number | null {
  const size = series.length;
  if (size < 2 * periods || key(series[size - 1]!) === key(series[size - 2]!)) return null;
  const newest = key(series[size - 1]!);
  for (let period = 2; period * periods <= size; period++) {
    if (key(series[size - 1 - period]!) !== newest) continue;
    if (repeats(series, period, periods, key)) return period;
  }
  return null;
}

function repeats(
  series: readonly IterationRecord[],
  period: number,
  periods: number,
  key: (record: IterationRecord) => string,
): boolean {
  const from = series.length - period * periods;
  for (let at = from + period; at < series.length; at++) {
    if (key(series[at]!) !== key(series[at - period]!)) return false;
  }
  return true;
}
