import {
  blankModel,
  enoughSolvedLater,
  type Hazard,
  type Law,
  type Mode,
  modes,
  shortText,
  solvesFor,
  type StoredModel,
} from '@agentgate/core';
import { shipped } from '../evaluate/shipped.ts';
import { type Trace, taskKey } from '../traces/trace.ts';
import { controlRisk } from './control-risk.ts';
import { type Decisions, layOut } from './decisions.ts';
import { fitHazard } from './fit-hazard.ts';
import { foldsByTask } from './folds.ts';
import { fixedNeeds, type Needs, priceNeeds, stallNeeds, type Toll, tollOf } from './needs.ts';

export interface LearnOptions {
  /** The share of solves to keep. */
  target: number;
  /** What one solve and one iteration are worth in dollars; given, the price decides instead of the target. */
  value?: { solveUsd: number; iterationUsd: number };
  /** The share of runs that will ignore the stop. */
  explore?: number;
  /** Only this rule may be chosen; for comparing them. */
  only?: Rule;
}

export type Rule = 'fixed' | 'stall' | 'adaptive';

const folds = 5;
/**
 * Adaptive has to be so much cheaper than the plain rules, or it is not worth its words; and where the solves are too
 * few for the promise, so much cheaper than hybrid, or nothing speaks for leaving that, as long as hybrid does not
 * plainly break it.
 */
const worthwhile = 0.97;

/** Learns from the recorded runs of one project how its next ones should be stopped. Same runs, same model. */
export const learn = (traces: readonly Trace[], options: LearnOptions): StoredModel =>
  study(traces).model(options);

/** What does not depend on the target: looked at once, asked as often as wanted. */
export interface Study {
  model(options: LearnOptions): StoredModel;
}

export function study(traces: readonly Trace[]): Study {
  const own = modes.map((mode) => ({ mode, of: traces.filter((trace) => trace.mode === mode) }));
  const lawyers = own
    .filter(({ of }) => of.length > 0)
    .map(({ mode, of }) => ({ mode, lawFor: studyMode(of) }));
  const seen = seenIn(traces);
  return {
    model(options) {
      const laws: Partial<Record<Mode, Law>> = {};
      for (const { mode, lawFor } of lawyers) laws[mode] = lawFor(options);
      const note = Object.values(laws)
        .map((law) => shortText(law, options.target))
        .find((text) => text !== null);
      const { v, ...blank } = blankModel(options.target, options.explore);
      return {
        v,
        ...(note ? { note } : {}),
        ...blank,
        mode: options.value ? 'value' : 'retention',
        value: options.value ?? null,
        seen,
        laws,
      };
    },
  };
}

/** The laws for runs of one mode: a run that begins anew each time follows another one than a run that goes on. */
function studyMode(traces: readonly Trace[]): (options: LearnOptions) => Law {
  const later = traces.filter(isSolvedLater).length;
  if (later < enoughSolvedLater) return () => ({ kind: 'hybrid', lacking: enoughSolvedLater - later });
  const at = layOut(traces);
  const fold = foldsByTask(traces, folds);
  const whole = fitHazard(at, { use: () => true });
  const apart = Array.from({ length: folds }, (_, left) => fitApart(at, fold, left, whole.coefficients));
  const weights = weightsOf(traces);
  const needs = {
    fixed: fixedNeeds(traces),
    stall: stallNeeds(traces),
    adaptive: priceNeeds(traces, at, (trace) => apart[fold[trace]!]!),
  };
  const solves = traces.filter((one) => one.solved).length;
  let byHybrid: ReturnType<typeof tollOfHybrid> | null = null;
  return (asked) => {
    const { value } = asked;
    const needed = solvesFor(asked.target);
    const short = !value && !asked.only && solves < needed ? { solves, needed } : null;
    // None of a few may be lost, however many each of them stands for.
    const options = short ? { ...asked, target: 1 } : asked;
    const limit = value && value.solveUsd / value.iterationUsd;
    const offers = {
      fixed: offer(traces, needs.fixed, weights, options),
      stall: offer(traces, needs.stall, weights, options),
      adaptive: offer(traces, needs.adaptive, weights, options, limit),
    };
    const kind = options.only ?? choose(offers);
    if (short) {
      byHybrid ??= tollOfHybrid(traces, weights);
      const isCheaper = offers[kind].cost <= worthwhile * byHybrid.spent;
      if (!isCheaper && !isBroken(asked.target, byHybrid.lost, solves))
        return { kind: 'hybrid', lacking: 0, short };
    }
    const taken =
      kind === 'adaptive' ? finer(traces, needs.adaptive, weights, offers.adaptive) : offers[kind];
    const law = lawOf(kind, taken, whole.hazard, value?.iterationUsd ?? 1);
    return short ? { ...law, short } : law;
  };
}

function lawOf(kind: Rule, { dial, toll }: Offer, hazard: Hazard, unit: number): Law {
  const expected = {
    retained: toll.solved > 0 ? 1 - toll.lost / toll.solved : 1,
    saved: toll.recorded > 0 ? 1 - toll.spent / toll.recorded : 0,
  };
  switch (kind) {
    case 'fixed':
      return { kind, iterations: Math.max(1, dial), hazard, expected };
    case 'stall':
      return { kind, patience: Math.max(1, dial), hazard, expected };
    case 'adaptive':
      return { kind, limit: Math.max(Number.MIN_VALUE, dial * unit), hazard, expected };
  }
}

/** The hazard of all tasks but those of one fold, beginning where the whole one ended. */
const fitApart = (at: Decisions, fold: Int32Array, left: number, from: Float64Array): Hazard =>
  fitHazard(at, { use: (row) => fold[at.trace[row]!] !== left, from, steps: 2 }).hazard;

interface Offer {
  dial: number;
  /** The same promise kept more closely, where the dial may stand anywhere. */
  finer?: number;
  toll: Toll;
  /** What is compared: iterations, with each lost solve at its worth where it has one. */
  cost: number;
}

function offer(
  traces: readonly Trace[],
  needs: Needs,
  weights: Float64Array,
  { target, value }: LearnOptions,
  set?: number,
): Offer {
  const worth = value ? value.solveUsd / value.iterationUsd : 0;
  const at = (dial: number): Offer => {
    const toll = tollOf(traces, needs, dial, weights);
    return { dial, toll, cost: toll.spent + worth * toll.lost };
  };
  if (set !== undefined) return at(set);
  if (!value) {
    const kept = controlRisk(traces, needs, target, weights);
    return { ...at(kept.dial), finer: kept.finer };
  }
  const dials = new Set([1, ...needs.flatMap((one) => [...one])]);
  return [...dials].map(at).reduce((best, one) => (one.cost < best.cost ? one : best));
}

/** Rules are compared where all can stand; a price, unlike a number of iterations, can then be set more finely. */
function finer(traces: readonly Trace[], needs: Needs, weights: Float64Array, one: Offer): Offer {
  if (one.finer === undefined) return one;
  return { ...one, dial: one.finer, toll: tollOf(traces, needs, one.finer, weights) };
}

function choose({ fixed, stall, adaptive }: Record<Rule, Offer>): Rule {
  const plain = Math.min(fixed.cost, stall.cost);
  if (adaptive.cost <= worthwhile * plain) return 'adaptive';
  return fixed.cost <= stall.cost ? 'fixed' : 'stall';
}

/**
 * What a rule without a promise is measured by: the iterations that hybrid would have spent on the same runs, and how
 * many of their solves it would have given up.
 */
function tollOfHybrid(traces: readonly Trace[], weights: Float64Array): { spent: number; lost: number } {
  const hybrid = shipped({ kind: 'hybrid' });
  const toll = { spent: 0, lost: 0 };
  for (const [at, trace] of traces.entries()) {
    const spent = hybrid(trace);
    toll.spent += weights[at]! * spent;
    if (trace.solved && spent < trace.iterations.length) toll.lost += 1;
  }
  return toll;
}

/**
 * Whether so many were lost that chance does not explain it: whoever keeps the promise loses as many in fewer than one
 * record of twenty.
 */
function isBroken(target: number, lost: number, solved: number): boolean {
  const odds = (1 - target) / target;
  let exactly = target ** solved;
  let fewer = 0;
  for (let count = 0; count < lost; count++) {
    fewer += exactly;
    exactly *= ((solved - count) / (count + 1)) * odds;
  }
  return 1 - fewer < 0.05;
}

/**
 * How many runs each stands for. A run that its policy stopped shows nothing of what lay behind, and those that
 * ignored their stop stand for it. Where none ever did, it can only be taken as it is.
 */
function weightsOf(traces: readonly Trace[]): Float64Array {
  const isExplored = traces.some((trace) => trace.ignoredStop);
  return Float64Array.from(traces, ({ ignoredStop, endedBy }) => {
    if (ignoredStop) return 1 / ignoredStop.share;
    return isExplored && endedBy === 'policy' ? 0 : 1;
  });
}

const isSolvedLater = ({ solved, iterations }: Trace): boolean => solved && iterations.length > 1;

export const seenIn = (traces: readonly Trace[]): StoredModel['seen'] => ({
  runs: traces.length,
  solved: traces.filter((trace) => trace.solved).length,
  solvedLater: traces.filter(isSolvedLater).length,
  tasks: new Set(traces.map(taskKey)).size,
  decisions: traces.reduce((sum, { iterations }) => sum + iterations.length - 1, 0),
});
