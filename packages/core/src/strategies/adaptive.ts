import type { StrategySpec } from '../spec.ts';
import { fallback } from './fallback.ts';
import type { Strategy } from './strategy.ts';

/** Learns from earlier runs when it has any data; it has none yet, so hybrid decides, and every reason says so. */
export function adaptive(config: Extract<StrategySpec, { kind: 'adaptive' }>): Strategy {
  return {
    name: 'adaptive',
    type: 'adaptive',
    displayName: 'AdaptiveStrategy',
    decide: (context) =>
      fallback(context, 'adaptive', 'it has no data to learn from yet', config, config.base),
  };
}
