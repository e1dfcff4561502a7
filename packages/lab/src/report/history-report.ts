import { judgeOn, learnedFrom, type StoredModel, type StrategySpec, whatIf } from '@agentgate/core';
import { type Compared, compare, type PastRun } from '../compare/compare.ts';
import { contenderOf } from '../compare/contender.ts';
import { type Calibration, calibrationOf, type Foretold } from '../evaluate/calibration.ts';
import { learnFor } from '../learning/learn-for.ts';
import { modelsApart } from '../learning/models-apart.ts';
import { situationAfter } from '../traces/situation.ts';
import type { Trace } from '../traces/trace.ts';

type Adaptive = Extract<StrategySpec, { kind: 'adaptive' }>;

/** What was known after so many runs, and what it would have made of the runs that followed. */
export interface CurvePoint {
  learnedFrom: number;
  judgedOn: number;
  rule: 'hybrid' | 'fixed' | 'stall' | 'adaptive';
  /** Recorded solves of those that followed, and how many of them it would have kept. */
  solved: number;
  kept: number;
  iterations: number;
  saved: number;
}

/** What `adaptive` comes to on a history. */
export interface HistoryReport {
  runs: number;
  tasks: number;
  solved: number;
  rows: Compared[];
  curve: CurvePoint[];
  /** Null while nothing is foretold: too little was learned. */
  calibration: Calibration | null;
}

const points = 12;

/** Judges `adaptive` on a history, the newest run first, each time on runs that it did not learn from. */
export function reportHistory(
  runs: readonly PastRun[],
  strategy: Adaptive,
  others: readonly { name: string; strategy: StrategySpec }[],
): HistoryReport {
  const named = [{ name: 'adaptive', strategy }, ...others];
  const rows = compare(
    runs,
    named.map((one) => contenderOf(one, runs)),
  );
  return {
    runs: runs.length,
    tasks: rows[0]?.tasks ?? 0,
    solved: rows[0]?.solved ?? 0,
    rows,
    curve: curveOf(runs.toReversed(), strategy),
    calibration: calibrationOf(foretoldOn(runs, strategy)),
  };
}

/** As it would have been: learned from what was there, judged on what came next. */
function curveOf(runs: readonly PastRun[], strategy: Adaptive): CurvePoint[] {
  const steps = Math.min(points, runs.length - 1);
  return Array.from({ length: Math.max(0, steps) }, (_, at) => {
    const from = Math.ceil(((at + 1) * (runs.length - 1)) / steps);
    const before = Math.ceil((at * (runs.length - 1)) / steps);
    const to = Math.min(runs.length, from + Math.max(1, from - before));
    const past = runs.slice(0, from).toReversed();
    const model = learnFor(
      past.map(({ trace }) => trace),
      strategy,
    );
    return pointOf(model, strategy, from, runs.slice(from, to));
  });
}

function pointOf(model: StoredModel, strategy: Adaptive, from: number, next: readonly PastRun[]): CurvePoint {
  const point: CurvePoint = {
    learnedFrom: from,
    judgedOn: next.length,
    rule: model.laws.repair?.kind ?? 'hybrid',
    solved: 0,
    kept: 0,
    iterations: 0,
    saved: 0,
  };
  for (const { events, trace } of next) {
    const { losesSolve, saved, spent } = whatIf(events, strategy, {
      begun: (event) => ({ ...event, learned: { ...learnedFrom(model, event.runId), explores: false } }),
    });
    point.solved += trace.solved ? 1 : 0;
    point.kept += trace.solved && !losesSolve ? 1 : 0;
    point.iterations += saved.iterations + spent.iterations;
    point.saved += saved.iterations;
  }
  return point;
}

/** Every chance that was told of an iteration which then took place, by a model that did not know the task. */
function foretoldOn(runs: readonly PastRun[], strategy: Adaptive): Foretold[] {
  const traces = runs.map(({ trace }) => trace);
  const models = modelsApart(traces, strategy);
  return traces.flatMap((trace) => foretoldIn(trace, models.get(trace) ?? null));
}

function foretoldIn(trace: Trace, model: StoredModel | null): Foretold[] {
  if (!model) return [];
  return trace.iterations.slice(1).flatMap(({ ok }, at) => {
    const forecast = judgeOn(model, situationAfter(trace, at + 1));
    return forecast.kind === 'learned' ? [{ chance: forecast.chance, passed: ok }] : [];
  });
}
