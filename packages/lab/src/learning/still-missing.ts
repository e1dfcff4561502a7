import { enoughSolvedLater } from '@agentgate/core';
import type { Trace } from '../traces/trace.ts';

/** So many more runs have to be solved after their first iteration before anything is learned in any project here. */
export function stillMissing(traces: readonly Trace[]): number {
  const later = new Map<string, number>();
  for (const { source, mode, solved, iterations } of traces) {
    const key = `${mode} ${source}`;
    later.set(key, (later.get(key) ?? 0) + (solved && iterations.length > 1 ? 1 : 0));
  }
  return Math.max(0, enoughSolvedLater - Math.max(0, ...later.values()));
}
