import type { Assessment } from './assess.ts';
import type { IterationRecord, RunState } from './state.ts';

export type Trend = 'improving' | 'stagnant' | 'regressing';

/** A score must move by more than this to be a trend. */
const deadBand = 0.05;

export interface Metrics {
  /** 0 to 1: the mean closeness of the gates to passing. */
  overall: number;
  byGate: Record<string, { currentLevel: number; previousLevel: number | null; trend: Trend }>;
  trend: Trend;
  /** Score per iteration since the beginning. */
  velocity: number;
  /** Slope of the score over the last three iterations. */
  recentVelocity: number;
  /** Null while the slope does not point to the goal. */
  estimatedIterations: number | null;
  estimatedMs: number | null;
}

/** Measures progress as a pure function of the state and the iteration at hand; asking twice changes nothing. */
export function measure(state: Pick<RunState, 'judged' | 'footing'>, now: Assessment): Metrics {
  const series = [...state.judged.slice(-2), ...(now.judged ? [asPoint(now)] : [])];
  const overall = now.judged ? now.score : (state.judged.at(-1)?.score ?? 0);
  const recentVelocity = slope(series.map((one) => one.score));
  const estimatedIterations = recentVelocity > 1e-9 ? Math.ceil((1 - overall) / recentVelocity) : null;
  const meanMs = mean(series.map((one) => one.tookMs));
  return {
    overall,
    byGate: Object.fromEntries(
      now.standings.map(({ gate, level }) => {
        const previousLevel = state.footing.levels.get(gate.name) ?? null;
        return [gate.name, { currentLevel: level, previousLevel, trend: byScore(previousLevel, level) }];
      }),
    ),
    trend: trendOf(state.judged.at(-1) ?? null, now),
    velocity: now.current.iteration === 0 ? 0 : overall / now.current.iteration,
    recentVelocity,
    estimatedIterations,
    estimatedMs: estimatedIterations === null ? null : Math.round(estimatedIterations * meanMs),
  };
}

/** By the failures where they differ, by the score otherwise (C-25). The first iteration has no trend yet. */
export function trendOf(
  before: IterationRecord | null,
  now: Pick<Assessment, 'unmasked' | 'failures' | 'score' | 'judged' | 'opaque'>,
): Trend {
  if (!before || !now.judged) return 'stagnant';
  if (now.unmasked) return 'improving';
  // Where a gate no longer shows what fails, fewer failures in sight are not fewer failures.
  if (now.opaque !== before.opaque) return now.opaque < before.opaque ? 'improving' : 'regressing';
  if (now.failures.size !== before.failures)
    return now.failures.size < before.failures ? 'improving' : 'regressing';
  return byScore(before.score, now.score);
}

/** The labels of the older designs for a trend (requirements 3.6). */
export const trendLabels: Record<Trend, { plan: string; graph: string | null }> = {
  improving: { plan: 'PROGRESSING', graph: 'progress' },
  stagnant: { plan: 'STUCK', graph: 'stall' },
  regressing: { plan: 'DIVERGING', graph: null },
};

function byScore(before: number | null, now: number): Trend {
  if (before === null || Math.abs(now - before) <= deadBand) return 'stagnant';
  return now > before ? 'improving' : 'regressing';
}

function slope(values: readonly number[]): number {
  if (values.length < 2) return 0;
  return (values.at(-1)! - values[0]!) / (values.length - 1);
}

const asPoint = (now: Assessment) => ({ score: now.score, tookMs: now.current.tookMs });
const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((a, b) => a + b, 0) / values.length;
