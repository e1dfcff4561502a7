import { describe, expect, it } from 'vitest';
import { failed, green, play, red, specOf, type World } from '../testing/play.ts';
import { builtInStrategies, strategies } from './index.ts';
import { DuplicateStrategyError, makeRegistry, StrategyNotFoundError } from './registry.ts';
import { decide } from '../decide.ts';
import { fold } from '../evolve.ts';
import { goOn, type Strategy, type StrategyContext } from './strategy.ts';

const moving = (fails: (iteration: number) => number): World => ({
  turn: (n) => ({ tree: `t${n}` }),
  judge: (_gate, _tree, n) =>
    fails(n) === 0
      ? green
      : failed(
          Array.from({ length: fails(n) }, (_, at) => `f${at}`),
          { passed: 10 - fails(n), text: `n${n}` },
        ),
});
const runs = (world: World, strategy: unknown, rest: Record<string, unknown> = {}) => {
  const { state, decisions } = play(
    specOf({ strategy, detectors: { enabled: false }, stuck: 'off', ...rest }),
    world,
  );
  return {
    code: state.ended!.code,
    iterations: state.ended!.iterations,
    because: decisions.map((one) => one.because),
  };
};

describe('fixed', () => {
  it.each([1, 3, 7])('runs exactly %i iterations without convergence', (iterations) => {
    expect(
      runs(
        moving(() => 3),
        { kind: 'fixed', iterations },
      ),
    ).toMatchObject({ code: 'limit.iterations', iterations });
  });
  it('runs three by default, names its cap, and answers as the older contract did', () => {
    const { because } = runs(
      moving(() => 3),
      'fixed',
    );
    expect(because.at(-1)).toMatchObject({
      action: 'timeout',
      confidence: 1,
      evidence: { limit: 3, bound: 'strategy.iterations' },
    });
  });
  it('stops early when the gates pass, also on its last iteration', () => {
    expect(
      runs(
        moving((n) => (n < 2 ? 3 : 0)),
        'fixed',
      ),
    ).toMatchObject({ code: 'goal.met', iterations: 2 });
    expect(
      runs(
        moving((n) => (n < 3 ? 3 : 0)),
        'fixed',
      ),
    ).toMatchObject({ code: 'goal.met', iterations: 3 });
  });
});

describe('hybrid with numbers: exactly base + bonus, each bonus earned', () => {
  const numbers = { kind: 'hybrid', base: 3, bonus: 2 };
  it('runs the base, then the bonus on progress', () => {
    const { code, iterations, because } = runs(
      moving((n) => 9 - n),
      numbers,
    );
    expect({ code, iterations }).toEqual({ code: 'limit.iterations', iterations: 5 });
    const codes = because
      .filter((one) => one.code.startsWith('continue.'))
      .map((one) => [one.code, one.confidence]);
    expect(codes).toContainEqual(['continue.base', 1]);
    expect(codes).toContainEqual(['continue.bonus', 0.8]);
  });
  it('ends after the base without progress: a flat level earns nothing (C-14)', () => {
    const { code, iterations, because } = runs(
      moving(() => 5),
      numbers,
    );
    expect({ code, iterations }).toEqual({ code: 'strategy.no-progress', iterations: 3 });
    expect(because.at(-1)?.confidence).toBe(0.7);
  });
  it('can reproduce the older rule that looks at the level', () => {
    expect(
      runs(
        moving(() => 5),
        { ...numbers, progressMode: 'level' },
      ),
    ).toMatchObject({ iterations: 5 });
  });
  it('takes a strictly smaller failure set as progress, however small the gain', () => {
    expect(
      runs(
        moving((n) => 100 - n),
        { ...numbers, progressThreshold: 1 },
      ),
    ).toMatchObject({ iterations: 5 });
  });
});

describe('hybrid by default: every iteration with progress earns the next', () => {
  it('goes on for as long as there is progress', () => {
    expect(
      runs(
        moving((n) => 40 - n),
        'hybrid',
      ),
    ).toMatchObject({ code: 'goal.met', iterations: 40 });
  });
  it('ends after two dry iterations in a row, not before the base', () => {
    expect(
      runs(
        moving((n) => (n <= 4 ? 9 - n : 5)),
        'hybrid',
        {},
      ),
    ).toMatchObject({ code: 'strategy.no-progress' });
    const stuck: World = { turn: () => ({ tree: 'x' }), judge: () => failed(['a', 'b']) };
    expect(runs(stuck, 'hybrid')).toMatchObject({ code: 'strategy.no-progress', iterations: 3 });
  });
  it('lets four moving plateaus neither earn nor end', () => {
    // Each iteration fails in a new way and fixes nothing: four are let pass, then two dry ones end it.
    const more: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (_g, _t, n) => failed(Array.from({ length: n + 2 }, (_, at) => `f${at}`)),
    };
    const { code, iterations, because } = runs(more, 'hybrid', { limits: { iterations: 30 } });
    expect({ code, iterations }).toEqual({ code: 'strategy.no-progress', iterations: 6 });
    expect(because.filter((one) => one.code === 'continue.plateau')).toHaveLength(2);
  });
  it('lets a moving tree stand in for progress half the limit, at least six times', () => {
    const binary: World = { turn: (n) => ({ tree: `t${n}` }), judge: () => red() };
    expect(runs(binary, 'hybrid', { limits: { iterations: 40 } })).toMatchObject({
      code: 'strategy.no-progress',
      iterations: 22,
    });
    expect(runs(binary, 'hybrid', { limits: { iterations: 10 } })).toMatchObject({
      code: 'strategy.no-progress',
      iterations: 8,
    });
  });
});

describe('fixed and claims', () => {
  it('runs its number although the agent claims to be done each time', () => {
    const claims: World = { turn: () => ({ claim: true }), judge: () => failed(['a', 'b']) };
    expect(runs(claims, { kind: 'fixed', iterations: 5 })).toMatchObject({
      code: 'limit.iterations',
      iterations: 5,
    });
  });
});

describe('ralph', () => {
  it('does not call a claim refuted that no gate has judged', () => {
    const world: World = {
      turn: () => ({ claim: true, end: { kind: 'failed', detail: 'x' } }),
      judge: () => failed(['a', 'b']),
    };
    expect(runs(world, { kind: 'ralph', onFalseClaim: 'stop' })).toMatchObject({
      code: 'strategy.agent-fails',
      iterations: 5,
    });
  });
  it('goes on to its maximum, ten by default', () => {
    expect(
      runs(
        moving(() => 3),
        'ralph',
      ),
    ).toMatchObject({ code: 'limit.iterations', iterations: 10 });
  });
  it('holds back its own stops below the minimum, never limits or the goal (C-04)', () => {
    const claims: World = { turn: (n) => ({ tree: `t${n}`, claim: true }), judge: () => failed(['a', 'b']) };
    const strict = { kind: 'ralph', min: 3, onFalseClaim: 'stop' };
    expect(runs(claims, strict)).toMatchObject({ code: 'agent.false-claim', iterations: 3 });
    expect(runs(claims, strict, { limits: { iterations: 2 } })).toMatchObject({
      code: 'limit.iterations',
      iterations: 2,
    });
    expect(
      runs(
        moving((n) => (n < 2 ? 1 : 0)),
        { kind: 'ralph', min: 5 },
      ),
    ).toMatchObject({ code: 'goal.met', iterations: 2 });
  });
  it('feeds a false claim back by default and goes on', () => {
    const claims: World = {
      turn: (n) => ({ tree: `t${n}`, claim: true }),
      judge: (_g, _t, n) => (n < 5 ? failed(['a', 'b']) : green),
    };
    expect(runs(claims, 'ralph')).toMatchObject({ code: 'goal.met', iterations: 5 });
  });
});

describe('the answers of the older contract', () => {
  const flat = moving(() => 3);
  const solved = moving(() => 0);
  /** Every decision as its code, confidence and action. */
  const answers = (world: World, strategy: unknown, rest: Record<string, unknown> = {}) =>
    runs(world, strategy, rest).because.map((one) => `${one.code} ${one.confidence} ${one.action}`);
  const reasons = (world: World, strategy: unknown) => runs(world, strategy).because.map((one) => one.reason);

  it('fixed: passed, used up and on, each with confidence 1', () => {
    expect(reasons(flat, 'fixed')).toEqual(
      expect.arrayContaining(['iteration 1 of 3', 'iteration 2 of 3', '3 of 3 iterations are used']),
    );
    expect(answers(flat, 'fixed')).toContain('continue.fixed 1 continue');
    expect(answers(flat, 'fixed').at(-1)).toBe('limit.iterations 1 timeout');
    expect(answers(solved, 'fixed').at(-1)).toBe('goal.met 1 complete');
  });
  it('hybrid: passed 1, loop 0.9, base 1, bonus 0.8 with its share, too little progress 0.7', () => {
    const numbers = { kind: 'hybrid', base: 2, bonus: 2 };
    const rising = moving((n) => 9 - 2 * n);
    expect(reasons(rising, numbers)).toContain('bonus 1 of 2, progress 20.0 %');
    expect(answers(rising, numbers)).toEqual(
      expect.arrayContaining(['continue.base 1 continue', 'continue.bonus 0.8 continue']),
    );
    expect(answers(flat, numbers).at(-1)).toBe('strategy.no-progress 0.7 fail');
    expect(answers(solved, numbers).at(-1)).toBe('goal.met 1 complete');
    const same: World = { turn: () => ({ tree: 'same' }), judge: () => failed(['a', 'b']) };
    const watched = { detectors: { 'snapshot-repeat': true } };
    expect(answers(same, { kind: 'hybrid', base: 9 }, watched).at(-1)).toBe('loop.snapshot-repeat 0.9 fail');
  });
  it('ralph: passed 1, maximum 1, claim 0.95, similar outputs 0.85, minimum 1, otherwise 0.6', () => {
    const longer = { kind: 'ralph', min: 2, max: 3 };
    expect(answers(flat, longer)).toEqual(
      expect.arrayContaining(['continue.minimum 1 continue', 'continue.ralph 0.6 continue']),
    );
    expect(answers(flat, longer).at(-1)).toBe('limit.iterations 1 timeout');
    expect(answers(solved, longer).at(-1)).toBe('goal.met 1 complete');
    const claims: World = { turn: (n) => ({ tree: `t${n}`, claim: true }), judge: () => failed(['a', 'b']) };
    const strict = { kind: 'ralph', onFalseClaim: 'stop' };
    expect(answers(claims, strict).at(-1)).toBe('agent.false-claim 0.95 fail');
    const alike: World = {
      turn: (n) => ({ tree: `t${n}`, similar: [0.97, 0.96] }),
      judge: (_gate, _tree, n) => failed(['a', 'b'], { text: `words ${n}` }),
    };
    const watched = { detectors: { enabled: true } };
    expect(answers(alike, 'ralph', watched).at(-1)).toBe('loop.output-similarity 0.85 fail');
  });
});

describe('every strategy stops when the gates pass', () => {
  const world: World = {
    ...moving((n) => (n < 2 ? 3 : 0)),
    answers: () => ({ answer: 'continue' }),
    advise: () => ({ kind: 'advice', continue: true, reason: 'on' }),
  };
  it.each(strategies.list())('%s', (kind) => {
    const strategy = kind === 'custom' ? { kind, module: 'mine.mjs' } : { kind };
    expect(runs(world, strategy)).toMatchObject({ code: 'goal.met', iterations: 2 });
  });
});

describe('what a strategy is given', () => {
  it('is everything it may know, and nothing of its own iteration twice', () => {
    const seen: StrategyContext[] = [];
    const registry = makeRegistry();
    const probe: Strategy = {
      name: 'probe',
      type: 'fixed',
      displayName: 'Probe',
      decide(context) {
        seen.push(context);
        return goOn('probe', 'on', 1);
      },
    };
    registry.register('fixed', () => probe, { description: 'looks' });
    const spec = specOf({ strategy: 'fixed', limits: { iterations: 3 }, detectors: { enabled: false } });
    const world: World = {
      turn: (n) => ({ tree: `t${n}`, tokens: 10, costUsd: 1, tookMs: 100 }),
      judge: () => failed(['a', 'b']),
    };
    const { events } = play(spec, world);
    const third = events.findIndex(
      (event) =>
        event.kind === 'decided' &&
        event.decision.kind === 'start-iteration' &&
        event.decision.iteration === 3,
    );
    decide(fold(events.slice(0, third)), registry);
    expect(seen[0]).toMatchObject({
      iteration: 2,
      index: 1,
      limits: { iterations: 3 },
      tokens: 20,
      costUsd: 2,
      goalSatisfied: false,
      build: 'finished',
    });
    expect(seen[0]?.elapsedMs).toBe(100 + 100 + 30);
    expect(seen[0]?.history.map((one) => one.iteration)).toEqual([1]);
    expect(seen[0]?.current).toMatchObject({ iteration: 2, failures: 2, tree: 't2' });
  });
});

describe('registry', () => {
  const mine: Strategy = {
    name: 'mine',
    type: 'mine',
    displayName: 'Mine',
    decide: () => goOn('mine', 'always', 1),
  };
  it('knows the built-in strategies and describes them', () => {
    expect(strategies.list()).toEqual(['fixed', 'hybrid', 'ralph', 'manual', 'adaptive', 'custom']);
    expect(strategies.describe().every((one) => one.description.length > 20)).toBe(true);
    const names = strategies.list().map((type) => strategies.create(type, { kind: type }).displayName);
    expect(names).toEqual([
      'FixedIterationStrategy',
      'HybridStrategy',
      'RalphLoopStrategy',
      'ManualStrategy',
      'AdaptiveStrategy',
      'CustomStrategy',
    ]);
  });
  it('refuses a taken type unless told to replace, and an unknown one with the nearest name', () => {
    const registry = builtInStrategies();
    expect(() => registry.register('fixed', () => mine, { description: 'x' })).toThrow(
      DuplicateStrategyError,
    );
    registry.register('fixed', () => mine, { description: 'x', replace: true });
    expect(registry.create('fixed', {})).toBe(mine);
    expect(() => registry.create('hybird', {})).toThrow(
      new StrategyNotFoundError('hybird', registry.list()).message,
    );
    expect(() => registry.create('hybird', {})).toThrow(/did you mean "hybrid"/);
  });
  it('keeps instances apart, and registers and forgets custom types', () => {
    const registry = makeRegistry();
    registry.register('mine', () => mine, { description: 'my own' });
    expect([registry.has('mine'), strategies.has('mine')]).toEqual([true, false]);
    expect([registry.unregister('mine'), registry.unregister('mine'), registry.has('mine')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
