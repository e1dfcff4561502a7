import { adaptive } from './adaptive.ts';
import { fixed } from './fixed.ts';
import { hybrid } from './hybrid.ts';
import { custom, manual } from './outside.ts';
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
  registry.register('manual', manual, {
    description:
      'a person decides after each failed iteration: continue, stop, redirect, accept; for high stakes',
  });
  registry.register('adaptive', adaptive, {
    description:
      'learns from the earlier runs of the project when another iteration is not worth it; hybrid decides until it can',
  });
  registry.register('custom', custom, {
    description: 'a module of your own, run in a process of its own; for what nothing else fits',
  });
  return registry;
}

/** The default instance. */
export const strategies: StrategyRegistry = builtInStrategies();
