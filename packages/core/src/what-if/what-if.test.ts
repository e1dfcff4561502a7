import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RunSpec } from '../spec.ts';
import { failed, green, play, red, specOf, type World } from '../testing/play.ts';
import type { Verdict } from '../verdict.ts';
import { recordedRun, whatIf, whyNoWhatIf } from './what-if.ts';

type Strategy = RunSpec['strategy'];
const strategyOf = (strategy: unknown): Strategy => specOf({ strategy }).strategy;

/** What happens in an iteration depends on its number alone, so that it is the same under every strategy. */
interface Fate {
  tree: string;
  verdict: Verdict;
  tokens: number;
  costUsd: number;
}
const worldOf = (fates: readonly Fate[]): World => {
  const fate = (n: number) => fates[(n - 1) % fates.length]!;
  return {
    turn: (n) => ({ tree: `${n}-${fate(n).tree}`, tokens: fate(n).tokens, costUsd: fate(n).costUsd }),
    judge: (_gate, _tree, n) => (n === 0 ? failed(['a', 'b', 'c', 'd']) : fate(n).verdict),
  };
};
const plainWorld = (verdicts: readonly Verdict[]): World =>
  worldOf(verdicts.map((verdict) => ({ tree: 't', verdict, tokens: 100, costUsd: 0.5 })));

const stubborn = failed(['a', 'b', 'c']);
const specUnder = (strategy: unknown, more: Record<string, unknown> = {}): RunSpec =>
  specOf({ strategy, stuck: 'off', limits: { iterations: 12 }, ...more });

describe('another strategy on a recorded run', () => {
  const solvedAtSix = [...Array<Verdict>(5).fill(stubborn), green];
  const { events } = play(specUnder({ kind: 'fixed', iterations: 12 }), plainWorld(solvedAtSix));

  it('says what stopping earlier would have saved, and that the solve would have been lost', () => {
    const told = whatIf(events, strategyOf({ kind: 'fixed', iterations: 2 }));
    expect(told).toMatchObject({
      ends: 'earlier',
      code: 'limit.iterations',
      solved: false,
      losesSolve: true,
      spent: { iterations: 2, tokens: 200, costUsd: 1 },
      saved: { iterations: 4, tokens: 400, costUsd: 2 },
      betterLater: { iteration: 6, failures: 0 },
    });
    expect(told.saved.activeMs).toBe(recordedRun(events).spent.activeMs - told.spent.activeMs);
  });
  it('loses nothing where it goes as far as the record', () => {
    expect(whatIf(events, strategyOf({ kind: 'fixed', iterations: 9 }))).toMatchObject({
      ends: 'same',
      solved: true,
      losesSolve: false,
      saved: { iterations: 0, activeMs: 0, tokens: 0, costUsd: 0 },
      betterLater: null,
    });
  });
  it('knows nothing of what lies beyond the recorded end', () => {
    const short = play(specUnder({ kind: 'fixed', iterations: 2 }), plainWorld(solvedAtSix)).events;
    expect(whatIf(short, strategyOf({ kind: 'fixed', iterations: 5 }))).toMatchObject({
      ends: 'beyond',
      status: null,
      code: null,
      solved: false,
      losesSolve: false,
      spent: { iterations: 2 },
      saved: { iterations: 0 },
    });
  });
  it('switches on the detectors that the recorded strategy had none of', () => {
    const idle: World = { turn: () => ({ tokens: 1 }), judge: () => stubborn };
    const still = play(specUnder({ kind: 'fixed', iterations: 6 }), idle).events;
    expect(whatIf(still, strategyOf('hybrid'))).toMatchObject({
      ends: 'earlier',
      code: 'no-progress.no-changes',
      spent: { iterations: 2 },
    });
  });
  it('makes moves of its own where it would, and says what that takes for granted', () => {
    const ladder = { stuck: { moves: ['differently', 'fresh'] } };
    const { events } = play(
      specUnder({ kind: 'fixed', iterations: 10 }, ladder),
      plainWorld([failed(['a', 'b', 'c', 'd'])]),
    );
    const told = whatIf(events, strategyOf('hybrid'));
    expect(told.steps.filter((one) => one.move).map((one) => one.move)).toEqual(['differently', 'fresh']);
    expect(told.assumptions[0]).toMatch(
      /it would have made a move \(try differently\); the recorded iteration/,
    );
  });
  it('takes moves of the record as they were, where it would have made none', () => {
    const { events } = play(
      specUnder('hybrid', { stuck: { moves: ['differently', 'revert'] } }),
      plainWorld([failed(['a', 'b', 'c']), failed(['a', 'b', 'c', 'd', 'e'])]),
    );
    expect(recordedRun(events).steps.some((one) => one.move === 'revert')).toBe(true);
    const told = whatIf(events, strategyOf({ kind: 'fixed', iterations: 30 }));
    expect(told.assumptions.join('\n')).toMatch(/which it would not have made there/);
  });
  it('lets a person who went on go on', () => {
    const first = play(specUnder({ kind: 'fixed', iterations: 2 }), plainWorld(solvedAtSix)).events;
    const world = plainWorld(solvedAtSix);
    const { events } = play(specUnder({ kind: 'fixed', iterations: 2 }), world, first, 'r2', {
      iterations: 4,
    });
    expect(recordedRun(events)).toMatchObject({ solved: true, spent: { iterations: 6 } });
    expect(whatIf(events, strategyOf({ kind: 'fixed', iterations: 2 }))).toMatchObject({
      ends: 'same',
      solved: true,
    });
    expect(whatIf(events, strategyOf({ kind: 'fixed', iterations: 1 }))).toMatchObject({
      ends: 'earlier',
      losesSolve: true,
    });
  });
  it('refuses strategies that would have asked somebody', () => {
    expect(whyNoWhatIf(strategyOf('manual'))).toMatch(/a person/);
    expect(whyNoWhatIf(strategyOf('hybrid'))).toBeNull();
  });
});

const anyVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(green) },
  {
    weight: 6,
    arbitrary: fc
      .uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 5 })
      .map((ids) => failed(ids.map((id) => `f${id}`))),
  },
  { weight: 2, arbitrary: fc.constantFrom(red('a'), red('b')) },
);
const anyWorld = fc
  .array(
    fc.record({
      tree: fc.constantFrom('x', 'y'),
      verdict: anyVerdict,
      tokens: fc.nat(1000),
      costUsd: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map(worldOf);
const anyStrategy = fc.constantFrom<unknown>(
  'hybrid',
  'ralph',
  'adaptive',
  { kind: 'fixed', iterations: 2 },
  { kind: 'fixed', iterations: 4 },
  { kind: 'hybrid', base: 1, bonus: 3 },
  { kind: 'ralph', min: 2, max: 6 },
);
const anyStuck = fc.constantFrom<unknown>('off', { moves: ['differently', 'fresh'] });

describe('whatever happened', () => {
  it('a run under its own strategy is what was recorded', () =>
    fc.assert(
      fc.property(anyWorld, anyStrategy, anyStuck, (world, strategy, stuck) => {
        const spec = specUnder(strategy, { stuck });
        const { events, state } = play(spec, world);
        const told = whatIf(events, spec.strategy);
        const recorded = recordedRun(events);
        expect(told).toMatchObject({ ends: 'same', code: state.ended!.code, assumptions: [] });
        expect(told.steps).toEqual(recorded.steps);
        expect(told.spent).toEqual(recorded.spent);
      }),
      { numRuns: 300 },
    ));
  it('another strategy stops where it really stops when it is the one that runs', () =>
    fc.assert(
      fc.property(anyWorld, anyStrategy, anyStuck, (world, strategy, stuck) => {
        const recorded = play(specUnder({ kind: 'fixed', iterations: 12 }, { stuck }), world);
        const real = play(specUnder(strategy, { stuck }), world);
        const told = whatIf(recorded.events, strategyOf(strategy));
        expect(told).toMatchObject({
          status: real.state.ended!.status,
          spent: {
            iterations: real.state.iteration,
            tokens: real.state.tokens,
            activeMs: real.state.activeMs,
          },
          solved: real.state.ended!.status === 'converged',
        });
        expect(told.steps.map((one) => [one.kind, one.move, one.code])).toEqual(
          recordedRun(real.events).steps.map((one) => [one.kind, one.move, one.code]),
        );
      }),
      { numRuns: 300 },
    ));
});
