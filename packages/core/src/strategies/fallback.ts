import type { StrategySpec } from '../spec.ts';
import { hybrid } from './hybrid.ts';
import { type Advice, capReached, type StrategyContext } from './strategy.ts';

/** Hybrid as it is without any option. */
export const plainHybrid = (base = 3): Extract<StrategySpec, { kind: 'hybrid' }> => ({
  kind: 'hybrid',
  base,
  bonus: 'progress',
  progressThreshold: 0.1,
  progressMode: 'delta',
  criteria: ['verification-pass', 'no-changes'],
});

/** Hybrid decides in the place of another strategy, and every reason says so and why. */
export function fallback(
  context: StrategyContext,
  strategy: string,
  why: string,
  spec: StrategySpec,
  base?: number,
): Advice {
  const capped = capReached(spec, context);
  if (capped) return capped;
  const advice = hybrid(plainHybrid(base)).decide(context);
  return {
    ...advice,
    reason: `${advice.reason} (hybrid decides for ${strategy}: ${why})`,
    evidence: { ...advice.evidence, fallback: 'hybrid', instead: strategy },
  };
}
