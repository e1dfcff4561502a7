import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { type BuildEnd, EventBody, type StrategyAnswer } from './event.ts';
import { fold } from './evolve.ts';
import { replay } from './replay.ts';
import { failed, green, type Played, play, red, specOf, type Turn, type World } from './testing/play.ts';
import type { LevelResult, Verdict } from './verdict.ts';

const levels = (passing: number): LevelResult[] =>
  (['L0', 'L1', 'L2', 'L3'] as const).map((level, at) => ({
    level,
    status: at < passing ? 'passed' : at === passing ? 'failed' : 'not-run',
    checks: [],
  }));
const anyVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(green) },
  {
    weight: 4,
    arbitrary: fc.integer({ min: 1, max: 5 }).map((n) => failed(['a', 'b', 'c', 'd', 'e'].slice(-n))),
  },
  { weight: 1, arbitrary: fc.constantFrom(red(), red('words')) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 0, max: 3 }).map((passing): Verdict => {
      return { kind: 'failed', findings: [{ id: 'x', title: 'x' }], excerpt: '', levels: levels(passing) };
    }),
  },
  { weight: 1, arbitrary: fc.constant<Verdict>({ kind: 'pending', retryAfterMs: 3_600_000 }) },
  { weight: 1, arbitrary: fc.constant<Verdict>({ kind: 'timed-out', afterMs: 1000, excerpt: '' }) },
);
const anyTurn: fc.Arbitrary<Turn> = fc.record(
  {
    tree: fc.integer({ min: 0, max: 4 }).map((n) => `t${n}`),
    end: fc.constantFrom<BuildEnd>(
      { kind: 'finished' },
      { kind: 'finished' },
      { kind: 'finished' },
      { kind: 'failed', detail: 'x' },
      { kind: 'interrupted' },
      { kind: 'unavailable', why: 'usage-limit', detail: 'x' },
    ),
    claim: fc.boolean(),
    tokens: fc.integer({ min: 0, max: 5000 }),
    tookMs: fc.integer({ min: 0, max: 30_000 }),
  },
  { requiredKeys: [] },
);
const anySpec = fc
  .record({
    strategy: fc.constantFrom<unknown>(
      'fixed',
      'hybrid',
      'manual',
      { kind: 'manual', timeout: '1m', default: 'continue' },
      'adaptive',
      { kind: 'custom', module: 'mine.mjs', max: 6 },
      { kind: 'hybrid', base: 1, bonus: 2, minLevel: 'L1', criteria: ['agent-signal', 'loop-detection'] },
      { kind: 'hybrid', acceptPartialAfter: 2 },
      { kind: 'ralph', min: 2, max: 5 },
    ),
    iterations: fc.integer({ min: 1, max: 10 }),
    tokens: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined, freq: 1 }),
    onFailure: fc.constantFrom('iterate', 'iterate', 'iterate', 'escalate', 'escalate', 'stop'),
    first: fc.record(
      {
        maxAttempts: fc.integer({ min: 1, max: 5 }),
        backoff: fc.constant({}),
        onSuccess: fc.constant('skip-remaining'),
        inputs: fc.constant(['src/**']),
      },
      { requiredKeys: [] },
    ),
    second: fc.record(
      {
        skipIf: fc.constantFrom('gate.tests.failed', 'gate.tests.passed', 'iteration < 3'),
        inputs: fc.constant(['docs/**']),
        severity: fc.constant('soft'),
      },
      { requiredKeys: [] },
    ),
    stuck: fc.constantFrom<unknown>(
      'off',
      {},
      { moves: ['ask'] },
      { moves: ['revert', 'escalate'], patience: 1 },
    ),
  })
  .map(({ strategy, iterations, tokens, onFailure, first, second, stuck }) =>
    specOf({
      strategy,
      stuck,
      agent: { run: ['one'], escalate: ['two'] },
      limits: { iterations, wallClock: '10m', maxWait: '5h', ...(tokens === undefined ? {} : { tokens }) },
      gates: { tests: { run: 'a', onFailure, ...first }, slow: { run: 'b', ...second } },
    }),
  );
const anyAnswer = fc.option(
  fc.constantFrom(
    { answer: 'continue' as const },
    { answer: 'stop' as const },
    { answer: 'accept' as const },
    { answer: 'redirect' as const, text: 'Another way.' },
  ),
  { nil: undefined },
);
const anyAdvice: fc.Arbitrary<StrategyAnswer> = fc.oneof(
  fc.record({
    kind: fc.constant('advice' as const),
    continue: fc.boolean(),
    reason: fc.constant('r'),
    action: fc.constantFrom('complete' as const, 'fail' as const),
    code: fc.constantFrom('goal.met', 'converged'),
  }),
  fc.constant<StrategyAnswer>({ kind: 'failed', fault: { code: 'x', message: 'x', retry: 'never' } }),
);
const anyRun = fc
  .record({
    spec: anySpec,
    turns: fc.array(anyTurn, { minLength: 1, maxLength: 8 }),
    verdicts: fc.array(anyVerdict, { minLength: 2, maxLength: 30 }),
    answers: fc.array(anyAnswer, { minLength: 1, maxLength: 4 }),
    advice: fc.array(anyAdvice, { minLength: 1, maxLength: 4 }),
    moves: fc.array(fc.boolean(), { maxLength: 3 }),
    redirectAt: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    stopAt: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined, freq: 1 }),
  })
  .map(({ spec, turns, verdicts, answers, advice, moves, redirectAt, stopAt }) => {
    let asked = 0;
    let redirected = false;
    const world: World = {
      turn: (n) => turns[(n - 1) % turns.length]!,
      judge: () => verdicts[asked++ % verdicts.length]!,
      answers: (n) => answers[n % answers.length],
      advise: (n) => advice[n % advice.length]!,
      movedTo: (tree, attempt) => (moves[attempt - 1] ? `${tree}m` : undefined),
      stops: (n) => n === stopAt,
      happens: (state) => {
        if (redirected || state.iteration !== redirectAt || !state.current?.build) return undefined;
        redirected = true;
        return { kind: 'redirect.requested', by: 'command', text: 'New words.' };
      },
    };
    return { spec, world };
  });

it('from any event of any run another one goes on, ends within the limits, and replays', () =>
  fc.assert(
    fc.property(anyRun, fc.nat(), ({ spec, world }, n) => {
      const { events } = play(spec, world);
      const seq = 1 + (n % (events.length - 1));
      const forked = play(spec, world, events.slice(0, seq), 'r2');
      expect(forked.state.ended?.runId).toBe('r2');
      expect(forked.state.iteration).toBeLessThanOrEqual(spec.limits.iterations);
      expect(replay(forked.events).differences).toEqual([]);
    }),
    { numRuns: 300 },
  ));

const holds = (name: string, property: (played: Played) => void) =>
  it(name, () =>
    fc.assert(
      fc.property(anyRun, ({ spec, world }) => property(play(spec, world))),
      { numRuns: 300 },
    ),
  );

describe('whatever persons, modules and the rules of gates do', () => {
  holds('every run ends, once', ({ events, state }) => {
    expect(state.ended).not.toBeNull();
    expect(events.filter((event) => event.kind === 'run.ended')).toHaveLength(1);
  });

  holds('the limits bind', ({ events, state }) => {
    const { limits } = state.spec!;
    let tokens = 0;
    let builds = 0;
    for (const event of events) {
      if (event.kind === 'agent.started' && limits.tokens !== undefined)
        expect(tokens).toBeLessThan(limits.tokens);
      if (event.kind !== 'agent.ended') continue;
      tokens += event.tokens ?? 0;
      if (event.end.kind !== 'unavailable') builds += 1;
    }
    expect(builds).toBeLessThanOrEqual(limits.iterations);
    expect(builds).toBe(state.ended?.iterations);
  });

  holds('converged only where every hard gate was really judged green on the tree at hand', (played) => {
    const { events, state } = played;
    if (state.ended?.status !== 'converged') return;
    const least = state.spec!.strategy.kind === 'hybrid' && state.spec!.strategy.minLevel !== undefined;
    for (const gate of state.spec!.gates) {
      if (gate.severity === 'soft') continue;
      const judged = events.findLast((event) => event.kind === 'gate.judged' && event.gate === gate.name);
      expect(judged).toMatchObject({ tree: state.ended.tree, iteration: state.ended.iterations });
      if (judged?.kind !== 'gate.judged') continue;
      expect(judged.cached ?? false).toBe(false);
      if (!(least && judged.verdict.kind === 'failed')) expect(judged.verdict.kind).toBe('passed');
    }
  });

  holds('replay equals live', ({ events, decisions }) => {
    let state = fold([]);
    const recomputed = [];
    for (const event of events) {
      if (event.kind === 'decided') recomputed.push(decide(state));
      state = fold([event], state);
    }
    expect(recomputed).toEqual(decisions);
  });

  holds('every event is of the recorded shape', ({ events }) => {
    for (const { v: _v, seq: _seq, at: _at, ...body } of events)
      expect(EventBody.safeParse(body).success).toBe(true);
  });
});
