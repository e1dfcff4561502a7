import { describe, expect, it } from 'vitest';
import { observe } from './features.ts';
import { featureNames } from './features.ts';
import { judgeOn } from './judge.ts';
import { blankModel, explores, type Hazard, modelVersion, StoredModel } from './model.ts';
import type { Observation, Situation } from './observation.ts';

const failing = (score: number, more: Partial<Observation> = {}): Observation => ({
  ok: false,
  score,
  failed: 1,
  total: 2,
  gate: 'test',
  ...more,
});
const situation = (...iterations: Observation[]): Situation => ({
  agent: 'claude',
  suite: 'unit',
  mode: 'repair',
  horizon: 10,
  iterations,
});

const zeros = featureNames.map(() => 0);
const logit = (chance: number): number => Math.log(chance / (1 - chance));
const hazard = (byIteration: number[], weights: Partial<Record<string, number>> = {}): Hazard => ({
  features: 1,
  base: byIteration.map(logit),
  groups: {
    claude: { rate: 0, byIteration: byIteration.map(logit) },
    slow: { rate: 0, byIteration: byIteration.map(logit) },
    'slow|unit': { rate: logit(0.01), byIteration: [logit(0.01), logit(0.01), logit(0.9)] },
  },
  gates: {},
  means: zeros,
  scales: featureNames.map(() => 1),
  weights: featureNames.map((name) => weights[name] ?? 0),
  ahead: zeros,
  intercept: 0,
  aheadIntercept: 0,
  gateWeight: 0,
  gateAhead: 0,
  lookahead: 5,
});
const expected = { retained: 0.99, saved: 0.4 };
const adaptive = (limit: number, of: Hazard): StoredModel => ({
  ...blankModel(0.99),
  laws: { repair: { kind: 'adaptive', limit, hazard: of, expected } },
});

describe('a forecast', () => {
  it('leaves the decision to hybrid while nothing is learned, and says how much is missing', () => {
    expect(judgeOn(blankModel(0.99), situation(failing(0)))).toEqual({
      kind: 'unlearned',
      why: expect.stringContaining('10 more runs'),
    });
    const three = { ...blankModel(0.99), laws: { repair: { kind: 'hybrid' as const, lacking: 3 } } };
    expect(judgeOn(three, situation(failing(0)))).toMatchObject({
      why: expect.stringContaining('3 more runs'),
    });
  });

  it('goes on exactly while a solve costs no more than its limit', () => {
    const model = adaptive(4.01, hazard([0.25, 0.25, 0.1]));
    expect(judgeOn(model, situation(failing(0)))).toMatchObject({
      continue: true,
      chance: expect.closeTo(0.25),
    });
    const later = judgeOn(model, situation(failing(0), failing(0), failing(0)));
    expect(later).toMatchObject({ continue: false, price: expect.closeTo(10), limit: 4.01, by: 'adaptive' });
  });

  it('looks ahead, so an agent that explores first is not stopped before it begins to solve', () => {
    const model = adaptive(5, hazard([0.01]));
    const slow = { ...situation(failing(0)), agent: 'slow' };
    expect(judgeOn(model, slow)).toMatchObject({ continue: true, chance: expect.closeTo(0.01) });
    expect(judgeOn(model, { ...slow, horizon: 2 })).toMatchObject({ continue: false });
    expect(judgeOn(model, situation(failing(0)))).toMatchObject({ continue: false });
  });

  it('names the two strongest reasons in plain words', () => {
    const model = adaptive(5, hazard([0.3], { similarity: -3, sameFailures: -1 }));
    const seen = situation(failing(0.5, { failKey: 'a' }), failing(0.5, { failKey: 'a', sim: 0.97 }));
    expect(judgeOn(model, seen)).toMatchObject({
      reasons: [
        'a likeness of 97 % to the last output: speaks against the next one',
        'whether the same failures come again: speaks against the next one',
      ],
    });
  });

  it('follows a tuned number and a tuned patience', () => {
    const learned = { hazard: hazard([0.2]), expected };
    const fixed: StoredModel = {
      ...blankModel(0.99),
      laws: { repair: { kind: 'fixed', iterations: 2, ...learned } },
    };
    expect(judgeOn(fixed, situation(failing(0)))).toMatchObject({ continue: true });
    expect(judgeOn(fixed, situation(failing(0), failing(0)))).toMatchObject({ continue: false });
    const stall: StoredModel = {
      ...blankModel(0.99),
      laws: { repair: { kind: 'stall', patience: 2, ...learned } },
    };
    expect(judgeOn(stall, situation(failing(0), failing(0.5)))).toMatchObject({ continue: true });
    expect(judgeOn(stall, situation(failing(0.5), failing(0.2)))).toMatchObject({ continue: false });
  });

  it('leaves an agent of which too little was recorded to hybrid, also one named like what every object has', () => {
    const model = adaptive(4, hazard([0.25]));
    for (const agent of ['new', 'toString', '__proto__'])
      expect(judgeOn(model, { ...situation(failing(0)), agent })).toEqual({
        kind: 'unlearned',
        why: expect.stringContaining(`fewer than 5 runs of ${agent}`),
      });
  });

  it('knows no gate by a name that every object has', () => {
    const odd = situation(failing(0, { gate: 'constructor' }));
    expect(judgeOn(adaptive(4, hazard([0.25])), odd)).toMatchObject({ chance: expect.closeTo(0.25) });
  });

  it('is the same for the same model, also after the model was stored', () => {
    const model = adaptive(4, hazard([0.25, 0.1], { score: 0.7 }));
    const stored = StoredModel.parse(JSON.parse(JSON.stringify(model)));
    expect(modelVersion(stored)).toBe(modelVersion(model));
    const at = situation(failing(0.1), failing(0.7));
    expect(judgeOn(stored, at)).toEqual(judgeOn(model, at));
  });
});

describe('observing', () => {
  const of = (...iterations: Observation[]) =>
    Object.fromEntries([...observe({ iterations })].map((value, at) => [featureNames[at], value]));

  it('works out from keys what a trace may leave out', () => {
    const told = of(
      failing(0, { failKey: 'a', out: 'x' }),
      failing(0, { failKey: 'a', failRep: 1, out: 'x', rep: 1 }),
    );
    const found = of(failing(0, { failKey: 'a', out: 'x' }), failing(0, { failKey: 'a', out: 'x' }));
    expect(found).toEqual(told);
    expect(found).toMatchObject({ sameFailures: Math.log(2), seenBefore: 1, newFailures: 0 });
  });

  it('holds still for whatever is missing or out of range', () => {
    const values = Object.values(of({ ok: false, score: -3, gate: '' }, { ok: false, score: 7, gate: 'x' }));
    expect(values.every(Number.isFinite)).toBe(true);
    expect(of({ ok: false, score: -3, gate: '' })).toMatchObject({ score: 0 });
  });
});

describe('exploring', () => {
  it('draws about the share of runs, and the same ones every time', () => {
    const model = blankModel(0.99, 0.1);
    const runs = Array.from({ length: 2000 }, (_, at) => `run-${at}`);
    const drawn = runs.filter((run) => explores(model, run));
    expect(drawn.length).toBeGreaterThan(150);
    expect(drawn.length).toBeLessThan(250);
    expect(runs.filter((run) => explores(model, run))).toEqual(drawn);
    expect(runs.some((run) => explores({ ...model, explore: 0 }, run))).toBe(false);
  });
});
