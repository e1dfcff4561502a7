import type { Assessment } from './assess.ts';
import { end, endStopped, plain } from './conclude.ts';
import { heldConditions, isBlocked } from './conditions.ts';
import type { Decision, Evidence } from './decision.ts';
import type { NamedGate, RunSpec } from './spec.ts';
import type { Away, RunState } from './state.ts';

/** A gate that asks to be asked again at once is asked again after this. */
const shortestWaitMs = 1_000;
const longestPauseMs = 60_000;
/** An agent that does not say when it is back is tried again after this, and after twice as long each time. */
const awayMs = { first: 30_000, longest: 30 * 60_000 };
const hopefulTimes = 3;
/** A fault around the agent passes soon or not by itself. */
const faultMs = 3_600_000;

/** A gate that is not ready is waited for when nothing else stands in the way; waiting costs no iteration. */
export function waitForPending(state: RunState, spec: RunSpec, now: Assessment): Decision | null {
  if (now.pending.length === 0 || isBlocked(now)) return null;
  const gates = now.pending.map((one) => one.gate);
  const left = spec.limits.maxWait - state.waitedMs;
  if (state.activeMs >= spec.limits.wallClock || (left <= 0 && now.hardGreen)) return null;
  const code = awaiting(spec, gates);
  if (left <= 0) {
    return end(state, now, 'suspended', {
      code,
      reason: `${gates.join(', ')} is still pending after the longest wait allowed`,
      confidence: 1,
      evidence: { gates, waitedMs: state.waitedMs, maxWaitMs: spec.limits.maxWait },
    });
  }
  if (code !== 'awaiting-gate' && !now.current.toldWaiting) {
    const because = plain('notify', `a person is asked about ${gates.join(', ')}`, { gates });
    return { kind: 'notify', iteration: now.current.iteration, about: 'waiting', gates, because };
  }
  if (code !== 'awaiting-gate' && state.held)
    return leaveToPerson(state, now, code, `${gates.join(', ')} waits for a person`, { gates });
  const asked = Math.max(shortestWaitMs, Math.min(...now.pending.map((one) => one.retryAfterMs)));
  const forMs = Math.min(left, asked);
  return { kind: 'wait', forMs, because: plain('wait', `waiting for ${gates.join(', ')}`, { gates }) };
}

/** Who sits before a session that is held is not kept waiting for themselves: its next prompt goes on. */
const leaveToPerson = (
  state: RunState,
  now: Assessment,
  code: string,
  reason: string,
  evidence: Evidence,
): Decision => end(state, now, 'suspended', { code, reason, confidence: 1, evidence });

/** Whom a pending gate waits for: a person where one must answer, the world otherwise. */
function awaiting(spec: RunSpec, gates: readonly string[]): string {
  const kinds: string[] = spec.gates.filter((one) => gates.includes(one.name)).map((one) => one.kind);
  if (kinds.includes('approval') || kinds.includes('judge')) return 'awaiting-approval';
  return kinds.includes('checklist') ? 'awaiting-confirmation' : 'awaiting-gate';
}

/** Kinds that may wait for the answer of a person. */
export const asksPersons = ({ kind }: NamedGate): boolean =>
  kind === 'approval' || kind === 'judge' || kind === 'checklist';

/** Waits for an agent that is not available. No iteration is used; after the longest wait the run is suspended. */
export function waitForAgent(state: RunState, spec: RunSpec, away: Away): Decision {
  if (state.stop) return endStopped(state, null);
  const limit = heldConditions(state, null, null).find((one) => one.step === 'limit');
  if (limit) return end(state, null, 'diverged', limit.condition, [], 'timeout');
  // What only a person can put right is not waited for.
  if (away.why === 'configuration')
    return end(state, null, 'error', {
      code: 'agent.configuration',
      reason: away.detail,
      confidence: 1,
      evidence: { why: away.why },
    });
  const evidence = { why: away.why, times: away.times, waitedMs: Math.round(state.waitedMs) };
  if (away.waited) {
    return {
      kind: 'start-iteration',
      iteration: state.iteration + 1,
      because: plain('again', `the agent was not available (${away.detail}); it is tried again`, evidence),
    };
  }
  const isAround = away.why === 'environment' || away.why === 'network';
  const longest = isAround ? Math.min(faultMs, spec.limits.maxWait) : spec.limits.maxWait;
  const left = longest - state.waitedMs;
  if (left <= 0) {
    return end(state, null, 'suspended', {
      code: 'suspended.agent-unavailable',
      reason: `the agent is not available (${away.detail}), and the longest wait is over`,
      confidence: 1,
      evidence: { ...evidence, maxWaitMs: longest },
    });
  }
  const usual = Math.min(awayMs.longest, awayMs.first * 2 ** Math.min(away.times - 1, 10));
  // An agent that is wrong about its own return again and again is asked less and less often.
  const asked =
    away.times > hopefulTimes ? Math.max(usual, away.retryAfterMs ?? 0) : (away.retryAfterMs ?? usual);
  const forMs = Math.min(left, Math.max(shortestWaitMs, asked));
  const reason = `the agent is not available (${away.detail}); no iteration is used`;
  return { kind: 'wait', forMs, because: plain('away', reason, evidence) };
}

/** The pause before the next iteration: after a failed build, or because a failing gate asks for one. */
export function pauseBefore(state: RunState, now: Assessment): Decision | null {
  if (now.current.paused) return null;
  const failed = now.current.build?.kind === 'failed' ? pauseMs(state) : 0;
  const backOff = Math.max(0, ...now.standings.map((one) => backOffMs(state, one)));
  if (failed === 0 && backOff === 0) return null;
  if (failed >= backOff) {
    return {
      kind: 'wait',
      forMs: failed,
      because: plain('pause', 'the agent failed; a pause before it is tried again'),
    };
  }
  return { kind: 'wait', forMs: backOff, because: plain('back-off', 'a failing gate asks for a pause') };
}

/** An agent that failed may meet the same trouble at once again, so each failure in a row doubles a short pause. */
function pauseMs(state: RunState): number {
  const before = state.history.length - 1 - state.history.findLastIndex((one) => one.build !== 'failed');
  return Math.min(longestPauseMs, shortestWaitMs * 2 ** Math.min(before, 10));
}

function backOffMs(state: RunState, { gate, passed, verdict }: Assessment['standings'][number]): number {
  if (passed || !gate.backoff || (verdict.kind !== 'failed' && verdict.kind !== 'timed-out')) return 0;
  const { initial, max, multiplier } = gate.backoff;
  return Math.min(max, initial * multiplier ** Math.min(state.attempts.get(gate.name) ?? 0, 40));
}

/** Asks a person what to do after this iteration; without an answer in time the default counts. */
export function askPerson(
  state: RunState,
  spec: RunSpec,
  now: Assessment,
  fallback: 'continue' | 'stop' | 'accept',
  timeout: number | undefined,
): Decision {
  const { iteration, toldWaiting } = now.current;
  const failing = now.standings.filter((one) => !one.passed && !one.spared).map((one) => one.gate.name);
  const said = failing.length === 0 ? 'nothing was judged' : `${failing.join(', ')} still fail`;
  const because = plain('ask', `a person decides after iteration ${iteration}: ${said}`, { failing });
  if (!toldWaiting) return { kind: 'notify', iteration, about: 'waiting', gates: failing, because };
  if (state.held) return leaveToPerson(state, now, 'awaiting-answer', because.reason, { failing });
  const left = Math.max(0, spec.limits.maxWait - state.waitedMs);
  return { kind: 'ask', iteration, forMs: Math.min(timeout ?? left, left), default: fallback, because };
}
