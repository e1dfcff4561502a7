import {
  blankModel,
  FaultError,
  fault,
  type StoredModel,
  type StrategySpec,
  unpriced,
} from '@agentgate/core';
import { learn, seenIn } from '../policy/learn.ts';
import type { Trace } from '../traces/trace.ts';

type Aim = Pick<Extract<StrategySpec, { kind: 'adaptive' }>, 'mode' | 'target' | 'value' | 'explore'>;

/** More decisions than these are not learned from: the newest tell the most, and learning stays quick. */
const mostDecisions = 50_000;

/** Learns from the runs of one project, the newest first, what `adaptive` is to know with these options. */
export function learnFor(traces: readonly Trace[], aim: Aim): StoredModel {
  const some = newest(traces);
  const options = { target: aim.target, explore: aim.explore };
  if (aim.mode === 'retention') return learn(some, options);
  const iterationUsd = costOf(some);
  if (iterationUsd !== null)
    return learn(some, { ...options, value: { solveUsd: aim.value ?? 0, iterationUsd } });
  if (some.length === 0) return { ...blankModel(aim.target, aim.explore), mode: 'value' };
  throw new FaultError(fault('usage', unpriced));
}

/** The same for the runs to come: where there are no costs to weigh, the model itself says so, and hybrid decides. */
export function learnForRuns(traces: readonly Trace[], aim: Aim): StoredModel {
  const some = newest(traces);
  if (aim.mode === 'retention' || some.length === 0 || costOf(some) !== null) return learnFor(some, aim);
  const { v, ...blank } = blankModel(aim.target, aim.explore);
  return { v, note: unpriced, ...blank, mode: 'value', seen: seenIn(some) };
}

function newest(traces: readonly Trace[]): readonly Trace[] {
  let decisions = 0;
  const end = traces.findIndex(({ iterations }) => {
    decisions += iterations.length;
    return decisions > mostDecisions;
  });
  return end === -1 ? traces : traces.slice(0, Math.max(1, end));
}

/** What an iteration costs on average, where agents tell; null where none does. */
function costOf(traces: readonly Trace[]): number | null {
  const costs = traces.flatMap(({ iterations }) => iterations.map((one) => one.costUsd ?? 0));
  const known = costs.filter((cost) => cost > 0);
  if (known.length === 0) return null;
  return known.reduce((a, b) => a + b, 0) / known.length;
}
