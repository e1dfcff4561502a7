import type { Hazard } from './model.ts';
import type { Situation } from './observation.ts';

/** What of a situation stands beside its features. */
export interface Standpoint {
  agent: string;
  suite: string;
  /** The gate that failed last. */
  gate: string;
  /** So many iterations have failed. */
  iteration: number;
}

/** A situation as the hazard sees it: what stays the same for every iteration ahead is added up once. */
export interface Eye {
  /** Log odds by iteration, of the nearest group that is known. */
  rates: readonly number[];
  iteration: number;
  level: number;
  slope: number;
}

export function eyeOf(hazard: Hazard, from: Standpoint, features: Float64Array): Eye {
  const gate = own(hazard.gates, from.gate) ?? 0;
  let level = hazard.intercept + hazard.gateWeight * gate;
  let slope = hazard.aheadIntercept + hazard.gateAhead * gate;
  for (let at = 0; at < features.length; at++) {
    const value = (features[at]! - hazard.means[at]!) / hazard.scales[at]!;
    level += hazard.weights[at]! * value;
    slope += hazard.ahead[at]! * value;
  }
  const group = own(hazard.groups, groupKey(from)) ?? own(hazard.groups, from.agent);
  return { rates: group?.byIteration ?? hazard.base, iteration: from.iteration, level, slope };
}

/** The chance that the iteration so far ahead passes, given that none before it does. The next one is 1 ahead. */
export function chanceAhead({ rates, iteration, level, slope }: Eye, ahead: number): number {
  const rate = rates[Math.min(iteration + ahead - 2, rates.length - 1)]!;
  return 1 / (1 + Math.exp(-(rate + level + slope * Math.log(ahead))));
}

/** Runs of one agent on one suite. */
export const groupKey = ({ agent, suite }: Pick<Situation, 'agent' | 'suite'>): string => `${agent}|${suite}`;

/** What others did says little about an agent of which too little was recorded; such ones have no rates of their own. */
export const isKnown = (hazard: Hazard, agent: string): boolean => own(hazard.groups, agent) !== undefined;

/** Names come from outside, and one of them may be that of something every object has. */
const own = <T>(record: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(record, name) ? record[name] : undefined;
