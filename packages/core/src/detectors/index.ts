import type { Condition } from '../decision.ts';
import { type DetectorName, defaultSimilarity, type RunSpec } from '../spec.ts';
import type { IterationRecord } from '../state.ts';
import { divergence } from './divergence.ts';
import { failureSetRepeat } from './failure-set-repeat.ts';
import { noChanges } from './no-changes.ts';
import { oscillation } from './oscillation.ts';
import { outputSimilarity } from './output-similarity.ts';
import { snapshotRepeat } from './snapshot-repeat.ts';
import { stall } from './stall.ts';
import type { Detector, DetectorView } from './view.ts';

const outputWindow = 3;

/** In the order of deciding. `window` counts iterations, the current included; for oscillation full periods. */
const detectors: readonly { name: DetectorName; code: string; window: number; detect: Detector }[] = [
  { name: 'failure-set-repeat', code: 'loop.failure-set-repeat', window: 3, detect: failureSetRepeat },
  { name: 'stall', code: 'no-progress.stall', window: 3, detect: stall },
  { name: 'snapshot-repeat', code: 'loop.snapshot-repeat', window: 3, detect: snapshotRepeat },
  { name: 'oscillation', code: 'loop.oscillation', window: 2, detect: oscillation },
  { name: 'divergence', code: 'no-progress.divergence', window: 3, detect: divergence },
  {
    name: 'output-similarity',
    code: 'loop.output-similarity',
    window: outputWindow,
    detect: outputSimilarity,
  },
  { name: 'no-changes', code: 'no-progress.no-changes', window: 2, detect: noChanges },
];

/** Every detector that sees its pattern, in the order of deciding. Silent while the newest iteration made progress. */
export function detect(spec: RunSpec, series: readonly IterationRecord[]): Condition[] {
  const newest = series.at(-1);
  if (!newest || newest.progress !== null) return [];
  const seen: Condition[] = [];
  for (const { name, code, window, detect } of detectors) {
    if (!isOn(spec, name)) continue;
    if (name === 'output-similarity' && underMinimum(spec, newest.iteration)) continue;
    const found = detect(viewOf(spec, name, series, window));
    if (found) seen.push({ code, ...found });
  }
  return mostTelling(seen);
}

/** How one detector stands, for whoever looks at a run. */
export interface Watch {
  name: DetectorName;
  code: string;
  /** Iterations that make its pattern; for oscillation full periods. */
  window: number;
  isOn: boolean;
  /** What it sees now. */
  saw: string | null;
  /** How much of its window shows the pattern so far; 0 while there is nothing to see. */
  near: number;
}

/** Every detector with how near it is to seeing its pattern. Progress in the newest iteration silences them all. */
export function watches(spec: RunSpec, series: readonly IterationRecord[]): Watch[] {
  const seen = new Map(detect(spec, series).map((one) => [one.code, one.reason]));
  const isSilent = series.at(-1)?.progress !== null;
  return detectors.map(({ name, code, window: usual, detect: look }) => {
    const view = viewOf(spec, name, series, usual);
    const base = { name, code, window: view.window, isOn: isOn(spec, name), saw: seen.get(code) ?? null };
    if (base.saw !== null) return { ...base, near: view.window };
    let near = 0;
    // One iteration alone always looks like itself.
    for (let window = 2; window < view.window; window++) if (look({ ...view, window })) near = window;
    return { ...base, near: isSilent || !base.isOn ? 0 : near };
  });
}

const isOn = (spec: RunSpec, name: DetectorName): boolean =>
  spec.detectors[name]?.enabled ?? onFor(spec, name, spec.detectors.enabled ?? isWatched(spec));

const viewOf = (
  spec: RunSpec,
  name: DetectorName,
  series: readonly IterationRecord[],
  usual: number,
): DetectorView => ({
  series,
  window: windowOf(spec, name) ?? usual,
  threshold: similarityThreshold(spec),
});

/** Under these strategies somebody else says when to stop: a number, a person, a module. */
export const isWatched = ({ strategy }: RunSpec): boolean =>
  !['fixed', 'manual', 'custom'].includes(strategy.kind);

/** Hybrid's criteria and ralph's own switch say more than the general one. */
function onFor({ strategy }: RunSpec, name: DetectorName, on: boolean): boolean {
  if (strategy.kind === 'ralph' && name === 'output-similarity') return on && strategy.loopDetection;
  if (strategy.kind !== 'hybrid') return on;
  if (name === 'no-changes') return on && strategy.criteria.includes('no-changes');
  return on || strategy.criteria.includes('loop-detection');
}

/** The similarity two outputs need to count as the same (C-02). */
export function similarityThreshold(spec: RunSpec): number {
  const configured = spec.detectors['output-similarity']?.threshold;
  if (typeof configured === 'number') return configured;
  return spec.strategy.kind === 'ralph' ? spec.strategy.similarityThreshold : defaultSimilarity;
}

/** How many outputs, the current included, are compared with each other. */
export function similarityWindow(spec: RunSpec): number {
  return windowOf(spec, 'output-similarity') ?? outputWindow;
}

function windowOf(spec: RunSpec, name: DetectorName): number | undefined {
  const configured = spec.detectors[name]?.window;
  if (configured !== undefined) return configured;
  return name === 'output-similarity' && spec.strategy.kind === 'ralph' ? spec.strategy.window : undefined;
}

/** Similar outputs are a stop of ralph's own, and its minimum holds those back (C-04). */
function underMinimum(spec: RunSpec, iteration: number): boolean {
  return spec.strategy.kind === 'ralph' && iteration < spec.strategy.min;
}

/** A cycle explains wandering, so where both are seen the cycle is told first. */
function mostTelling(seen: Condition[]): Condition[] {
  const cycle = seen.find((one) => one.code === 'loop.oscillation');
  if (!cycle) return seen;
  return [cycle, ...seen.filter((one) => one !== cycle)];
}
