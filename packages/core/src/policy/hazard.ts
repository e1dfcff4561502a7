import type { Hazard } from './model.ts';
import type { Situation } from './observation.ts';

/** A situation as the hazard sees it: what stays the same for every iteration ahead is added up once. */
export interface Eye {
  /** Log odds by iteration, of the nearest group that is known. */
  rates: readonly number[];
  iteration: number;
  level: number;
  slope: number;
}

export function eyeOf(hazard: Hazard, situation: Situation, features: Float64Array): Eye {
  let level =
    hazard.intercept + hazard.gateWeight * (hazard.gates[situation.iterations.at(-1)?.gate ?? ''] ?? 0);
  let slope = hazard.aheadIntercept;
  for (let at = 0; at < features.length; at++) {
    const value = (features[at]! - hazard.means[at]!) / hazard.scales[at]!;
    level += hazard.weights[at]! * value;
    slope += hazard.ahead[at]! * value;
  }
  const group = hazard.groups[groupKey(situation)] ?? hazard.groups[situation.agent];
  return { rates: group?.byIteration ?? hazard.base, iteration: situation.iterations.length, level, slope };
}

/** The chance that the iteration so far ahead passes, given that none before it does. The next one is 1 ahead. */
export function chanceAhead({ rates, iteration, level, slope }: Eye, ahead: number): number {
  const rate = rates[Math.min(iteration + ahead - 2, rates.length - 1)]!;
  return 1 / (1 + Math.exp(-(rate + level + slope * Math.log(ahead))));
}

/** Runs of one agent on one suite. */
export const groupKey = ({ agent, suite }: Pick<Situation, 'agent' | 'suite'>): string => `${agent}|${suite}`;
