import type { StrategySpec } from '../spec.ts';
import { agentFails, capReached, giveUp, goOn, type Strategy } from './strategy.ts';

/**
 * Geoffrey Huntley's Ralph Wiggum technique: the same prompt again until the work is done.
 * Similar outputs are watched by the detector of that name, with ralph's window and threshold.
 */
export function ralph(config: Extract<StrategySpec, { kind: 'ralph' }>): Strategy {
  return {
    name: 'ralph',
    type: 'ralph',
    displayName: 'RalphLoopStrategy',
    decide: (context) => {
      const { iteration, current, granted } = context;
      const capped = capReached(config, context);
      if (capped) return capped;
      if (iteration < config.min)
        return goOn('minimum', `iteration ${iteration} of at least ${config.min}`, 1);
      if (current.claimed && current.judged && config.onFalseClaim === 'stop') {
        return giveUp('agent.false-claim', 'the agent said it was done and the gates refute it', 0.95);
      }
      const fails = agentFails(context);
      if (fails) return fails;
      return goOn('ralph', `iteration ${iteration} of at most ${config.max + granted}`, 0.6);
    },
  };
}
