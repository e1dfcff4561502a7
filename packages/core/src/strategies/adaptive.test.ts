import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventBody } from '../event.ts';
import { explainRun } from '../explain.ts';
import { type Learned, learnedFrom } from '../learned.ts';
import { blankModel, featureNames, type Law, type StoredModel } from '../policy/index.ts';
import { replay } from '../replay.ts';
import { failed, green, type Played, play, red, specOf, type World } from '../testing/play.ts';
import type { Verdict } from '../verdict.ts';

const logit = (chance: number): number => Math.log(chance / (1 - chance));
const zeros = featureNames.map(() => 0);

/** A model that knows nothing but how likely each iteration is. */
function modelOf(chances: readonly number[], limit: number, explore = 0): StoredModel {
  const law: Law = {
    kind: 'adaptive',
    limit,
    expected: { retained: 0.99, saved: 0.4 },
    hazard: {
      features: 1,
      base: chances.map(logit),
      groups: { true: { rate: 0, byIteration: chances.map(logit) } },
      gates: {},
      means: zeros,
      scales: zeros.map(() => 1),
      weights: zeros,
      ahead: zeros,
      intercept: 0,
      aheadIntercept: 0,
      gateWeight: 0,
      gateAhead: 0,
      lookahead: 3,
    },
  };
  return { ...blankModel(0.99, explore), laws: { repair: law } };
}
const known = (chances: readonly number[], limit: number, explores = false): Learned => ({
  ...learnedFrom(modelOf(chances, limit, 0.05), 'r1'),
  explores,
});
const stuckWorld = (learned?: Learned): World => ({
  turn: (n) => ({ tree: `t${n}`, similar: [0.5] }),
  judge: (_gate, _tree, n) => failed(Array.from({ length: 9 - Math.min(n, 8) }, (_, at) => `f${at}`)),
  ...(learned ? { learned } : {}),
});
const spec = (more: Record<string, unknown> = {}) =>
  specOf({ strategy: 'adaptive', limits: { iterations: 12 }, ...more });
const codesOf = ({ decisions }: Played): string[] =>
  decisions.flatMap((one) => (one.kind === 'judge' ? [] : [`${one.kind} ${one.because.code}`]));
const endOf = ({ state }: Played) => [state.ended!.code, state.iteration];

describe('adaptive with a model', () => {
  it('goes on while a solve costs no more than it may, and ends where it would', () => {
    const played = play(spec(), stuckWorld(known([0.4, 0.4, 0.01], 5)));
    expect(endOf(played)).toEqual(['strategy.learned', 3]);
    const went = played.decisions.filter((one) => one.because.code === 'continue.learned');
    expect(went).toHaveLength(2);
    expect(went[0]?.because).toMatchObject({
      confidence: 0.99,
      evidence: {
        chance: expect.closeTo(0.4),
        price: expect.any(Number),
        limit: 5,
        rule: 'adaptive',
        model: expect.stringMatching(/^[0-9a-f]+$/),
        reasons: [expect.any(String), expect.any(String)],
      },
    });
    expect(played.state.ended?.reason).toMatch(
      /^another iteration is not worth it: the next iteration passes with 1 %, and a solve costs 100 iterations, of at most 5 \(.*; .*\)$/,
    );
  });
  it('says in every reason what a few solves cannot promise, and is no surer than they let it be', () => {
    const model = modelOf([0.4, 0.01], 5);
    const law = { ...model.laws.repair, short: { solves: 19, needed: 99 } } as Law;
    const expected = { ...(law as Extract<Law, { kind: 'adaptive' }>).expected, retained: 1 };
    const few = { ...model, laws: { repair: { ...law, expected } as Law } };
    const played = play(spec(), stuckWorld(learnedFrom(few, 'r1')));
    expect(endOf(played)).toEqual(['strategy.learned', 2]);
    for (const { because } of played.decisions.filter(({ because }) => /learned/.test(because.code))) {
      expect(because.reason).toMatch(/; a promise of 99 % needs 99 solves; 19 are recorded$/);
      expect(because.confidence).toBeCloseTo(0.95);
    }
  });
  it('ends at once where it would stop: no move of the ladder is paid for any more', () => {
    const played = play(spec(), stuckWorld(known([0.01], 5)));
    expect(endOf(played)).toEqual(['strategy.learned', 1]);
  });
  it('leaves a failed build to its own rule', () => {
    const world = stuckWorld(known([0.01], 5));
    const failing: World = { ...world, turn: () => ({ end: { kind: 'failed', detail: 'x' } }) };
    expect(codesOf(play(spec({ stuck: 'off' }), failing))).toContain('start-iteration continue.failed-build');
    expect(endOf(play(spec({ stuck: 'off' }), failing))).toEqual(['strategy.agent-fails', 5]);
  });
  it('ignores its stop in the runs that explore, as far as it looks ahead, and says so', () => {
    const played = play(spec(), stuckWorld(known([0.4, 0.01], 5, true)));
    expect(endOf(played)).toEqual(['strategy.learned', 5]);
    const ignored = played.decisions.filter((one) => one.because.code === 'continue.explore');
    expect(ignored.map((one) => 'iteration' in one && one.iteration)).toEqual([3, 4, 5]);
    expect(ignored[0]?.because).toMatchObject({
      reason: expect.stringMatching(
        /^another iteration is not worth it: .*; this run is one of the 5 % that go on/,
      ),
      evidence: { share: 0.05 },
    });
  });
  it('is explained in sentences', () => {
    const told = explainRun(play(spec(), stuckWorld(known([0.4, 0.01], 5))).events);
    const text = told.map((one) => one.sentences.join(' ')).join('\n');
    expect(text).toMatch(
      /Iteration 1 went on, because earlier runs say that it is worth it: the next iteration/,
    );
    expect(text).toMatch(
      /Iteration 2 was the last: the run ended diverged, because earlier runs say that another iteration is not worth it/,
    );
  });
  it.each([
    [
      { kind: 'fixed', iterations: 3 },
      /that runs here are worth 3 iterations: /,
      /stopped after iteration 3, what/,
    ],
    [
      { kind: 'stall', patience: 2 },
      /worth 2 iterations after the best: /,
      /not risen for 2 iterations, what/,
    ],
  ] as const)('is explained by the number that decided, where one did (%#)', (rule, why, outlook) => {
    const model = modelOf([0.4], 5);
    const { limit: _, ...law } = model.laws.repair as Extract<Law, { kind: 'adaptive' }>;
    const plain: StoredModel = { ...model, laws: { repair: { ...law, ...rule } } };
    const told = explainRun(play(spec(), stuckWorld(learnedFrom(plain, 'r1'))).events);
    const first = told.find((one) => one.iteration === 1)!.sentences.join(' ');
    expect(first).toMatch(why);
    expect(first).toMatch(outlook);
    expect(first).not.toMatch(/promised less|it is worth it/);
  });
  it('keeps the model of the run that it goes on from', () => {
    const learned = known([0.4, 0.01], 5);
    const first = play(spec(), stuckWorld(learned));
    const second = play(spec(), stuckWorld(), first.events, 'r2', { iterations: 1 });
    expect(second.state.learned).toEqual(learned);
    expect(endOf(second)).toEqual(['strategy.learned', 3]);
    expect(replay(second.events).differences).toEqual([]);
  });
  it('says where it cannot read the model, and hybrid decides', () => {
    const learned = { ...known([0.4], 5), version: 'later', model: { v: 2 } };
    const reasons = play(spec(), stuckWorld(learned)).decisions.map((one) => one.because.reason);
    expect(reasons.join('\n')).toMatch(/hybrid decides for adaptive: the model later is of another version/);
  });
});

const anyVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(green) },
  {
    weight: 5,
    arbitrary: fc
      .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 })
      .map((ids) => failed(ids.map((id) => `f${id}`))),
  },
  { weight: 2, arbitrary: fc.constantFrom(red(), red('a')) },
);
const anyWorld = fc
  .record({
    trees: fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 8 }),
    verdicts: fc.array(anyVerdict, { minLength: 1, maxLength: 12 }),
    fails: fc.array(fc.boolean(), { minLength: 1, maxLength: 6 }),
  })
  .map(
    ({ trees, verdicts, fails }): World => ({
      turn: (n) => ({
        tree: trees[n % trees.length]!,
        ...(fails[n % fails.length] && n % 3 === 0 ? { end: { kind: 'failed', detail: 'x' } as const } : {}),
      }),
      judge: (_gate, _tree, n) => verdicts[n % verdicts.length]!,
    }),
  );
const anyStuck = fc.constantFrom<unknown>('off', {}, { moves: ['differently', 'revert'], patience: 1 });
const unlearned = { ...blankModel(0.99), laws: { repair: { kind: 'hybrid' as const, lacking: 4 } } };
const anyCold = fc.constantFrom<Learned | undefined>(
  undefined,
  learnedFrom(null, 'r1', 'no run of this project was recorded yet'),
  learnedFrom(blankModel(0.99), 'r1'),
  learnedFrom(unlearned, 'r1'),
);
const anyModel = fc
  .record({
    chances: fc.array(fc.double({ min: 0.001, max: 0.9, noNaN: true }), { minLength: 1, maxLength: 6 }),
    limit: fc.double({ min: 1, max: 40, noNaN: true }),
    explores: fc.boolean(),
  })
  .map(({ chances, limit, explores }) => known(chances, limit, explores));

describe('whatever happens', () => {
  it('decides as hybrid does while too little was learned', () =>
    fc.assert(
      fc.property(anyWorld, anyStuck, anyCold, fc.integer({ min: 1, max: 4 }), (world, stuck, cold, base) => {
        const cautious = play(spec({ stuck, strategy: { kind: 'adaptive', base } }), {
          ...world,
          ...(cold ? { learned: cold } : {}),
        });
        const plain = play(spec({ stuck, strategy: { kind: 'hybrid', base } }), world);
        expect(codesOf(cautious)).toEqual(codesOf(plain));
        expect(endOf(cautious)).toEqual(endOf(plain));
        const { decision } = {
          decision: cautious.decisions.find((one) => one.because.code === 'continue.base'),
        };
        if (decision) expect(decision.because.reason).toMatch(/hybrid decides for adaptive: /);
      }),
      { numRuns: 300 },
    ));
  it('decides the same from the same log, also after the log was written and read', () =>
    fc.assert(
      fc.property(anyWorld, anyModel, (world, learned) => {
        const { events } = play(spec(), { ...world, learned });
        const stored = JSON.parse(JSON.stringify(events)) as typeof events;
        expect(replay(stored).differences).toEqual([]);
        for (const event of stored) expect(EventBody.safeParse(event).error).toBeUndefined();
      }),
      { numRuns: 200 },
    ));
});
