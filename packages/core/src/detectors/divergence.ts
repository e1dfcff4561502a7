import { type Detector, last, numbers, span } from './view.ts';

/** Steady worsening: each iteration broke something and fixed nothing. Unmasking is not worsening. */
export const divergence: Detector = ({ series, window }) => {
  const recent = last(series, window);
  if (!recent || !recent.every((one) => one.broken > 0 && one.fixed === 0 && !one.unmasked)) return null;
  const counts = recent.map((one) => one.failures);
  if (!counts.every((count, at) => at === 0 || count > counts[at - 1]!)) return null;
  return {
    reason: `each of ${span(recent)} broke more and fixed nothing (${counts.join(', ')} failures)`,
    confidence: 0.85,
    evidence: { window, iterations: numbers(recent), failures: counts },
  };
};
