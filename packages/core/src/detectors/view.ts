import type { Condition } from '../decision.ts';
import type { IterationRecord } from '../state.ts';

/** What a detector may look at: judged iterations, the newest last, none from before a person went on. */
export interface DetectorView {
  /** Judged iterations with a finished build, the current one last. */
  series: readonly IterationRecord[];
  window: number;
  threshold: number;
}

/** Names a way in which a run gets nowhere. Null while there is nothing to see. */
export type Detector = (view: DetectorView) => Omit<Condition, 'code'> | null;

/** The last `n` records, or null when there are not yet so many. */
export function last(series: readonly IterationRecord[], n: number): readonly IterationRecord[] | null {
  return series.length < n ? null : series.slice(-n);
}

export const allEqual = <T>(values: readonly T[]): boolean => values.every((value) => value === values[0]);

export const span = (records: readonly IterationRecord[]): string =>
  `iterations ${records[0]?.iteration} to ${records.at(-1)?.iteration}`;

export const numbers = (records: readonly IterationRecord[]): number[] => records.map((one) => one.iteration);
