import { allEqual, type Detector, last, numbers, span } from './view.ts';

/** The same work again and again: iterations that end on one tree learned nothing from the verdicts. */
export const snapshotRepeat: Detector = ({ series, window }) => {
  const recent = last(series, window);
  if (!recent || !allEqual(recent.map((one) => one.work))) return null;
  return {
    reason: `${span(recent)} ended on the same tree`,
    confidence: 0.9,
    evidence: { window, iterations: numbers(recent), tree: recent.at(-1)!.tree },
  };
};
