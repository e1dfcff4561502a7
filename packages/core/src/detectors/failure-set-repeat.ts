import { allEqual, type Detector, last, numbers, span } from './view.ts';

/** How much longer the ceiling waits while the tree keeps changing in substance. */
const patience = 2;

/** The ceiling: the same failures whatever the agent does. */
export const failureSetRepeat: Detector = ({ series: all, window }) => {
  // The iteration that fixed something has the set that came of it; the repeating begins after it.
  const series = all.slice(
    all.findLastIndex((one) => one.progress !== null && one.progress !== 'stand-in') + 1,
  );
  const short = last(series, window);
  if (!short || !allEqual(short.map((one) => one.failureKey))) return null;
  // One tree has one set of failures; that it repeats is the matter of the detectors that watch trees.
  if (allEqual(short.map((one) => one.work))) return null;
  const sameSubstance = allEqual(short.map((one) => one.substance));
  // One gate without findings can only fail in one way, so that its failing again proves nothing by itself.
  // Coming back to an earlier tree is the beginning of a cycle, which has a detector of its own.
  const sameText =
    short.at(-1)!.newTree &&
    !short.some((one) => one.binary) &&
    short[0]!.textKey !== null &&
    allEqual(short.map((one) => one.textKey));
  const cosmetic = sameSubstance || sameText;
  // With every hard gate passed there is no honest work left to kill: advice is not followed, and that is told.
  const isAdvice = short.every((one) => one.hardGreen);
  const recent = cosmetic || isAdvice ? short : last(series, window + patience);
  if (!recent || !allEqual(recent.map((one) => one.failureKey))) return null;
  if (!cosmetic && !isAdvice && recent.some((one) => one.binary)) return null;
  const count = recent.at(-1)!.failures;
  const how = sameSubstance
    ? 'only white space and comments changed'
    : sameText
      ? 'the failures read the same'
      : 'although the tree kept changing';
  return {
    reason: `${span(recent)} failed with the same ${count === 1 ? 'finding' : `${count} findings`}, ${how}`,
    confidence: cosmetic ? 0.9 : 0.8,
    evidence: { window: recent.length, iterations: numbers(recent), failures: count, cosmetic },
  };
};
