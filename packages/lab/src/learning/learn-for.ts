import { FaultError, fault, type StoredModel, type StrategySpec } from '@agentgate/core';
import { learn } from '../policy/learn.ts';
import type { Trace } from '../traces/trace.ts';

type Aim = Pick<Extract<StrategySpec, { kind: 'adaptive' }>, 'mode' | 'target' | 'value' | 'explore'>;

/** More decisions than these are not learned from: the newest tell the most, and learning stays quick. */
const mostDecisions = 50_000;

/** Learns from the runs of one project, the newest first, what `adaptive` is to know with these options. */
export function learnFor(traces: readonly Trace[], aim: Aim): StoredModel {
  const some = newest(traces);
  const options = { target: aim.target, explore: aim.explore };
  if (aim.mode === 'retention') return learn(some, options);
  return learn(some, { ...options, value: { solveUsd: aim.value ?? 0, iterationUsd: costOf(some) } });
}

function newest(traces: readonly Trace[]): readonly Trace[] {
  let decisions = 0;
  const end = traces.findIndex(({ iterations }) => {
    decisions += iterations.length;
    return decisions > mostDecisions;
  });
  return end === -1 ? traces : traces.slice(0, Math.max(1, end));
}

/** What an iteration costs on average, where agents tell. */
function costOf(traces: readonly Trace[]): number {
  const costs = traces.flatMap(({ iterations }) => iterations.map((one) => one.costUsd ?? 0));
  const known = costs.filter((cost) => cost > 0);
  if (known.length === 0) {
    const why =
      'no agent here told what it cost, so a solve cannot be weighed against it; use the mode retention';
    throw new FaultError(fault('usage', why));
  }
  return known.reduce((a, b) => a + b, 0) / known.length;
}
