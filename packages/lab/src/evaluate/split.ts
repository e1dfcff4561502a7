import { FaultError, fault } from '@agentgate/core';
import { dealFolds } from '../policy/folds.ts';
import { type Trace, taskKey } from '../traces/trace.ts';

/** What is learned from and what is judged; no task, and no group of tasks, is in both. */
export interface Split {
  train: Trace[];
  test: Trace[];
}

export type SplitBy = 'task' | 'source' | 'model';

/** Folds over one pile of traces, each of them judged once. */
export function splitFolds(traces: readonly Trace[], folds: number, by: SplitBy): Split[] {
  if (by === 'source') return leaveOut(traces, ({ source }) => source);
  const fold = dealFolds(traces.map(taskKey), folds);
  const filled = new Set(fold.values()).size;
  if (filled < folds)
    throw new FaultError(
      fault(
        'usage',
        `${folds} folds need as many tasks; there ${filled === 1 ? 'is' : 'are'} only ${filled}`,
      ),
    );
  const byTask = Array.from({ length: folds }, (_, at) => {
    const isTest = (trace: Trace) => fold.get(taskKey(trace)) === at;
    return splitApart(
      traces.filter((one) => !isTest(one)),
      traces.filter(isTest),
    ).split;
  });
  return by === 'task' ? byTask : byTask.flatMap(leaveAgentsOut);
}

/** Each agent in turn is new: what is learned comes from other agents at other tasks. */
function leaveAgentsOut({ train, test }: Split): Split[] {
  const agentOf = ({ source, model }: Trace) => `${source}/${model}`;
  return [...new Set(test.map(agentOf))].sort().map((agent) => ({
    train: train.filter((one) => agentOf(one) !== agent),
    test: test.filter((one) => agentOf(one) === agent),
  }));
}

/** Each kind in turn is judged by what was learned from all others. */
function leaveOut(traces: readonly Trace[], kindOf: (trace: Trace) => string): Split[] {
  const kinds = [...new Set(traces.map(kindOf))].sort();
  if (kinds.length < 2)
    throw new FaultError(
      fault('usage', `leaving one out needs two at least; there is only ${kinds[0] ?? 'none'}`),
    );
  return kinds.map((kind) => {
    const isTest = (trace: Trace) => kindOf(trace) === kind;
    return splitApart(
      traces.filter((one) => !isTest(one)),
      traces.filter(isTest),
    ).split;
  });
}

/** Takes out of the learning whatever task is judged, and tells how many runs that were. */
export function splitApart(
  train: readonly Trace[],
  test: readonly Trace[],
): { split: Split; dropped: number } {
  const judged = new Set(test.flatMap(keysOf));
  const kept = train.filter((one) => !keysOf(one).some((key) => judged.has(key)));
  return { split: { train: kept, test: [...test] }, dropped: train.length - kept.length };
}

const keysOf = (trace: Trace): string[] => [
  `${trace.source}/task/${trace.task}`,
  ...(trace.taskGroup ? [`${trace.source}/group/${trace.taskGroup}`] : []),
];
