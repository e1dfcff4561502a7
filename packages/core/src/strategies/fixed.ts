import type { StrategySpec } from '../spec.ts';
import { capReached, goOn, type Strategy } from './strategy.ts';

/** Exactly N iterations unless the goal is met earlier. */
export function fixed(config: Extract<StrategySpec, { kind: 'fixed' }>): Strategy {
  return {
    name: 'fixed',
    type: 'fixed',
    displayName: 'FixedIterationStrategy',
    decide: (context) =>
      capReached(config, context) ??
      goOn('fixed', `iteration ${context.iteration} of ${config.iterations + context.granted}`, 1),
  };
}
