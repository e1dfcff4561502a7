import { type Assessment, recordOf } from './assess.ts';
import { invariant } from './fault.ts';
import { isStuck, moveNames, trialOf } from './ladder.ts';
import { since } from './records.ts';
import type { RunSpec } from './spec.ts';
import type { RunState } from './state.ts';
import { situationOf } from './observed.ts';
import { ignoredStop } from './strategies/adaptive.ts';
import { fallback } from './strategies/fallback.ts';
import type { StrategyRegistry } from './strategies/registry.ts';
import {
  type Advice,
  type GateView,
  giveUp,
  goOn,
  type Knowledge,
  type StrategyContext,
} from './strategies/strategy.ts';

const shownFailures = 20;

/** What the strategy says about going on. Asked only while nothing that comes before it holds. */
export function adviceFor(state: RunState, now: Assessment, registry: StrategyRegistry): Advice {
  const { spec } = state;
  invariant(spec, 'a run starts with its spec');
  if (state.iteration < state.grantedUntil)
    return goOn('granted', `granted up to iteration ${state.grantedUntil}`, 1);
  const context = contextFor(state, now);
  if (spec.strategy.kind === 'manual') return answered(now);
  if (spec.strategy.kind === 'custom') return advised(spec, now, context);
  const advice = registry.create(spec.strategy.kind, spec.strategy).decide(context);
  return onTrial(state, spec, now, advice) ?? advice;
}

/** A move of the ladder gets its iterations; only what no change can avert ends the run meanwhile. */
function onTrial(state: RunState, spec: RunSpec, now: Assessment, advice: Advice): Advice | null {
  const trial = trialOf(state, now);
  if (!trial || trial.dry >= spec.stuck.patience) return null;
  if (!advice.continue && !isStuck(spec, advice.code)) return null;
  const { move } = trial.move;
  const reason = `${moveNames[move]}: ${trial.dry} of ${spec.stuck.patience} without progress`;
  return goOn('trial', reason, 0.6, { move, dry: trial.dry });
}

/** A person who says stop or accept is heard before the strategy; what arrives here is to go on. */
function answered(now: Assessment): Advice {
  const by = now.current.answer?.byPerson
    ? 'a person says: go on'
    : 'nobody answered in time; the default is to go on';
  return goOn('manual', by, 1);
}

/** The recorded answer of a strategy outside of the core; without a usable one hybrid decides, and that is said. */
function advised(spec: RunSpec, now: Assessment, context: StrategyContext): Advice {
  const answer = now.current.advice;
  if (answer?.kind !== 'advice') {
    const why = answer ? answer.fault.message : 'it was not asked';
    return fallback(context, 'custom', why, spec.strategy);
  }
  // A user's code is told under its own name, so that none can be taken for one of ours.
  const code = `custom.${answer.code ?? (answer.continue ? 'continue' : 'stop')}`;
  const extra = {
    ...(answer.feedback === undefined ? {} : { feedback: answer.feedback }),
    ...(answer.metadata === undefined ? {} : { metadata: answer.metadata }),
  };
  const confidence = answer.confidence ?? 1;
  if (answer.continue) return { ...goOn(code, answer.reason, confidence), ...extra };
  const action = answer.action === 'timeout' || answer.action === 'complete' ? answer.action : 'fail';
  return { ...giveUp(`strategy.${code}`, answer.reason, confidence, action), ...extra };
}

/** Everything a strategy may know about the iteration that is decided on. */
export function contextFor(state: RunState, now: Assessment, output: string | null = null): StrategyContext {
  const { spec } = state;
  invariant(spec, 'a run starts with its spec');
  return {
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
    tree: now.current.tree ?? '',
    gates: now.standings.map(gateView),
    output,
    ...(spec.strategy.kind === 'adaptive' ? { knowledge: knowledgeOf(state, now) } : {}),
  };
}

function knowledgeOf(state: RunState, now: Assessment): Knowledge {
  const ignored = state.history.find((one) => one.code === ignoredStop);
  return {
    learned: state.learned,
    situation: situationOf(state, [...state.history, recordOf(now, '')]),
    ignoredAfter: ignored?.iteration ?? null,
  };
}

function gateView({ gate, verdict, passed, level, findings }: Assessment['standings'][number]): GateView {
  const levels = verdict.kind === 'passed' || verdict.kind === 'failed' ? verdict.levels : undefined;
  return {
    name: gate.name,
    kind: gate.kind,
    severity: gate.severity,
    verdict: verdict.kind,
    passed,
    level,
    failures: findings.slice(0, shownFailures).map((one) => one.title),
    levels: levels ?? [],
  };
}
