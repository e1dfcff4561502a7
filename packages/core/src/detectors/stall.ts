import { allEqual, type Detector, last, numbers, span } from './view.ts';

/**
 * Wandering: the tree keeps changing, but only between failure sets that were all seen before.
 * One set that stays is the ceiling's matter, and trees that come back are a loop's.
 */
export const stall: Detector = ({ series, window }) => {
  const recent = last(series, window);
  if (!recent || recent.some((one) => one.progress || one.newFailures || !one.newTree || one.binary))
    return null;
  if (allEqual(recent.map((one) => one.failureKey))) return null;
  return {
    reason: `${span(recent)} only went back and forth between failures seen before`,
    confidence: 0.8,
    evidence: { window, iterations: numbers(recent), failures: recent.map((one) => one.failures) },
  };
};
