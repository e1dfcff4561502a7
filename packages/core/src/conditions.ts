import { type Assessment, recordOf } from './assess.ts';
import type { Action, Condition, Evidence } from './decision.ts';
import { detect, isWatched } from './detectors/index.ts';
import { effectiveLimit } from './effective-limit.ts';
import { invariant } from './fault.ts';
import { changedNames } from './integrity.ts';
import { moveNames, trialOf } from './ladder.ts';
import type { Status } from './outcome.ts';
import { showCount, showDuration, showMoney } from './quantity.ts';
import { isEvidence, since } from './records.ts';
import type { RunSpec } from './spec.ts';
import type { IterationRecord, RunState } from './state.ts';
import type { Advice } from './strategies/strategy.ts';
import type { Verdict } from './verdict.ts';

/** A condition that holds, and where it stands in the order of deciding. */
export interface Held {
  step: 'error' | 'stop' | 'goal' | 'gate' | 'agent' | 'person' | 'guard' | 'limit' | 'strategy';
  status: Status;
  action: Action;
  condition: Condition;
}

/** So many refuted claims on one unchanged tree end a run. */
const falseClaims = 3;
/** So many iterations in a row in which a gate could not run end a run. */
const unableIterations = 2;

/** Everything that holds now, in the order of requirements 3.4; the first is the reason. Empty means: go on. */
export function heldConditions(state: RunState, now: Assessment | null, advice: Advice | null): Held[] {
  const { spec } = state;
  invariant(spec, 'a run starts with its spec');
  const met = now ? goal(spec, now) : [];
  const unmet = now && !now.allGreen;
  return [
    ...(now ? unableGates(state, now) : []),
    ...redirectStopped(state),
    ...stopRequested(state),
    ...met,
    ...(unmet ? gateStops(state, now) : []),
    ...(unmet ? agentWord(state, spec, now) : []),
    ...(unmet ? personWord(now) : []),
    ...(unmet ? guards(state, spec, now) : []),
    ...limits(state, spec, now),
    ...(advice && !advice.continue ? [strategyStop(advice)] : []),
  ];
}

function unableGates(state: RunState, now: Assessment): Held[] {
  return now.standings.flatMap(({ gate, verdict }) => {
    const row = (state.unableRow.get(gate.name) ?? 0) + 1;
    if (verdict.kind !== 'unable' || gate.severity === 'soft' || row < unableIterations) return [];
    const reason = `gate ${gate.name} could not run in ${row} iterations: ${verdict.fault.message}`;
    return [
      held('error', 'error', 'fail', 'error.gate', reason, 1, { gate: gate.name, fault: verdict.fault.code }),
    ];
  });
}

/** New words go before a stop: the run ends all the same, and whoever goes on with it begins with them. */
function redirectStopped({ stop, redirect }: RunState): Held[] {
  if (!stop || redirect === null) return [];
  const reason = 'a person redirected the run, and it was stopped before it went on with the new words';
  return [held('stop', 'suspended', 'continue', 'redirect', reason, 1, { by: stop.by })];
}

function stopRequested(state: RunState): Held[] {
  if (!state.stop) return [];
  const names: Record<string, string> = {
    command: 'agentgate stop',
    api: 'the program that runs it',
    host: 'the host of its session',
  };
  const who = state.stop.who ?? names[state.stop.by] ?? state.stop.by;
  const reason = state.stop.note ? `stopped by ${who}: ${state.stop.note}` : `stopped by ${who}`;
  return [
    held('stop', 'stopped', 'fail', state.stop.by === 'host' ? 'host.override' : 'user.stop', reason, 1, {
      by: state.stop.by,
    }),
  ];
}

function goal(spec: RunSpec, now: Assessment): Held[] {
  if (!now.allGreen) return [];
  const names = spec.gates.filter((gate) => gate.when !== 'manual').map((gate) => gate.name);
  return [
    held('goal', 'converged', 'complete', 'goal.met', `every gate passed: ${names.join(', ')}`, 1, {
      gates: names,
      tree: now.current.tree,
    }),
  ];
}

function gateStops(state: RunState, now: Assessment): Held[] {
  return now.standings.flatMap(({ gate, passed, verdict }) => {
    const failed = verdict.kind === 'failed' || verdict.kind === 'timed-out';
    if (passed || gate.severity === 'soft' || !failed) return [];
    const attempts = (state.attempts.get(gate.name) ?? 0) + 1;
    const evidence = { gate: gate.name, attempts };
    if (gate.onFailure === 'stop') {
      return [
        held(
          'gate',
          'diverged',
          'fail',
          'gate.stop',
          `gate ${gate.name} failed, and its rule is to stop`,
          1,
          evidence,
        ),
      ];
    }
    if (gate.maxAttempts === undefined || attempts < gate.maxAttempts) return [];
    const reason = `gate ${gate.name} failed ${attempts} times, its limit`;
    return [
      held('gate', 'diverged', 'fail', 'gate.attempts', reason, 1, {
        ...evidence,
        maxAttempts: gate.maxAttempts,
      }),
    ];
  });
}

function agentWord(state: RunState, spec: RunSpec, now: Assessment): Held[] {
  const { giveUp, claim, asks } = now.current;
  const found: Held[] = [];
  if (giveUp !== null) {
    found.push(
      held('agent', 'diverged', 'fail', 'agent.gave-up', `the agent gave up: ${giveUp}`, 1, { said: giveUp }),
    );
  }
  if (asks !== null)
    found.push(
      held('agent', 'suspended', 'fail', 'awaiting-answer', `the agent asks a person: ${asks}`, 1, {
        said: asks,
      }),
    );
  const softOnly = spec.gates.every((gate) => gate.severity === 'soft');
  if (claim && softOnly && now.judged) {
    const reason = `the agent says it is done (${claim.signal}), and no hard gate can confirm or refute it`;
    found.push(
      held('agent', 'stopped', 'fail', 'agent.unverified-claim', reason, 0.95, { signal: claim.signal }),
    );
  }
  if (claim && !softOnly && now.judged && !now.hardGreen && isWatched(spec))
    found.push(...refutedClaims(state, spec, now));
  return found;
}

/** What a person answered when asked: to end the run, or to take the tree as it is. */
function personWord({ current }: Assessment): Held[] {
  if (!current.answer) return [];
  const { answer, byPerson } = current.answer;
  const code = byPerson ? 'user.stop' : 'user.no-answer';
  const who = byPerson ? 'a person says' : 'nobody answered in time, and the default is';
  if (answer === 'stop') return [held('person', 'stopped', 'fail', code, `${who}: stop`, 1, {})];
  if (answer === 'accept')
    return [
      held('person', 'partial', 'complete', 'accept.person', `${who}: accept the tree as it is`, 1, {}),
    ];
  return [];
}

function refutedClaims(state: RunState, spec: RunSpec, now: Assessment): Held[] {
  let claims = 1;
  for (let at = state.judged.length - 1; at >= 0; at--) {
    const before = state.judged[at]!;
    if (before.iteration <= state.windowStart || before.work !== now.current.work || !before.claimed) break;
    claims += 1;
  }
  if (spec.strategy.kind === 'hybrid' && spec.strategy.criteria.includes('agent-signal')) {
    const said = 'the agent said it was done, which ends this run, and the gates refute it';
    return [held('guard', 'diverged', 'fail', 'agent.false-claim', said, 0.95, { claims })];
  }
  if (claims < falseClaims) return [];
  const reason = `the agent said it was done ${claims} times on an unchanged tree, and the gates refute it`;
  return [
    held('guard', 'diverged', 'fail', 'agent.false-claim', reason, 0.95, { claims, tree: now.current.tree }),
  ];
}

function guards(state: RunState, spec: RunSpec, now: Assessment): Held[] {
  if (now.pending.length > 0 && !isBlocked(now)) return waitedEnough(state, spec, now);
  const spent = spentTrial(state, spec, now);
  if (!now.judged) return spent;
  const seen = detect(spec, seriesOf(state, now)).map(
    (condition): Held => ({
      step: 'guard',
      status: 'diverged',
      action: 'fail',
      condition,
    }),
  );
  const grant = [...needsGrant(state, now), ...unfixable(state, now)];
  // The trial carries the code that began it; a detector that says the same again adds nothing.
  return [...grant, ...spent, ...seen.filter((one) => one.condition.code !== spent[0]?.condition.code)];
}

/** Told once, the agent has left it at that: now only a person can say whether the change is meant. */
function needsGrant(state: RunState, now: Assessment): Held[] {
  const before = state.judged.at(-1);
  if (!now.trust.grantable || !before?.grantable || before.iteration <= state.windowStart) return [];
  return [{ step: 'guard', status: 'partial', action: 'complete', condition: grantCondition(now) }];
}

/** So many different trees of the agent's on which such a gate says the same show that none will change it. */
const blindTrees = 2;

/**
 * A gate that says the same on the untouched tree, on an empty one and on several of the agent's does not look at
 * the workspace: no work in it can turn it green. One that merely stays red is another thing.
 */
function unfixable(state: RunState, { standings, current }: Assessment): Held[] {
  const works = new Set([...since(state.judged, state.windowStart).map((one) => one.work), current.work]);
  works.delete(state.baseWork);
  if (works.size < blindTrees) return [];
  return standings.flatMap(({ gate, passed, verdict }) => {
    const blind = !passed && gate.severity === 'hard' && state.blind.has(gate.name);
    if (!blind || !saysTheSame(state.baseline.get(gate.name), verdict)) return [];
    const reason = `gate ${gate.name} says the same on an empty tree, before the run and after every change: nothing in the workspace can turn it green`;
    return [held('guard', 'diverged', 'fail', 'gate.unfixable', reason, 0.95, { gate: gate.name })];
  });
}

function saysTheSame(before: Verdict | undefined, now: Verdict): boolean {
  if (before?.kind !== 'failed' || now.kind !== 'failed' || before.textKey !== now.textKey) return false;
  const ids = new Set(before.findings.map((one) => one.id));
  return ids.size === now.findings.length && now.findings.every((one) => ids.has(one.id));
}

/** The gates pass with what the agent made of the files they judge by. Whether they do without is said. */
export function grantCondition({ current, standings, trust }: Assessment): Condition {
  const isOpen = standings.some((one) => one.gate.severity === 'hard' && !one.passed && !one.spared);
  // A test that was only moved is the same test, unless the gates pass nowhere else.
  const changed = (current.integrity?.changed ?? []).filter((one) => isOpen || one.status !== 'renamed');
  const worse = trust.blocking.filter((one) => !one.id.startsWith('integrity:protected:'));
  const titles = worse.map((one) => one.title);
  const shown = [...(changed.length > 0 ? [changedNames(changed)] : []), ...titles.slice(0, 5)].join('; ');
  const how = isOpen ? 'the gates pass only with changes that need' : 'the gates pass, and changes need';
  return {
    code: 'integrity.needs-grant',
    reason: `${how} a grant: ${shown}`,
    confidence: 1,
    evidence: {
      files: [...changed.map((one) => one.path), ...titles].slice(0, 50),
      tree: current.tree,
    },
  };
}

/** A hard gate has really failed: whatever is still pending is not what the run waits for. */
export const isBlocked = ({ standings }: Assessment): boolean =>
  standings.some(
    (one) => !one.passed && !one.spared && one.gate.severity === 'hard' && one.verdict.kind !== 'pending',
  );

/** The newest move of the ladder has had its iterations, and they brought nothing. */
function spentTrial(state: RunState, spec: RunSpec, now: Assessment): Held[] {
  const trial = trialOf(state, now);
  if (!trial || trial.dry < spec.stuck.patience || now.hardGreen) return [];
  const { move, because } = trial.move;
  const reason = `still ${because} after "${moveNames[move]}": ${trial.dry} iterations without progress`;
  return [held('guard', 'diverged', 'fail', because, reason, 0.9, { move, dry: trial.dry })];
}

/** A soft gate that is still pending after the longest wait is left at that. */
function waitedEnough(state: RunState, spec: RunSpec, { hardGreen, pending }: Assessment): Held[] {
  if (!hardGreen || state.waitedMs < spec.limits.maxWait) return [];
  const gates = pending.map((one) => one.gate);
  const reason = `${gates.join(', ')} is still pending after the longest wait allowed`;
  return [held('guard', 'diverged', 'fail', 'awaiting-gate', reason, 1, { gates, waitedMs: state.waitedMs })];
}

/** The judged iterations since a person last went on, the current one last. Failed builds prove nothing. */
function seriesOf(state: RunState, now: Assessment): IterationRecord[] {
  const current = recordOf(now, '');
  const series = since(state.judged, state.windowStart).filter(isEvidence);
  return isEvidence(current) ? [...series, current] : [];
}

function limits(state: RunState, spec: RunSpec, now: Assessment | null): Held[] {
  const { wallClock, tokens, cost } = spec.limits;
  const { limit, bound } = effectiveLimit(state);
  const found: Held[] = [];
  const reached = (code: string, reason: string, evidence: Evidence) =>
    found.push(held('limit', 'diverged', 'timeout', code, reason, 1, evidence));
  if (state.iteration >= limit) {
    reached('limit.iterations', `${state.iteration} of ${limit} iterations are used`, {
      used: state.iteration,
      limit,
      bound,
    });
  }
  const cut = now?.current.build?.kind === 'aborted' && now.current.build.by === 'wall-clock';
  if (cut || state.activeMs >= wallClock) {
    const used = `${showDuration(state.activeMs)} of ${showDuration(wallClock)}`;
    reached('limit.wall-clock', `the time is used: ${used}`, { usedMs: state.activeMs, limitMs: wallClock });
  }
  if (tokens !== undefined && (state.tokens ?? 0) >= tokens) {
    reached('limit.tokens', `${showCount(state.tokens ?? 0)} of ${showCount(tokens)} tokens are used`, {
      used: state.tokens ?? 0,
      limit: tokens,
    });
  }
  if (cost !== undefined && (state.costUsd ?? 0) >= cost - 1e-9) {
    reached('limit.cost', `${showMoney(state.costUsd ?? 0)} of ${showMoney(cost)} are spent`, {
      usedUsd: state.costUsd ?? 0,
      limitUsd: cost,
    });
  }
  return found;
}

function strategyStop(advice: Advice): Held {
  return held(
    'strategy',
    'diverged',
    advice.action,
    advice.code,
    advice.reason,
    advice.confidence,
    advice.evidence ?? {},
  );
}

function held(
  step: Held['step'],
  status: Status,
  action: Action,
  code: string,
  reason: string,
  confidence: number,
  evidence: Evidence,
): Held {
  return { step, status, action, condition: { code, reason, confidence, evidence } };
}
