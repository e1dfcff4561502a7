import { type Assessment, assess, recordOf } from './assess.ts';
import { caveatsOf } from './caveats.ts';
import { type Held, heldConditions, since } from './conditions.ts';
import type { Because, Condition, Decision, Evidence } from './decision.ts';
import { invariant } from './fault.ts';
import type { Status } from './outcome.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './state.ts';
import { strategies } from './strategies/index.ts';
import type { Advice } from './strategies/strategy.ts';
import type { StrategyRegistry } from './strategies/registry.ts';

/** A tree that still moves after so many judgements cannot be judged. */
const judgementsPerTree = 5;

/** A gate that asks to be asked again at once is asked again after this. */
const shortestWaitMs = 1_000;
const longestPauseMs = 60_000;

/** Says what to do next, and why. A pure function of the history: replay gives the same decisions. */
export function decide(state: RunState, registry: StrategyRegistry = strategies): Decision {
  const { spec, current } = state;
  invariant(spec, 'a run starts with its spec');
  invariant(!state.ended, 'an ended run has nothing left to decide');
  if (state.open) return state.open;
  if (state.fault) return endOnFault(state, state.fault);
  if (!isMeasured(state, spec)) {
    return state.stop
      ? endStopped(state, null)
      : {
          kind: 'measure-baseline',
          because: plain('baseline', 'the gates are judged before any token is spent'),
        };
  }
  if (!current || current.iteration === 0) return begin(state);
  return afterBuild(state, spec, assess(state, current), registry);
}

/** Whether every gate has its baseline. */
export function isMeasured(state: RunState, spec: RunSpec): boolean {
  return state.baseTree !== null && spec.gates.every((gate) => state.baseline.has(gate.name));
}

/** The first iteration of a run, or the next one of a run that a person goes on with. */
function begin(state: RunState): Decision {
  if (state.stop) return endStopped(state, null);
  const unable = [...state.baseline].flatMap(([gate, verdict]) =>
    verdict.kind === 'unable' ? [{ gate, verdict }] : [],
  );
  const first = unable[0];
  if (first) {
    const names = unable.map((one) => one.gate).join(', ');
    return end(state, null, 'error', {
      code: 'error.gate',
      reason: `gate ${first.gate} could not run: ${first.verdict.fault.message}`,
      confidence: 1,
      evidence: { gates: names, fault: first.verdict.fault.code },
    });
  }
  const limit = heldConditions(state, null, null).find((one) => one.step === 'limit');
  if (limit) return end(state, null, 'diverged', limit.condition, [], 'timeout');
  const next = state.iteration + 1;
  return {
    kind: 'start-iteration',
    iteration: next,
    because: plain(
      next === 1 ? 'begin' : 'resume',
      next === 1 ? 'the baseline is measured' : 'the run goes on',
    ),
  };
}

function afterBuild(state: RunState, spec: RunSpec, now: Assessment, registry: StrategyRegistry): Decision {
  const { current } = now;
  invariant(
    current.build && current.tree !== null,
    'an iteration is decided on after its build and snapshot',
  );
  const worked = current.build.kind === 'finished' || current.build.kind === 'interrupted';
  if (worked && !now.judged && !state.stop) return judgeRest(state, spec, now, 'judge', 'the build is done');
  if (failsAsARule(state, now) && !state.stop) {
    return judgeRest(
      state,
      spec,
      now,
      'judge.failing-agent',
      'the agent fails every time; what it leaves is judged',
    );
  }
  const wait = worked && !state.stop ? waitForPending(state, spec, now) : null;
  if (wait) return wait;

  const advice = now.allGreen ? null : adviceFor(state, now, registry);
  const held = heldConditions(state, now, advice);
  const primary = held[0];
  const also = held.slice(1).map((one) => one.condition);
  const pause = primary ? null : pauseAfterFailure(state, now);
  if (pause) return pause;
  if (!primary) {
    invariant(advice?.continue, 'a run goes on only when its strategy says so');
    return {
      kind: 'start-iteration',
      iteration: state.iteration + 1,
      because: { ...conditionOf(advice), action: advice.action, also },
    };
  }
  if (mayStillBeDone(state, now, primary)) {
    return judgeRest(
      state,
      spec,
      now,
      'judge.last',
      'the run is about to end and this tree was never judged',
    );
  }
  return conclude(state, spec, now, primary, also);
}

/** Turns the first condition that holds into the end of the run. */
function conclude(
  state: RunState,
  spec: RunSpec,
  now: Assessment,
  primary: Held,
  also: Condition[],
): Decision {
  const guarded = primary.step === 'guard' || primary.step === 'limit' || primary.step === 'strategy';
  const softOnly = guarded && now.hardGreen && spec.gates.some((gate) => gate.severity === 'hard');
  if (primary.step !== 'goal' && !softOnly) {
    return end(state, now, primary.status, primary.condition, also, primary.action);
  }
  if (now.current.confirmed === null) {
    return {
      kind: 'confirm',
      iteration: now.current.iteration,
      attempt: now.current.attempt,
      tree: now.current.tree ?? '',
      because: plain('confirm', 'the gates passed; the tree must still be the one they judged'),
    };
  }
  if (!softOnly) return end(state, now, 'converged', primary.condition, also, 'complete');
  const failing = now.standings.filter((one) => !one.passed).map((one) => one.gate.name);
  const condition: Condition = {
    code: 'goal.hard-only',
    reason: `every hard gate passed; soft gates still fail: ${failing.join(', ')}`,
    confidence: 1,
    evidence: { failing, endedBy: primary.condition.code },
  };
  return end(state, now, 'converged', condition, [primary.condition, ...also], 'complete');
}

/** What a failed build left may be half done, so it is not judged. An agent that fails again simply ends that way. */
function failsAsARule(state: RunState, now: Assessment): boolean {
  if (now.judged || now.current.build?.kind !== 'failed') return false;
  return state.history.at(-1)?.build === 'failed' && now.current.work !== state.lastJudgedWork;
}

/** A failed build is not judged, but no run ends without a look at the work it left. */
function mayStillBeDone(state: RunState, now: Assessment, primary: Held): boolean {
  if (now.judged || now.current.build?.kind !== 'failed') return false;
  if (primary.step === 'error' || primary.step === 'stop' || primary.condition.code === 'limit.wall-clock')
    return false;
  return now.current.work !== state.lastJudgedWork;
}

function judgeRest(state: RunState, spec: RunSpec, now: Assessment, code: string, reason: string): Decision {
  const { iteration, attempt, tree, verdicts, movedBefore } = now.current;
  if (attempt > judgementsPerTree) {
    return end(state, now, 'error', {
      code: 'error.tree-moves',
      reason: `the tree changed during each of ${judgementsPerTree} judgements: ${movedBefore.slice(0, 5).join(', ')}; if the gates write these, leave them out with workspace.exclude`,
      confidence: 1,
      evidence: { moved: movedBefore.slice(0, 20), attempts: attempt - 1 },
    });
  }
  const gates = spec.gates.map((gate) => gate.name).filter((name) => !verdicts.has(name));
  return { kind: 'judge', iteration, attempt, tree: tree ?? '', gates, because: plain(code, reason) };
}

/** A gate that is not ready is waited for when nothing else stands in the way; waiting costs no iteration. */
function waitForPending(state: RunState, spec: RunSpec, now: Assessment): Decision | null {
  const blocked = now.standings.some(
    (one) => !one.passed && one.gate.severity === 'hard' && one.verdict.kind !== 'pending',
  );
  if (now.pending.length === 0 || blocked) return null;
  const gates = now.pending.map((one) => one.gate);
  const left = spec.limits.maxWait - state.waitedMs;
  if (state.activeMs >= spec.limits.wallClock || (left <= 0 && now.hardGreen)) return null;
  if (left <= 0) {
    return end(state, now, 'suspended', {
      code: 'awaiting-gate',
      reason: `${gates.join(', ')} is still pending after the longest wait allowed`,
      confidence: 1,
      evidence: { gates, waitedMs: state.waitedMs, maxWaitMs: spec.limits.maxWait },
    });
  }
  const asked = Math.max(shortestWaitMs, Math.min(...now.pending.map((one) => one.retryAfterMs)));
  const forMs = Math.min(left, asked);
  return { kind: 'wait', forMs, because: plain('wait', `waiting for ${gates.join(', ')}`, { gates }) };
}

/** An agent that failed may meet the same trouble at once again, so each failure in a row doubles a short pause. */
function pauseAfterFailure(state: RunState, { current }: Assessment): Decision | null {
  if (current.build?.kind !== 'failed' || current.paused) return null;
  const before = state.history.length - 1 - state.history.findLastIndex((one) => one.build !== 'failed');
  const forMs = Math.min(longestPauseMs, shortestWaitMs * 2 ** Math.min(before, 10));
  return {
    kind: 'wait',
    forMs,
    because: plain('pause', 'the agent failed; a pause before it is tried again'),
  };
}

function adviceFor(state: RunState, now: Assessment, registry: StrategyRegistry): Advice {
  const { spec } = state;
  invariant(spec, 'a run starts with its spec');
  if (state.iteration < state.grantedUntil) {
    return {
      continue: true,
      code: 'continue.granted',
      reason: `granted up to iteration ${state.grantedUntil}`,
      action: 'continue',
      confidence: 1,
    };
  }
  return registry.create(spec.strategy.kind, spec.strategy).decide({
    runId: state.runId,
    iteration: state.iteration,
    index: state.iteration - 1,
    sinceStart: state.iteration - state.windowStart,
    granted: state.granted,
    limits: spec.limits,
    elapsedMs: state.activeMs,
    tokens: state.tokens,
    costUsd: state.costUsd,
    goalSatisfied: now.allGreen,
    build: now.current.build?.kind ?? 'finished',
    current: recordOf(now, ''),
    history: since(state.history, state.windowStart),
    bestScoreBefore: state.bestScore,
  });
}

function endOnFault(state: RunState, { phase, fault }: NonNullable<RunState['fault']>): Decision {
  const full = fault.code === 'state.full';
  return end(state, null, full ? 'suspended' : 'error', {
    code: full ? 'suspended.disk-full' : `error.${phase}`,
    reason: fault.message,
    confidence: 1,
    evidence: { fault: fault.code, phase },
  });
}

function endStopped(state: RunState, now: Assessment | null): Decision {
  const stop = heldConditions(state, now, null).find((one) => one.step === 'stop');
  invariant(stop, 'a stop was requested');
  return end(state, now, 'stopped', stop.condition);
}

function end(
  state: RunState,
  now: Assessment | null,
  status: Status,
  condition: Condition,
  also: Condition[] = [],
  action: Because['action'] = 'fail',
): Decision {
  return {
    kind: 'end-run',
    status,
    caveats: caveatsOf(state, now, status),
    goalSatisfied: now?.allGreen ?? false,
    because: { ...condition, action, also },
  };
}

const conditionOf = ({ code, reason, confidence, evidence }: Advice): Condition => ({
  code,
  reason,
  confidence,
  evidence: evidence ?? {},
});

const plain = (code: string, reason: string, evidence: Evidence = {}): Because => ({
  code,
  reason,
  confidence: 1,
  evidence,
  action: 'continue',
  also: [],
});
