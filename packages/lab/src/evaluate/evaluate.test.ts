import { describe, expect, it } from 'vitest';
import { makeChance } from '../sim/chance.ts';
import type { Trace } from '../traces/trace.ts';
import { bootstrap } from './bootstrap.ts';
import { calibrationOf } from './calibration.ts';
import { contenderOf } from './contenders.ts';
import { evaluate } from './evaluate.ts';
import { emptyTally } from './tally.ts';

const trace = (task: number, at: number | null, length = 10): Trace => {
  const failing = Array.from({ length: at === null ? length : at - 1 }, (_, i) => ({
    ok: false,
    score: 0,
    passed: 0,
    failed: 1,
    total: 1,
    gate: 'test',
    out: `${task}-${i}`,
    costUsd: 0.5,
  }));
  return {
    v: 1,
    source: 'mine',
    suite: 's',
    task: `t${task}`,
    model: 'agent',
    mode: 'repair',
    horizon: 10,
    solved: at !== null,
    iterations: at === null ? failing : [...failing, { ok: true, score: 1, gate: 'test', costUsd: 0.5 }],
  };
};
const train = Array.from({ length: 200 }, (_, at) => trace(at, at % 2 === 0 ? (at % 4) + 1 : null));
const test = [trace(900, 1), trace(901, 3), trace(902, null), trace(903, 6)];
const row = (name: string, target = 0.99) =>
  evaluate([{ train, test }], { target }).sources[0]!.rows.find(({ strategy }) => strategy === name)!;

describe('evaluating', () => {
  it('counts what a number would have kept, saved and cost', () => {
    expect(row('fixed-3')).toMatchObject({
      solved: 2,
      retained: expect.closeTo(2 / 3),
      iterationsPerRun: (1 + 3 + 3 + 3) / 4,
      saved: expect.closeTo(1 - 10 / 20),
      oracleShare: expect.closeTo(10 / 9),
      costUsd: 5,
    });
    expect(row('oracle')).toMatchObject({
      retained: 1,
      iterationsPerRun: (1 + 3 + 1 + 6) / 4,
      oracleShare: 1,
    });
  });

  it('learns from the training side alone', () => {
    expect(row('tuned fixed-N')).toMatchObject({ iterationsPerRun: (1 + 3 + 3 + 3) / 4 });
    const blind = evaluate([{ train: [], test }], { target: 0.99 }).sources[0]!;
    const of = (name: string) => blind.rows.find(({ strategy }) => strategy === name)!;
    expect(blind.learned).toEqual({ hybrid: 1 });
    expect({ ...of('adaptive'), strategy: '' }).toEqual({ ...of('hybrid'), strategy: '' });
  });

  it('says how much is missing where there was too little to learn from', () => {
    const missing = (of: Trace[], target = 0.99, judged = test) =>
      evaluate([{ train: of, test: judged }], { target }).sources[0]!.missing;
    expect(missing(train)).toEqual([]);
    expect(missing([])).toEqual([
      expect.stringMatching(/1 of 1 .*nothing was learned.*at most 10 more runs/),
    ]);
    // One run in four is solved after its first iteration: three of the first fourteen.
    expect(missing(train.slice(0, 14))).toEqual([expect.stringContaining('at most 7 more runs')]);
    expect(missing(train.slice(0, 100))).toEqual([
      '99 % can be promised from 99 solves on, and 1 of 1 training sides had fewer, the smallest 50: a rule was taken there only if it gives up none of them, and saves 3 % more than hybrid or hybrid plainly breaks the promise',
    ]);
    expect(missing(train.slice(0, 100), 0.9)).toEqual([]);
    const stranger = test.map((one) => ({ ...one, model: 'new' }));
    expect(missing(train, 0.99, stranger)).toEqual([
      expect.stringMatching(/hybrid decided 3 runs of agents of which fewer than 5/),
    ]);
  });

  it('leaves a source in which nothing can be saved out of the mean of the shares of the oracle', () => {
    const once = [0, 1, 2].map((task) => ({ ...trace(task, null, 1), source: 'once' }));
    const { macro } = evaluate([{ train, test: [...test, ...once] }], { target: 0.99 });
    const of = (name: string) => macro.at(-1)!.rows.find(({ strategy }) => strategy === name)!;
    expect(macro.at(-1)!.sources).toEqual(['mine', 'once']);
    expect(of('horizon')).toMatchObject({ saved: 0, oracleShare: 0 });
    expect(of('oracle')).toMatchObject({ saved: expect.closeTo(0.45 / 2), oracleShare: 1 });
    expect(of('fixed-3').oracleShare).toBeCloseTo(10 / 9);
  });

  it('gives the same figures every time', () => {
    const once = evaluate([{ train, test }], { target: 0.97, strategies: ['fixed-4', 'hybrid-2+4'] });
    expect(evaluate([{ train, test }], { target: 0.97, strategies: ['fixed-4', 'hybrid-2+4'] })).toEqual(
      once,
    );
    expect(once.sources[0]?.rows.map(({ strategy }) => strategy)).toEqual(
      expect.arrayContaining(['fixed-4', 'hybrid-2+4', 'stall-3', 'ralph', 'oracle']),
    );
  });

  it('names what can be evaluated when it does not know a strategy', () => {
    expect(() => contenderOf('fastest')).toThrow(/no strategy "fastest".*hybrid.*fixed-N/);
    expect(() => contenderOf('fixed-0')).toThrow(/fixed-0/);
    expect(() => evaluate([{ train, test: [] }], { target: 0.9 })).toThrow(/no traces to judge/);
  });

  it('judges a trace whose horizon is longer than any of ours', () => {
    const far = (horizon: number) => [train, test].map((side) => side.map((one) => ({ ...one, horizon })));
    const [learned = [], judged = []] = far(2_147_483_647);
    const { rows } = evaluate([{ train: learned, test: judged }], { target: 0.99 }).sources[0]!;
    expect(rows.find(({ strategy }) => strategy === 'hybrid')).toMatchObject({ solved: 3 });
  });

  it('takes the shipped strategies as they are', () => {
    const stops = (name: string, of: Trace) =>
      contenderOf(name).make(
        {
          model: () => {
            throw new Error();
          },
        },
        { target: 0.9 },
        [],
      )(of);
    const unmoved = trace(1, null);
    const idle = {
      ...unmoved,
      iterations: unmoved.iterations.map((one) => ({ ...one, out: 'same', failKey: 'k' })),
    };
    // The detector of work that does not move ends it at the third; a plain number does not look.
    expect(stops('hybrid', idle)).toBe(3);
    expect(stops('ralph', idle)).toBe(3);
    expect(stops('fixed-7', idle)).toBe(7);
    expect(stops('hybrid-3+2', trace(2, null))).toBe(3);
    expect(stops('stall-2', trace(3, null))).toBe(2);
  });
});

describe('intervals', () => {
  it('are about as wide as chance makes them, and never split a task', () => {
    const chance = makeChance(5);
    const tasks = Array.from({ length: 400 }, () => ({
      ...emptyTally(),
      runs: 10,
      solved: 10,
      kept: chance.happens(0.9) ? 10 : 0,
      iterations: 10,
      horizonIterations: 20,
      oracleIterations: 10,
    }));
    const { low, high } = bootstrap(new Map([['a', tasks]]), new Set(['a'])).macro.retained;
    // 400 tasks at 90 %: two standard errors are 3 points to each side. Of 4,000 single runs it would be one.
    expect(high - low).toBeGreaterThan(0.04);
    expect(high - low).toBeLessThan(0.08);
  });
});

describe('calibration', () => {
  it('is perfect when chances come true, and says how far off they are otherwise', () => {
    const of = (chance: number) => Array.from({ length: 100 }, (_, at) => ({ chance, passed: at < 30 }));
    expect(calibrationOf(of(0.3))).toMatchObject({ ece: expect.closeTo(0), brier: expect.closeTo(0.21) });
    expect(calibrationOf(of(0.8))).toMatchObject({ ece: expect.closeTo(0.5) });
    expect(calibrationOf([])).toBeNull();
  });
});
