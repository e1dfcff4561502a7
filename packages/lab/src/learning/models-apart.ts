import type { StoredModel } from '@agentgate/core';
import { foldsByTask } from '../policy/folds.ts';
import { type Trace, taskKey } from '../traces/trace.ts';
import { learnFor } from './learn-for.ts';

const folds = 5;

/** What would be known for one run: learned from the other tasks of its project alone. */
export function modelWithout(
  traces: readonly Trace[],
  judged: Trace,
  aim: Parameters<typeof learnFor>[1],
): StoredModel {
  const task = taskKey(judged);
  const others = traces.filter((one) => one.source === judged.source && taskKey(one) !== task);
  return learnFor(others, aim);
}

/**
 * For each run what would have been learned from the other tasks of its project: whoever is judged on what it learned
 * from looks better than it is.
 */
export function modelsApart(
  traces: readonly Trace[],
  aim: Parameters<typeof learnFor>[1],
): Map<Trace, StoredModel> {
  const models = new Map<Trace, StoredModel>();
  for (const source of new Set(traces.map((one) => one.source))) {
    const own = traces.filter((one) => one.source === source);
    const fold = foldsByTask(own, folds);
    for (let left = 0; left < folds; left++) {
      const judged = own.filter((_, at) => fold[at] === left);
      if (judged.length === 0) continue;
      const model = learnFor(
        own.filter((_, at) => fold[at] !== left),
        aim,
      );
      for (const trace of judged) models.set(trace, model);
    }
  }
  return models;
}
