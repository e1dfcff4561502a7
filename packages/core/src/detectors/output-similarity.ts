import { allEqual, type Detector, last, numbers, span } from './view.ts';

/** The agent says the same thing over and over while the failures stay. Empty output proves nothing. */
export const outputSimilarity: Detector = ({ series, window, threshold }) => {
  const recent = last(series, window);
  if (!recent || recent.some((one) => one.silent) || !allEqual(recent.map((one) => one.failureKey)))
    return null;
  let lowest = 1;
  for (const [at, record] of recent.entries()) {
    for (let back = 1; back <= at; back++) {
      // Scores are kept against the outputs just before, so a failed build in between leaves a gap: no proof.
      if (recent[at - back]!.iteration !== record.iteration - back) return null;
      lowest = Math.min(lowest, record.similar[back - 1] ?? 0);
    }
  }
  if (lowest < threshold) return null;
  return {
    reason: `the agent's outputs in ${span(recent)} are at least ${Math.floor(lowest * 1000) / 10} % the same`,
    confidence: 0.85,
    evidence: { window, threshold, lowest, iterations: numbers(recent) },
  };
};
