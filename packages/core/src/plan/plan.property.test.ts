import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePlan } from './decide-plan.ts';
import { evolvePlan, foldPlan } from './evolve-plan.ts';
import { type PlanEvent, PlanEventBody } from './plan-event.ts';
import { isDone, type PlanState } from './plan-state.ts';
import { failing, planOf, playPlan, type PlanWorld } from './testing/play-plan.ts';
import type { Plan } from './work-item.ts';

/** A plan of any shape: dependencies point back, some items are groups, some say what they change. */
const anyPlan = fc
  .record({
    items: fc.array(
      fc.record({
        deps: fc.array(fc.nat(20), { maxLength: 3 }),
        shape: fc.constantFrom('leaf', 'leaf', 'leaf', 'parts', 'alternatives'),
        inside: fc.integer({ min: 1, max: 3 }),
        gates: fc.boolean(),
        paths: fc.constantFrom(null, 'a', 'b', 'c', 'd'),
        deferred: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      }),
      { minLength: 1, maxLength: 10 },
    ),
    session: fc.integer({ min: 1, max: 40 }),
    item: fc.integer({ min: 1, max: 6 }),
    stalls: fc.integer({ min: 1, max: 4 }),
    maxParallel: fc.integer({ min: 1, max: 4 }),
    done: fc.boolean(),
  })
  .map(
    ({ items, session, item, stalls, maxParallel, done }): Plan =>
      planOf({
        limits: { session, item, stalls },
        maxParallel,
        gates: { tests: 'npm test' },
        ...(done ? { done: { all: 'verify' } } : {}),
        items: items.map(({ deps, shape, inside, gates, paths, deferred }, at) => {
          const id = `i${at}`;
          const rest = {
            dependsOn: at === 0 ? [] : [...new Set(deps.map((one) => `i${one % at}`))],
            ...(gates ? { gates: { own: 'x' } } : {}),
            ...(paths ? { paths: [`${paths}/**`] } : {}),
            deferred,
          };
          if (shape === 'leaf') return { id, task: id, ...rest };
          const below = Array.from({ length: inside }, (_, n) => ({
            id: `${id}x${n}`,
            task: 'part',
            ...(paths ? { paths: [`${paths}${n}/**`] } : {}),
          }));
          return { id, task: id, ...rest, [shape]: below };
        }),
      }),
  );

/** A world in which anything may come of anything, drawn from one list of numbers. */
function worldOf(draws: readonly number[]): PlanWorld {
  let at = 0;
  const draw = (n: number) => draws[at++ % draws.length]! % n;
  return {
    run: () => {
      const iterations = 1 + draw(4);
      switch (draw(9)) {
        case 0:
          return failing({ iterations, work: `w${draw(3)}`, failures: [3, 2, 1] });
        case 1:
          return failing({ iterations, code: 'limit.iterations', failures: [5, 3] });
        case 2:
          return failing({ iterations, code: 'loop.no-changes' });
        case 3:
          return failing({ iterations, split: [{ task: 'one' }, { task: 'two' }] });
        case 4:
          return { iterations, status: 'suspended', code: 'suspended.awaiting-approval', reason: 'waits' };
        case 5:
          return { iterations, status: 'error', code: 'error.gate', reason: 'could not judge' };
        case 6:
          return { iterations, code: 'goal.hard-only', soft: ['lint'] };
        default:
          return { iterations };
      }
    },
    judge: () => draw(2) === 0,
    merge: () => (draw(3) === 0 ? ['shared'] : null),
    probe: () => (draw(2) === 0 ? { split: [{ task: 'p' }, { task: 'q' }] } : { drop: ['i1', 'i2'] }),
    pick: (running) => draw(running.length),
  };
}

const anyDraws = fc.array(fc.nat(1_000), { minLength: 10, maxLength: 60 });

/** Every state that a played session went through, right before each event. */
function* states(events: readonly PlanEvent[]): Generator<{ state: PlanState; next: PlanEvent }> {
  let state: PlanState | undefined;
  for (const next of events) {
    if (state) yield { state, next };
    state = evolvePlan(state, next);
  }
}

const waitsFor = (state: PlanState, id: string): string[] => {
  const { dependsOn, parent } = state.agenda.item(id);
  return [...dependsOn, ...(parent === null ? [] : waitsFor(state, parent))];
};

describe('a session with any plan in any world', () => {
  it('ends, and its events have the recorded shape', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const { events, state } = playPlan(plan, worldOf(draws));
        expect(state.session?.ended).not.toBeNull();
        for (const event of events) expect(PlanEventBody.safeParse(event).error).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
  it('begins no item before everything it waits for is there', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        for (const { state, next } of states(playPlan(plan, worldOf(draws)).events)) {
          if (next.kind !== 'plan.decided' || next.decision.kind !== 'run-item') continue;
          const { item } = next.decision;
          for (const id of waitsFor(state, item)) expect(isDone(state.records.get(id)!.status)).toBe(true);
          expect(state.inFlight.has(item)).toBe(false);
        }
      }),
      { numRuns: 300 },
    );
  });
  it('never uses or sets aside more than it has, also when it goes on after a crash', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, fc.nat(), (plan, draws, cut) => {
        const first = playPlan(plan, worldOf(draws)).events;
        // A crash behind any event; what was open is done then, and the session goes on.
        const crashed = first.slice(0, 2 + (cut % (first.length - 2)));
        const again = goOn(crashed, worldOf(draws.toReversed()));
        for (const events of [first, again])
          for (const { state } of states(events)) {
            const { session, plan: now } = state;
            if (!session) continue;
            expect(session.spent + session.reserved).toBeLessThanOrEqual(now.limits.session);
            expect(session.reserved).toBeGreaterThanOrEqual(0);
          }
        const state = foldPlan(again);
        const used = [...state.records.values()].reduce((sum, one) => sum + one.used, 0);
        expect(used).toBeLessThanOrEqual(state.plan.limits.session);
      }),
      { numRuns: 300 },
    );
  });
  it('is decided the same again from the same log', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const { events } = playPlan(plan, worldOf(draws));
        for (const { state, next } of states(events))
          if (next.kind === 'plan.decided') expect(decidePlan(state, `r${state.seq}`)).toEqual(next.decision);
      }),
      { numRuns: 200 },
    );
  });
  it('moves iterations without making any', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const { state } = playPlan(plan, worldOf(draws));
        const moved = [...state.records.values()].reduce((sum, one) => sum + one.moved, 0);
        // Parts that were given up may take along what they had borrowed.
        expect(moved).toBeLessThanOrEqual(0);
        for (const [id, { used, moved: own }] of state.records)
          expect(used).toBeLessThanOrEqual(
            (state.agenda.item(id).limits.iterations ?? plan.limits.item) + own,
          );
      }),
      { numRuns: 200 },
    );
  });
  it('leaves no work uncounted: what is undone by the potential is what is not settled', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const { state, events } = playPlan(plan, worldOf(draws));
        expect(foldPlan(events).agenda.potential).toBeCloseTo(state.agenda.potential, 6);
        const isComplete = state.session!.ended!.status.startsWith('complete');
        if (isComplete) expect(state.agenda.potential).toBeCloseTo(0, 6);
      }),
      { numRuns: 200 },
    );
  });
});

/** The session goes on where its log ends: whatever was open is done first. */
function goOn(crashed: readonly PlanEvent[], world: PlanWorld): PlanEvent[] {
  const state = foldPlan(crashed);
  if (state.session?.ended) return [...crashed];
  return playPlan(state.plan, world, crashed).events;
}
