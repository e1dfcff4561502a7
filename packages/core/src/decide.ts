import { adviceFor } from './advice.ts';
import { type Assessment, assess } from './assess.ts';
import { type Held, heldConditions } from './conditions.ts';
import { conclude, end, endOnFault, endStopped, plain } from './conclude.ts';
import type { Decision } from './decision.ts';
import { invariant } from './fault.ts';
import { controlsOwed } from './integrity.ts';
import { isStuck, moveNames, nextMove } from './ladder.ts';
import { waitForQuota } from './quota.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './state.ts';
import { strategies } from './strategies/index.ts';
import type { StrategyRegistry } from './strategies/registry.ts';
import { askPerson, pauseBefore, waitForAgent, waitForPending } from './waiting.ts';

/** A tree that still moves after so many judgements cannot be judged. */
const judgementsPerTree = 5;

/** Says what to do next, and why. A pure function of the history: replay gives the same decisions. */
export function decide(state: RunState, registry: StrategyRegistry = strategies): Decision {
  const { spec } = state;
  invariant(spec, 'a run starts with its spec');
  invariant(!state.ended, 'an ended run has nothing left to decide');
  if (state.open) return state.open;
  const next = nextStep(state, spec, registry);
  return next.kind === 'start-iteration' ? (waitForQuota(state, spec) ?? next) : next;
}

function nextStep(state: RunState, spec: RunSpec, registry: StrategyRegistry): Decision {
  const { current } = state;
  if (state.fault) return endOnFault(state, state.fault);
  if (!isMeasured(state, spec)) {
    return state.stop
      ? endStopped(state, null)
      : {
          kind: 'measure-baseline',
          because: plain('baseline', 'the gates are judged before any token is spent'),
        };
  }
  if (state.away) return waitForAgent(state, spec, state.away);
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
  return startNext(
    state,
    next === 1 ? 'begin' : 'resume',
    next === 1 ? 'the baseline is measured' : 'the run goes on',
  );
}

function afterBuild(state: RunState, spec: RunSpec, now: Assessment, registry: StrategyRegistry): Decision {
  const { current } = now;
  invariant(
    current.build && current.tree !== null,
    'an iteration is decided on after its build and snapshot',
  );
  if (current.move !== null) return afterMove(state, spec, now, current.move);
  const redirect = state.stop ? null : redirected(state);
  if (redirect) return redirect;
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
  return afterJudgement(state, spec, now, registry);
}

/** Every gate has answered: the order of requirements 3.4, the strategy last. */
function afterJudgement(
  state: RunState,
  spec: RunSpec,
  now: Assessment,
  registry: StrategyRegistry,
): Decision {
  const before = heldConditions(state, now, null);
  const asked = before.length === 0 ? askOutside(spec, now, state) : null;
  if (asked) return asked;
  const advice = now.allGreen ? null : adviceFor(state, now, registry);
  const held = advice ? heldConditions(state, now, advice) : before;
  const primary = held[0];
  const also = held.slice(1).map((one) => one.condition);
  if (!primary) {
    invariant(advice?.continue, 'a run goes on only when its strategy says so');
    const { code, reason, confidence, evidence, action } = advice;
    const because = { code, reason, confidence, evidence: evidence ?? {}, action, also };
    return (
      escalation(state, now) ??
      pauseBefore(state, now) ?? {
        kind: 'start-iteration',
        iteration: state.iteration + 1,
        because,
      }
    );
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
  return (
    (primary.step === 'stop' || primary.step === 'error' ? null : escalation(state, now)) ??
    moveBeforeEnd(state, spec, now, held) ??
    judgeOwed(now, primary) ??
    prove(state, spec, now, primary) ??
    conclude(state, spec, now, primary, also)
  );
}

/**
 * A person has given new words: whatever the iteration was about, the next one is about those. Where a limit
 * allows no next one, what was done is judged as ever.
 */
function redirected(state: RunState): Decision | null {
  if (state.redirect === null) return null;
  if (heldConditions(state, null, null).some((one) => one.step === 'limit')) return null;
  return startNext(state, 'redirect', `a person redirected the run: ${firstLine(state.redirect ?? '')}`);
}

/** Strategies that live outside of the core are asked once per iteration; their answer is a fact. */
function askOutside(spec: RunSpec, now: Assessment, state: RunState): Decision | null {
  const { iteration, advice, answer } = now.current;
  if (state.iteration < state.grantedUntil || now.allGreen) return null;
  if (spec.strategy.kind === 'custom' && advice === null) {
    const because = plain('consult', `the strategy in ${spec.strategy.module} is asked`);
    return { kind: 'consult', iteration, because };
  }
  if (spec.strategy.kind === 'manual' && answer === null) {
    return askPerson(state, spec, now, spec.strategy.default, spec.strategy.timeout);
  }
  return null;
}

/** Before giving up, the next untried move: only while no limit holds and only where a change may still help. */
function moveBeforeEnd(
  state: RunState,
  spec: RunSpec,
  now: Assessment,
  held: readonly Held[],
): Decision | null {
  const primary = held[0]!;
  const may = primary.step === 'guard' || primary.step === 'strategy';
  if (!may || now.hardGreen || now.trust.grantable || held.some((one) => one.step === 'limit')) return null;
  if (!isStuck(spec, primary.condition.code)) return null;
  const next = nextMove(state, spec, now, primary.condition.code);
  if (!next) return null;
  const { condition, action } = primary;
  return {
    kind: 'make-move',
    iteration: now.current.iteration,
    ...next,
    because: { ...condition, action, also: held.slice(1).map((one) => one.condition) },
  };
}

/** A move was made: the next iteration begins with it, unless a person or a limit says otherwise. */
function afterMove(
  state: RunState,
  spec: RunSpec,
  now: Assessment,
  move: NonNullable<Assessment['current']['move']>,
): Decision {
  const first = heldConditions(state, now, null).find((one) => one.step === 'stop' || one.step === 'limit');
  if (first) return end(state, now, first.status, first.condition, [], first.action);
  const redirect = redirected(state);
  if (redirect) return redirect;
  if (move === 'ask' && now.current.answer === null) return askPerson(state, spec, now, 'stop', undefined);
  if (now.current.answer && now.current.answer.answer !== 'continue') {
    const held = heldConditions(state, now, null).find((one) => one.step === 'person');
    if (held) return judgeOwed(now, held) ?? conclude(state, spec, now, held, []);
  }
  const because = state.moves.at(-1)?.because ?? '';
  return (
    pauseBefore(state, now) ??
    startNext(state, `move.${move}`, `${moveNames[move]}, because of ${because}`, { move, because })
  );
}

/** A gate whose rule is to escalate tells a person once, each time it turns red. */
function escalation(state: RunState, now: Assessment): Decision | null {
  const gates = now.standings
    .filter((one) => one.gate.onFailure === 'escalate' && !one.passed)
    .filter((one) => one.verdict.kind === 'failed' || one.verdict.kind === 'timed-out')
    .filter((one) => !state.escalated.has(one.gate.name))
    .map((one) => one.gate.name);
  if (gates.length === 0) return null;
  const because = plain('escalate', `${gates.join(', ')} failed, and a person is told`, { gates });
  return { kind: 'notify', iteration: now.current.iteration, about: 'escalation', gates, because };
}

/** Nothing converges on a verdict that was spared or used again: those gates are judged once more, really. */
function judgeOwed(now: Assessment, primary: Held): Decision | null {
  const converges = primary.step === 'goal' || now.hardGreen;
  if (!converges || primary.step === 'error' || primary.step === 'stop' || now.owed.length === 0) return null;
  const { iteration, attempt, tree } = now.current;
  return {
    kind: 'judge',
    iteration,
    attempt,
    tree: tree ?? '',
    gates: [...now.owed],
    unspared: true,
    because: plain('judge.unspared', 'before the run may converge, what was spared is judged', {
      gates: [...now.owed],
    }),
  };
}

/**
 * A green of a gate that is known to be flaky is believed when it comes several times in a row. In strict mode every
 * green must come twice, and must not come without the change.
 */
function prove(state: RunState, spec: RunSpec, now: Assessment, primary: Held): Decision | null {
  const converges = primary.step === 'goal' || now.hardGreen;
  if (!converges || !now.judged || primary.step === 'error' || primary.step === 'stop') return null;
  const { iteration, attempt, tree, second } = now.current;
  const shaky = shakyGates(state, now);
  if (shaky.length > 0) {
    const why = `${shaky.join(', ')} may pass by chance, and must pass again`;
    const because = plain('judge.confirm', why, { gates: shaky });
    return { kind: 'judge', iteration, attempt, tree: tree ?? '', gates: shaky, unspared: true, because };
  }
  if (spec.integrity.mode !== 'strict') return null;
  if (!second) {
    const gates = now.standings.filter((one) => !one.spared).map((one) => one.gate.name);
    const because = plain('judge.second', 'the gates are judged a second time on the same tree', { gates });
    return { kind: 'judge', iteration, attempt, tree: tree ?? '', gates, unspared: true, because };
  }
  const gates = controlsOwed(state, now);
  if (gates.length === 0) return null;
  const because = plain('control', 'without the change these gates must still be red', { gates });
  return { kind: 'control', iteration, tree: state.baseTree ?? '', gates, because };
}

/** Flaky gates that were red before the run, and pass, but were not judged often enough on this tree to believe it. */
function shakyGates(state: RunState, { standings, current }: Assessment): string[] {
  return standings
    .filter(({ gate, passed, spared }) => {
      const wanted = 1 + 3 * (gate.flaky?.rerun ?? 0);
      const wasRed = state.baseline.get(gate.name)?.kind === 'failed';
      return passed && !spared && wasRed && wanted > 1 && (current.times.get(gate.name) ?? 0) < wanted;
    })
    .map((one) => one.gate.name);
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
  if (gates.length === 0) return judgeAgain(state, now);
  return { kind: 'judge', iteration, attempt, tree: tree ?? '', gates, because: plain(code, reason) };
}

/** Gates that were cut off are judged once more; one that leaves itself out would be asked for ever. */
function judgeAgain(state: RunState, now: Assessment): Decision {
  const silent = now.standings.filter((one) => one.verdict.kind === 'skipped' && !one.spared);
  const { iteration, attempt, tree, again } = now.current;
  const gates = silent.map((one) => one.gate.name);
  const names = gates.join(', ');
  if (!again) {
    const because = plain('judge.again', `${names} was cut off`);
    return { kind: 'judge', iteration, attempt, tree: tree ?? '', gates, because };
  }
  return end(state, now, 'error', {
    code: 'error.gate',
    reason: `gate ${names} gave no verdict, though nobody stopped the run`,
    confidence: 1,
    evidence: { gates: names },
  });
}

const startNext = (
  state: RunState,
  code: string,
  reason: string,
  evidence: Decision['because']['evidence'] = {},
): Decision => ({
  kind: 'start-iteration',
  iteration: state.iteration + 1,
  because: plain(code, reason, evidence),
});

const firstLine = (text: string): string => text.trim().split('\n')[0]!.slice(0, 120);
