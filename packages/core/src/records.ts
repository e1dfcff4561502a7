import type { IterationRecord, Progress } from './state.ts';

/** The records after an iteration; they are in order, so the first one is looked for from the end. */
export function since(records: readonly IterationRecord[], iteration: number): readonly IterationRecord[] {
  if (iteration === 0) return records;
  return records.slice(records.findLastIndex((one) => one.iteration <= iteration) + 1);
}

/** A build that we cut short ourselves, before it changed anything, says nothing about the agent. */
export const isEvidence = (record: IterationRecord): boolean => record.build === 'finished' || record.moved;

/** Whether any gate was looked at; an iteration in which all were spared shows nothing. */
export const isLooked = ({ judged, gates }: IterationRecord): boolean =>
  !judged || Object.keys(gates).length > 0;

/** Progress that was measured; a moving tree behind a gate without degrees only stands in for it. */
export const realProgress = (progress: Progress | null): boolean =>
  progress !== null && progress !== 'stand-in';
