import { type Detector, last, numbers, span } from './view.ts';

/** The agent ended without changing anything, several times in a row. A claim has its own rule. */
export const noChanges: Detector = ({ series, window }) => {
  const recent = last(series, window);
  if (!recent || recent.some((one) => one.moved || one.claimed)) return null;
  return {
    reason: `the agent changed nothing in ${span(recent)}`,
    confidence: 0.95,
    evidence: { window, iterations: numbers(recent), tree: recent.at(-1)!.tree },
  };
};
