import { type Assessment, highestLevel } from './assess.ts';
import { caveatsOf } from './caveats.ts';
import { grantCondition, type Held, heldConditions } from './conditions.ts';
import type { Because, Condition, Decision, Evidence } from './decision.ts';
import { invariant } from './fault.ts';
import { movesText, settledMoves } from './ladder.ts';
import type { Status } from './outcome.ts';
import { levelNames, type RunSpec } from './spec.ts';
import type { RunState } from './state.ts';

/** Turns the first condition that holds into the end of the run. */
export function conclude(
  state: RunState,
  spec: RunSpec,
  now: Assessment,
  primary: Held,
  also: Condition[],
): Decision {
  const { step } = primary;
  const guarded = step === 'guard' || step === 'limit' || step === 'strategy' || step === 'person';
  // Whoever gives up while every hard gate passes gives up on what is only advised.
  const ends = guarded || primary.condition.code === 'agent.gave-up';
  const softOnly = ends && now.hardGreen && spec.gates.some((gate) => gate.severity === 'hard');
  if (step !== 'goal' && !softOnly) {
    if ((guarded || step === 'agent') && now.trust.grantable) {
      const others = [primary.condition, ...also].filter((one) => one.code !== 'integrity.needs-grant');
      return end(state, now, 'partial', grantCondition(now), others, 'complete');
    }
    const partial = guarded && acceptsPartial(state, spec, now, primary);
    if (partial) return end(state, now, 'partial', partial, [primary.condition, ...also], 'complete');
    const condition = withMoves(state, primary);
    return end(state, now, primary.status, condition, also, primary.action);
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
  const failing = now.standings.filter((one) => !one.passed && !one.spared).map((one) => one.gate.name);
  const condition: Condition = {
    code: 'goal.hard-only',
    reason: `every hard gate passed; soft gates still fail: ${failing.join(', ')}`,
    confidence: 1,
    evidence: { failing, endedBy: primary.condition.code },
  };
  return end(state, now, 'converged', condition, [primary.condition, ...also], 'complete');
}

/** A run that gives up says what it has tried. */
function withMoves(state: RunState, { step, condition }: Held): Condition {
  const moves = settledMoves(state, 'diverged');
  if (moves.length === 0 || (step !== 'guard' && step !== 'strategy')) return condition;
  return {
    ...condition,
    reason: `${condition.reason}; tried: ${movesText(moves)}`,
    evidence: { ...condition.evidence, moves: moves.map((one) => one.move) },
  };
}

/** Unfinished work is taken only where somebody said so, and it is called partial (C-23). */
function acceptsPartial(state: RunState, spec: RunSpec, now: Assessment, primary: Held): Condition | null {
  const failing = now.standings.filter((one) => !one.passed && !one.spared).map((one) => one.gate.name);
  const accepted = (reason: string): Condition => ({
    code: 'accept.partial',
    reason,
    confidence: 1,
    evidence: { failing, endedBy: primary.condition.code },
  });
  if (primary.condition.code === 'accept.person')
    return accepted(
      `a person accepts the tree as it is; still failing: ${failing.join(', ') || 'nothing judged'}`,
    );
  if (spec.strategy.kind !== 'hybrid' || !now.judged) return null;
  const { acceptPartialAfter, acceptPartial } = spec.strategy;
  const after = acceptPartial?.after ?? acceptPartialAfter;
  if (after === undefined || state.iteration < after || !hasLevel(now, acceptPartial?.minLevel)) return null;
  return accepted(
    `accepted as partial after ${state.iteration} iterations; still failing: ${failing.join(', ')}`,
  );
}

function hasLevel({ standings }: Assessment, least: (typeof levelNames)[number] | undefined): boolean {
  if (least === undefined) return true;
  const levels = standings.flatMap(({ verdict }) =>
    (verdict.kind === 'passed' || verdict.kind === 'failed') && verdict.levels ? [verdict.levels] : [],
  );
  // A level that no gate has cannot have been reached.
  return levels.length > 0 && levels.every((one) => highestLevel(one) >= levelNames.indexOf(least));
}

export function endOnFault(state: RunState, { phase, fault }: NonNullable<RunState['fault']>): Decision {
  const full = fault.code === 'state.full';
  return end(state, null, full ? 'suspended' : 'error', {
    code: full ? 'suspended.disk-full' : `error.${phase}`,
    reason: fault.message,
    confidence: 1,
    evidence: { fault: fault.code, phase },
  });
}

export function endStopped(state: RunState, now: Assessment | null): Decision {
  const [stop, ...others] = heldConditions(state, now, null).filter((one) => one.step === 'stop');
  invariant(stop, 'a stop was requested');
  const also = others.map((one) => one.condition);
  return end(state, now, stop.status, stop.condition, also, stop.action);
}

export function end(
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
    goalSatisfied: (now?.allGreen && now.owed.length === 0) ?? false,
    because: { ...condition, action, also },
  };
}

export const plain = (code: string, reason: string, evidence: Evidence = {}): Because => ({
  code,
  reason,
  confidence: 1,
  evidence,
  action: 'continue',
  also: [],
});
