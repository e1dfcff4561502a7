/** How well the foretold chances of the next iteration came true. */
export interface Calibration {
  decisions: number;
  /** Mean distance between what was foretold and what came, weighted by how often it was foretold. */
  ece: number;
  brier: number;
  /** The Brier score of always foretelling the mean. */
  brierOfMean: number;
  bins: { from: number; to: number; decisions: number; foretold: number; came: number }[];
}

export interface Foretold {
  chance: number;
  passed: boolean;
}

const edges = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 1];

export function calibrationOf(foretold: readonly Foretold[]): Calibration | null {
  if (foretold.length === 0) return null;
  const mean = foretold.filter((one) => one.passed).length / foretold.length;
  const bins = edges.slice(1).flatMap((to, at) => {
    const from = edges[at]!;
    const inside = foretold.filter(({ chance }) => chance >= from && (chance < to || to === 1));
    if (inside.length === 0) return [];
    const average = (of: (one: Foretold) => number) =>
      inside.reduce((sum, one) => sum + of(one), 0) / inside.length;
    return [
      {
        from,
        to,
        decisions: inside.length,
        foretold: average(({ chance }) => chance),
        came: average(({ passed }) => Number(passed)),
      },
    ];
  });
  const squared = (of: (one: Foretold) => number) =>
    foretold.reduce((sum, one) => sum + (of(one) - Number(one.passed)) ** 2, 0) / foretold.length;
  return {
    decisions: foretold.length,
    ece:
      bins.reduce((sum, one) => sum + one.decisions * Math.abs(one.foretold - one.came), 0) / foretold.length,
    brier: squared(({ chance }) => chance),
    brierOfMean: squared(() => mean),
    bins,
  };
}
