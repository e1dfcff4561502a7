import { describe, expect, it } from 'vitest';
import { intervalsOf } from './intervals.ts';

const run = (task: string, over: number, under = 1) => ({ task, parts: { kept: { over, under } } });
const intervalOf = (runs: ReturnType<typeof run>[]) => intervalsOf(['kept'], runs).kept;
const half = Array.from({ length: 40 }, (_, at) => run(`t${at}`, at % 2));

describe('an interval over tasks', () => {
  it('lies around the share, and is the same every time, in whatever order the runs come', () => {
    const interval = intervalOf(half);
    expect(interval.value).toBe(0.5);
    expect(interval.low).toBeGreaterThan(0.3);
    expect(interval.low).toBeLessThan(0.45);
    expect(interval.high).toBeGreaterThan(0.55);
    expect(intervalOf(half)).toEqual(interval);
    expect(intervalOf(half.toReversed())).toEqual(interval);
  });
  it('is wider where many runs are of few tasks', () => {
    const few = half.map((one, at) => ({ ...one, task: `t${at % 4}` }));
    const wide = intervalOf(few);
    const narrow = intervalOf(half);
    expect(wide.high - wide.low).toBeGreaterThan(narrow.high - narrow.low);
  });
  it('says nothing more than it knows of one task, and of none', () => {
    expect(intervalOf([run('a', 1), run('a', 0)])).toEqual({ value: 0.5, low: 0.5, high: 0.5 });
    expect(intervalOf([run('a', 0, 0)])).toEqual({ value: 0, low: 0, high: 0 });
  });
});
