import type { StrategySpec } from '../spec.ts';
import { giveUp, goOn, type Strategy } from './strategy.ts';

/** Exactly N iterations unless the goal is met earlier. */
export function fixed({ iterations }: Extract<StrategySpec, { kind: 'fixed' }>): Strategy {
  return {
    name: 'fixed',
    type: 'fixed',
    displayName: 'FixedIterationStrategy',
    decide: ({ sinceStart }) =>
      sinceStart >= iterations
        ? giveUp('limit.iterations', `all ${iterations} fixed iterations are used`, 1, 'timeout', {
            limit: iterations,
            bound: 'strategy.iterations',
          })
        : goOn('fixed', `iteration ${sinceStart} of ${iterations}`, 1),
  };
}
