import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assess } from './assess.ts';
import { decide } from './decide.ts';
import { EventBody } from './event.ts';
import { fold } from './evolve.ts';
import { measure } from './progress.ts';
import { failed, green, type Played, play, red, specOf, type Turn, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

/** Any agent and any gates: what they do is drawn, nothing about them is assumed. */
const anyVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(green) },
  {
    weight: 4,
    arbitrary: fc
      .uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 5 })
      .map((ids) => failed(ids.map((id) => `f${id}`))),
  },
  { weight: 2, arbitrary: fc.constantFrom(red(), red('a'), red('b')) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }).map((id) => failed([`load${id}`], { load: true })) },
  { weight: 1, arbitrary: fc.constant<Verdict>({ kind: 'timed-out', afterMs: 1000, excerpt: '' }) },
  { weight: 1, arbitrary: fc.constant<Verdict>({ kind: 'pending', retryAfterMs: 3_600_000 }) },
  {
    weight: 1,
    arbitrary: fc.constant<Verdict>({ kind: 'unable', fault: { code: 'x', message: 'x', retry: 'never' } }),
  },
);
const anyTurn: fc.Arbitrary<Turn> = fc.record(
  {
    tree: fc.integer({ min: 0, max: 5 }).map((n) => `t${n}`),
    end: fc.constantFrom<NonNullable<Turn['end']>>(
      { kind: 'finished' },
      { kind: 'failed', detail: 'x' },
      { kind: 'interrupted' },
    ),
    claim: fc.boolean(),
    similar: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    tokens: fc.integer({ min: 0, max: 5000 }),
    costUsd: fc.double({ min: 0, max: 2, noNaN: true }),
    tookMs: fc.integer({ min: 0, max: 100_000 }),
  },
  { requiredKeys: [] },
);
const anySpec = fc
  .record({
    strategy: fc.constantFrom<unknown>(
      'fixed',
      'hybrid',
      'ralph',
      { kind: 'hybrid', base: 2, bonus: 2 },
      { kind: 'ralph', min: 3, max: 5, onFalseClaim: 'stop' },
    ),
    iterations: fc.integer({ min: 1, max: 12 }),
    tokens: fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
    cost: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    soft: fc.boolean(),
    baseline: fc.constantFrom('absolute', 'no-new'),
  })
  .map(({ strategy, iterations, tokens, cost, soft, baseline }) =>
    specOf({
      strategy,
      limits: {
        iterations,
        wallClock: '10m',
        ...(tokens === undefined ? {} : { tokens }),
        ...(cost === undefined ? {} : { cost }),
      },
      gates: { tests: { run: 'a', baseline }, lint: { run: 'b', severity: soft ? 'soft' : 'hard' } },
    }),
  );
const anyRun = fc
  .record({
    spec: anySpec,
    turns: fc.array(anyTurn, { minLength: 1, maxLength: 12 }),
    verdicts: fc.array(anyVerdict, { minLength: 2, maxLength: 30 }),
    moves: fc.array(fc.boolean(), { maxLength: 4 }),
    stopAt: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
  })
  .map(({ spec, turns, verdicts, moves, stopAt }) => {
    let asked = 0;
    const world: World = {
      turn: (n) => turns[(n - 1) % turns.length]!,
      judge: () => verdicts[asked++ % verdicts.length]!,
      movedTo: (tree, attempt) => (moves[attempt - 1] ? `${tree}m` : undefined),
      stops: (n) => n === stopAt,
    };
    return { spec, world };
  });

const holds = (name: string, property: (played: Played) => void) =>
  it(name, () =>
    fc.assert(
      fc.property(anyRun, ({ spec, world }) => property(play(spec, world))),
      { numRuns: 400 },
    ),
  );

describe('whatever agent and gates do', () => {
  holds('every run ends, once, and nothing follows the end', ({ events, state }) => {
    expect(state.ended).not.toBeNull();
    expect(events.filter((event) => event.kind === 'run.ended')).toHaveLength(1);
    expect(events.at(-1)?.kind).toBe('run.ended');
  });

  holds('the limits always bind', ({ events, state }) => {
    const { limits } = state.spec!;
    const builds = events.filter((event) => event.kind === 'agent.started');
    expect(builds.length).toBeLessThanOrEqual(limits.iterations);
    let tokens = 0;
    let cost = 0;
    let active = 0;
    for (const event of events) {
      if (event.kind === 'agent.started') {
        // A build may pass a limit, but none begins behind one.
        if (limits.tokens !== undefined) expect(tokens).toBeLessThan(limits.tokens);
        if (limits.cost !== undefined) expect(cost).toBeLessThan(limits.cost);
        expect(active).toBeLessThan(limits.wallClock);
      }
      if (event.kind === 'agent.ended') {
        tokens += event.tokens ?? 0;
        cost += event.costUsd ?? 0;
        active += event.tookMs;
      }
      if (event.kind === 'gate.judged') active += event.tookMs;
    }
  });

  holds(
    'converged only with every hard gate green on one tree, and that tree is the one at hand',
    ({ events, state }) => {
      if (state.ended?.status !== 'converged') return;
      const confirmed = events.findLast((event) => event.kind === 'tree.confirmed');
      expect(confirmed).toMatchObject({ after: state.ended.tree, moved: [] });
      const last = state.last!;
      for (const { gate, verdict, passed, findings } of last.standings) {
        if (gate.severity === 'soft') continue;
        expect(passed).toBe(true);
        expect(verdict.kind === 'passed' || (gate.baseline === 'no-new' && findings.length === 0)).toBe(true);
      }
      const judged = events.filter(
        (event) =>
          event.kind === 'gate.judged' &&
          event.iteration === last.current.iteration &&
          event.attempt === last.current.attempt,
      );
      expect(new Set(judged.map((event) => ('tree' in event ? event.tree : ''))).size).toBe(1);
      expect(judged.every((event) => 'tree' in event && event.tree === state.ended?.tree)).toBe(true);
    },
  );

  holds(
    'replay equals live: every decision is recomputed from the events before it',
    ({ events, decisions }) => {
      let at = 0;
      let state = fold([]);
      for (const event of events) {
        if (event.kind === 'decided') {
          expect(decide(state)).toEqual(decisions[at]);
          at += 1;
        }
        state = fold([event], state);
      }
      expect(at).toBe(decisions.length);
    },
  );

  holds('any prefix folds, and an open decision is decided again', ({ events }) => {
    for (let size = 1; size <= events.length; size++) {
      const state = fold(events.slice(0, size));
      expect(state.seq).toBe(size);
      if (!state.ended) {
        const open = state.open;
        const decision = decide(state);
        if (open) expect(decision).toBe(open);
      }
    }
  });

  holds('assessing and measuring are idempotent and never NaN', ({ events }) => {
    for (let size = 1; size <= events.length; size++) {
      const state = fold(events.slice(0, size));
      if (!state.current || !state.spec) continue;
      const once = measure(state, assess(state, state.current));
      expect(measure(state, assess(state, state.current))).toEqual(once);
      for (const value of [
        once.overall,
        once.velocity,
        once.recentVelocity,
        once.estimatedIterations ?? 0,
        once.estimatedMs ?? 0,
      ]) {
        expect(Number.isFinite(value)).toBe(true);
      }
      expect(once.overall).toBeGreaterThanOrEqual(0);
      expect(once.overall).toBeLessThanOrEqual(1);
    }
  });

  holds('every event is of the recorded shape', ({ events }) => {
    for (const { v: _v, seq: _seq, at: _at, ...body } of events)
      expect(EventBody.safeParse(body).success).toBe(true);
  });

  holds('fixed runs exactly its number unless something outside the strategy ends it', ({ state }) => {
    if (state.spec?.strategy.kind !== 'fixed') return;
    const { code, iterations } = state.ended!;
    if (code === 'limit.iterations') expect(iterations).toBe(Math.min(3, state.spec.limits.iterations));
    expect(code.startsWith('loop.') || code.startsWith('no-progress.') || code === 'agent.false-claim').toBe(
      false,
    );
  });
});
