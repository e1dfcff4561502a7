import { describe, expect, it } from 'vitest';
import type { Trace } from '../traces/trace.ts';
import { splitApart, splitFolds } from './split.ts';

const trace = (source: string, task: string, model: string, taskGroup?: string): Trace => ({
  v: 1,
  source,
  suite: 's',
  task,
  model,
  mode: 'repair',
  horizon: 10,
  solved: false,
  iterations: [{ ok: false, score: 0, gate: 'test' }],
  ...(taskGroup === undefined ? {} : { taskGroup }),
});
const pile = ['a', 'b'].flatMap((source) =>
  ['x', 'y'].flatMap((model) =>
    Array.from({ length: 12 }, (_, at) => trace(source, `t${at}`, model, at < 4 ? 'alike' : undefined)),
  ),
);
const keys = (traces: readonly Trace[]) =>
  new Set(
    traces.flatMap((one) => [
      `${one.source} ${one.task}`,
      ...(one.taskGroup ? [`${one.source} ${one.taskGroup}`] : []),
    ]),
  );

describe('splitting traces', () => {
  it.each(['task', 'source', 'model'] as const)(
    'by %s judges each run once, and no task on both sides',
    (by) => {
      const splits = splitFolds(pile, 3, by);
      const judged = splits.flatMap(({ test }) => test);
      expect(judged).toHaveLength(pile.length);
      expect(new Set(judged).size).toBe(pile.length);
      for (const { train, test } of splits) {
        expect(train.length).toBeGreaterThan(0);
        expect([...keys(train)].filter((key) => keys(test).has(key))).toEqual([]);
      }
    },
  );

  it('by source and by model lets nothing of the judged kind be learned from', () => {
    for (const { train, test } of splitFolds(pile, 3, 'source'))
      expect(train.some((one) => test.some(({ source }) => source === one.source))).toBe(false);
    for (const { train, test } of splitFolds(pile, 3, 'model'))
      expect(train.some((one) => one.source === test[0]?.source && one.model === test[0]?.model)).toBe(false);
  });

  it('takes judged tasks out of what is learned from, also by their group, and tells how many runs that were', () => {
    const { split, dropped } = splitApart(pile, [trace('a', 'new', 'z', 'alike'), trace('b', 't7', 'z')]);
    expect(dropped).toBe(8 + 2);
    expect(split.train).toHaveLength(pile.length - 10);
  });

  it('says what is missing when there are fewer tasks than folds', () => {
    expect(() => splitFolds(pile.slice(0, 2), 5, 'task')).toThrow(
      /5 folds need as many tasks; there is only 1/,
    );
    expect(() => splitFolds(pile.slice(0, 12), 2, 'source')).toThrow(/two at least; there is only a/);
  });

  it('is the same in whatever order the traces come', () => {
    const sides = (traces: readonly Trace[]) =>
      splitFolds(traces, 3, 'task').map(({ test }) => [...keys(test)].sort());
    expect(sides([...pile].reverse())).toEqual(sides(pile));
  });
});
