import type { StrategySpec } from './spec.ts';
import type { RunState } from './state.ts';

/** The number of iterations that binds, and who set it: the smallest of all caps (C-28). */
export function effectiveLimit(state: Pick<RunState, 'spec' | 'granted'>): { limit: number; bound: string } {
  const limits = { limit: state.spec?.limits.iterations ?? 0, bound: 'limits.iterations' };
  const own = state.spec ? strategyCap(state.spec.strategy) : null;
  if (!own || own.limit + state.granted >= limits.limit) return limits;
  return { limit: own.limit + state.granted, bound: own.bound };
}

/** The cap that a strategy brings along; null when it has none of its own. */
export function strategyCap(strategy: StrategySpec): { limit: number; bound: string } | null {
  switch (strategy.kind) {
    case 'fixed':
      return { limit: strategy.iterations, bound: 'strategy.iterations' };
    case 'manual':
    case 'adaptive':
      return null;
    case 'custom':
    case 'ralph':
      return { limit: strategy.max, bound: 'strategy.max' };
    case 'hybrid':
      return strategy.bonus === 'progress'
        ? null
        : { limit: strategy.base + strategy.bonus, bound: 'strategy.base + strategy.bonus' };
  }
}
