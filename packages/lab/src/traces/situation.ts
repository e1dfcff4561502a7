import type { Situation } from '@agentgate/core';
import type { Trace } from './trace.ts';

/** A trace as a policy saw it after its first iterations. */
export const situationAfter = (trace: Trace, iterations: number): Situation => ({
  agent: trace.model,
  suite: trace.suite,
  mode: trace.mode,
  horizon: trace.horizon,
  iterations: trace.iterations.slice(0, iterations),
});
