import { fixed } from './fixed.ts';
import { hybrid } from './hybrid.ts';
import { ralph } from './ralph.ts';
import { makeRegistry, type StrategyRegistry } from './registry.ts';

/** A registry that knows the built-in strategies. */
export function builtInStrategies(): StrategyRegistry {
  const registry = makeRegistry();
  registry.register('fixed', fixed, {
    description: 'exactly N iterations (3), earlier when the gates are met; for a predictable time',
  });
  registry.register('hybrid', hybrid, {
    description: 'a base of 3, then on as long as there is progress; the default, a balance for most work',
  });
  registry.register('ralph', ralph, {
    description: 'the same prompt until the gates are met, at most 10 times; for long open-ended work',
  });
  return registry;
}

/** The default instance. */
export const strategies: StrategyRegistry = builtInStrategies();
