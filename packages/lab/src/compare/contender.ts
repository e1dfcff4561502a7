import type { StrategySpec } from '@agentgate/core';
import { modelsApart } from '../learning/models-apart.ts';
import type { Contender, PastRun } from './compare.ts';

/** A strategy that is to be compared on these runs. Adaptive knows of each what was learned from other tasks alone. */
export function contenderOf(
  { name, strategy }: { name: string; strategy: StrategySpec },
  runs: readonly PastRun[],
): Contender {
  if (strategy.kind !== 'adaptive') return { name, strategy };
  const models = modelsApart(
    runs.map(({ trace }) => trace),
    strategy,
  );
  return { name, strategy, modelFor: ({ trace }) => models.get(trace) ?? null };
}
