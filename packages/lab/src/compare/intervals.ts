import { makeChance } from '../sim/chance.ts';

/** A share with the range in which it lies for 95 of 100 histories like this one. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** What one run adds above and below the line of each ratio. */
export interface Part {
  over: number;
  under: number;
}

const draws = 1_000;
const seed = 1;

/**
 * Ratios of sums, with intervals by drawing whole tasks anew: runs of one task resemble each other, and counting them
 * as if they did not would make the intervals too narrow. The same parts give the same intervals, in whatever order
 * their tasks come.
 */
export function intervalsOf<K extends string>(
  names: readonly K[],
  runs: readonly { task: string; parts: Record<K, Part> }[],
): Record<K, Interval> {
  const clusters = [...groupedByTask(names, runs).entries()].sort(([a], [b]) => (a < b ? -1 : 1));
  const sums = clusters.map(([, parts]) => parts);
  const chance = makeChance(seed);
  const drawn = Array.from({ length: draws }, () => {
    const picked = sums.map(() => chance.pick(sums));
    return Object.fromEntries(names.map((name) => [name, ratio(name, picked)])) as Record<K, number>;
  });
  const intervals = names.map((name) => {
    const sorted = drawn.map((one) => one[name]).sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(draws - 1, Math.floor(share * draws))] ?? Number.NaN;
    return [name, { value: ratio(name, sums), low: at(0.025), high: at(0.975) }] as const;
  });
  return Object.fromEntries(intervals) as Record<K, Interval>;
}

function groupedByTask<K extends string>(
  names: readonly K[],
  runs: readonly { task: string; parts: Record<K, Part> }[],
): Map<string, Record<K, Part>> {
  const tasks = new Map<string, Record<K, Part>>();
  for (const { task, parts } of runs) {
    const before = tasks.get(task);
    const sum = names.map((name) => {
      const { over, under } = before?.[name] ?? { over: 0, under: 0 };
      return [name, { over: over + parts[name].over, under: under + parts[name].under }] as const;
    });
    tasks.set(task, Object.fromEntries(sum) as Record<K, Part>);
  }
  return tasks;
}

/** Where nothing stands below the line, nothing was lost and nothing saved: the whole of nothing. */
function ratio<K extends string>(name: K, picked: readonly Record<K, Part>[]): number {
  let over = 0;
  let under = 0;
  for (const parts of picked) {
    over += parts[name].over;
    under += parts[name].under;
  }
  return under === 0 ? 0 : over / under;
}
