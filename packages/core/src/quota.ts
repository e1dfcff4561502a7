import { end, plain } from './conclude.ts';
import { assess } from './assess.ts';
import type { Decision } from './decision.ts';
import { showDuration } from './quantity.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './state.ts';

/** Clocks differ a little; who comes a moment too early meets the wall. */
const marginMs = 5_000;

/**
 * Where a usage window of the agent's account is as full as the run may make it, the next iteration waits for it to
 * open again, and calls nobody meanwhile. Null where nothing is in the way.
 */
export function waitForQuota(state: RunState, spec: RunSpec): Decision | null {
  const { quota, maxWait } = spec.limits;
  if (quota === undefined || state.stop) return null;
  const nowMs = Date.parse(state.lastAt);
  const full = state.windows
    .filter(({ used, resetsAtMs }) => used >= quota && resetsAtMs > nowMs)
    .toSorted((a, b) => b.resetsAtMs - a.resetsAtMs)[0];
  if (!full) return null;
  const forMs = full.resetsAtMs - nowMs + marginMs;
  const opens = new Date(full.resetsAtMs).toISOString();
  const what = `${Math.round(full.used * 100)} % of the ${full.name} usage window are used, and the limit is ${Math.round(quota * 100)} %`;
  const evidence = { window: full.name, used: full.used, quota, opens };
  // A person sits before a session that is held; it is not kept waiting for hours.
  if (state.held || forMs > maxWait - state.waitedMs) {
    const reason = `${what}; it opens at ${opens}, and agentgate resume ${state.runId} goes on then`;
    const now = state.current && state.current.iteration > 0 ? assess(state, state.current) : null;
    return end(state, now, 'suspended', { code: 'suspended.quota', reason, confidence: 1, evidence });
  }
  return {
    kind: 'wait',
    forMs,
    because: plain('quota', `${what}; waiting ${showDuration(forMs)} until it opens`, evidence),
  };
}
