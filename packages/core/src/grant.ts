import type { Added } from './event.ts';
import type { RunSpec } from './spec.ts';

/** The spec with its limits raised by what a person granted. What was used stays used. */
export function withGrant(spec: RunSpec, added: Added): RunSpec {
  const { iterations, wallClock, tokens, cost } = spec.limits;
  return {
    ...spec,
    limits: {
      ...spec.limits,
      iterations: iterations + (added.iterations ?? 0),
      wallClock: wallClock + (added.wallClockMs ?? 0),
      ...(tokens === undefined ? {} : { tokens: tokens + (added.tokens ?? 0) }),
      ...(cost === undefined ? {} : { cost: cost + (added.costUsd ?? 0) }),
    },
  };
}
