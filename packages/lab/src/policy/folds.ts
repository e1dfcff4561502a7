import { type Trace, taskKey } from '../traces/trace.ts';
import { hash64 } from '@agentgate/core';

/**
 * Deals keys out into folds of nearly the same number of keys, the same way every time, whatever their order. Keys of
 * one source are dealt one after another, so that another source beside it moves none of them to another fold.
 */
export function dealFolds(keys: readonly string[], folds: number): Map<string, number> {
  const sourceOf = (key: string) => key.slice(0, key.indexOf('/'));
  const drawn = [...new Set(keys)].map((key) => ({ key, at: `${sourceOf(key)} ${hash64(key)} ${key}` }));
  drawn.sort((a, b) => (a.at < b.at ? -1 : 1));
  return new Map(drawn.map(({ key }, index) => [key, index % folds]));
}

/** For each trace its fold; all runs of a task, or of its group, are in one. */
export function foldsByTask(traces: readonly Trace[], folds: number): Int32Array {
  const fold = dealFolds(traces.map(taskKey), folds);
  return Int32Array.from(traces, (trace) => fold.get(taskKey(trace))!);
}
