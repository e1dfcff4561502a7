import {
  assess,
  type Clock,
  effectiveLimit,
  type Event,
  type Metrics,
  measure,
  type RunSpec,
  type RunState,
  type Trend,
} from '@agentgate/core';

/** How far a run is. Can be asked at any time. */
export interface Progress {
  /** The iteration that is being worked on, or the last one; 0 before the first. */
  iteration: number;
  /** The number of iterations that binds: the smallest of all caps. */
  maxIterations: number;
  /** Active time in milliseconds: builds, snapshots, gates. Waiting does not count. */
  elapsed: number;
  maxWallClock: number;
  gatesPassed: number;
  gatesTotal: number;
  trend: Trend;
  /** Only while the score rises, and the run goes on. */
  estimatedRemaining?: { iterations: number; ms: number };
  /** The measures behind the trend; null until every gate was judged once. */
  metrics: Metrics | null;
}

/** Follows a run and answers how far it is, without waiting for anything. */
export interface ProgressView {
  watch(event: Event, state: RunState): void;
  read(): Progress;
}

export function makeProgress(
  clock: Clock,
  spec: Pick<RunSpec, 'limits' | 'gates' | 'strategy'> | null,
): ProgressView {
  let state: RunState | null = null;
  let gatesPassed = 0;
  let metrics: Metrics | null = null;
  /** When the step that is under way began. */
  let sinceMs: number | null = null;
  let shownMs = 0;
  return {
    watch(event, now) {
      state = now;
      sinceMs = isWorking(now) ? clock.monoMs() : null;
      if (event.kind !== 'gate.judged' || event.iteration === 0 || !now.current) return;
      const assessment = assess(now, now.current);
      gatesPassed = assessment.standings.filter((one) => one.passed).length;
      if (assessment.judged) metrics = measure(now, assessment);
    },
    read() {
      const runningMs = sinceMs === null ? 0 : clock.monoMs() - sinceMs;
      // A step is counted as it runs and again when it is recorded; the larger count is shown, so time never runs back.
      shownMs = Math.max(shownMs, (state?.activeMs ?? 0) + runningMs);
      const { estimatedIterations: iterations = null, estimatedMs: ms = null } = metrics ?? {};
      const open = state !== null && !state.ended;
      return {
        iteration: state?.iteration ?? 0,
        maxIterations: effectiveLimit(state ?? { spec: spec as RunSpec | null, granted: 0 }).limit,
        elapsed: shownMs,
        maxWallClock: spec?.limits.wallClock ?? 0,
        gatesPassed,
        gatesTotal: spec?.gates.length ?? 0,
        trend: metrics?.trend ?? 'stagnant',
        ...(open && iterations !== null && ms !== null ? { estimatedRemaining: { iterations, ms } } : {}),
        metrics,
      };
    },
  };
}

const isWorking = ({ open }: RunState): boolean =>
  open?.kind === 'start-iteration' || open?.kind === 'judge' || open?.kind === 'measure-baseline';
