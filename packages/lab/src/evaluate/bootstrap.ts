import { makeChance } from '../sim/chance.ts';
import { addTally, emptyTally, type Figures, figuresOf, macroOf, type Tally } from './tally.ts';

export interface Interval {
  low: number;
  high: number;
}

/** Intervals of 95 %, from drawing the tasks again: runs of one task resemble each other and are drawn together. */
export interface Intervals {
  retained: Interval;
  saved: Interval;
}

const draws = 400;

/** Per source the tallies of its tasks; the intervals of each source and of the macro of some. */
export function bootstrap(
  sources: ReadonlyMap<string, readonly Tally[]>,
  macro: ReadonlySet<string>,
): { bySource: Map<string, Intervals>; macro: Intervals } {
  const chance = makeChance(8);
  const drawn = [...sources].map(([source, tasks]) => ({
    source,
    figures: Array.from({ length: draws }, () => {
      const total = emptyTally();
      for (let at = 0; at < tasks.length; at++) addTally(total, chance.pick(tasks));
      return figuresOf(total);
    }),
  }));
  const counted = drawn.filter(({ source }) => macro.has(source));
  const means = Array.from({ length: draws }, (_, at) => macroOf(counted.map(({ figures }) => figures[at]!)));
  return {
    bySource: new Map(drawn.map(({ source, figures }) => [source, intervalsOf(figures)])),
    macro: intervalsOf(means),
  };
}

const intervalsOf = (figures: readonly Figures[]): Intervals => ({
  retained: middle(figures.map((one) => one.retained)),
  saved: middle(figures.map((one) => one.saved)),
});

function middle(values: readonly number[]): Interval {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}
