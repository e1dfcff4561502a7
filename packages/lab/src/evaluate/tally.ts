/** What one contender did with the runs of one task. Sums, so that tasks can be drawn again. */
export interface Tally {
  runs: number;
  solved: number;
  kept: number;
  iterations: number;
  horizonIterations: number;
  oracleIterations: number;
  costUsd: number;
  tokens: number;
}

export const emptyTally = (): Tally => ({
  runs: 0,
  solved: 0,
  kept: 0,
  iterations: 0,
  horizonIterations: 0,
  oracleIterations: 0,
  costUsd: 0,
  tokens: 0,
});

export function addTally(to: Tally, one: Tally, times = 1): void {
  to.runs += times * one.runs;
  to.solved += times * one.solved;
  to.kept += times * one.kept;
  to.iterations += times * one.iterations;
  to.horizonIterations += times * one.horizonIterations;
  to.oracleIterations += times * one.oracleIterations;
  to.costUsd += times * one.costUsd;
  to.tokens += times * one.tokens;
}

/** The figures of a table's row. */
export interface Figures {
  /** Share of the runs solved at the horizon that are still solved. */
  retained: number;
  /** Share of the horizon's iterations that is not spent. */
  saved: number;
  /** Share of what the oracle saves. */
  oracleShare: number;
  iterationsPerRun: number;
}

export const figuresOf = (one: Tally): Figures => ({
  retained: share(one.kept, one.solved, 1),
  saved: 1 - share(one.iterations, one.horizonIterations, 1),
  oracleShare: share(one.horizonIterations - one.iterations, one.horizonIterations - one.oracleIterations, 1),
  iterationsPerRun: share(one.iterations, one.runs, 0),
});

/** The plain mean over sources, each of which counts the same. */
export function macroOf(rows: readonly Figures[]): Figures {
  const mean = (of: (one: Figures) => number) =>
    share(
      rows.reduce((sum, one) => sum + of(one), 0),
      rows.length,
      0,
    );
  return {
    retained: mean((one) => one.retained),
    saved: mean((one) => one.saved),
    oracleShare: mean((one) => one.oracleShare),
    iterationsPerRun: mean((one) => one.iterationsPerRun),
  };
}

const share = (part: number, whole: number, otherwise: number): number =>
  whole === 0 ? otherwise : part / whole;
