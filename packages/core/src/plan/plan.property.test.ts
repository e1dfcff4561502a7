import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decidePlan } from './decide-plan.ts';
import { evolvePlan, foldPlan } from './evolve-plan.ts';
import { overlaps } from './overlap.ts';
import { type PlanEvent, PlanEventBody } from './plan-event.ts';
import { type Attempt, freeIterations, isDone, leavesOf, type PlanState } from './plan-state.ts';
import { failing, planOf, playPlan, type PlanWorld } from './testing/play-plan.ts';
import { planHealth } from './plan-report.ts';
import type { Redirect } from './redirect.ts';
import type { ItemShare } from './share.ts';
import type { Plan, WorkItem } from './work-item.ts';

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
          return failing({ iterations, code: 'no-progress.no-changes' });
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

const anyLimits = fc.record({
  tokens: fc.integer({ min: 1, max: 5_000 }),
  cost: fc.integer({ min: 1, max: 40 }),
  wallClock: fc.integer({ min: 1_000, max: 90_000 }),
});

/** Agents that use all that was set aside for them, or a third of it. */
function greedy(draws: readonly number[]): PlanWorld {
  const world = worldOf(draws);
  return {
    ...world,
    run(decision, state) {
      const { tokens = 0, cost = 0, wallClock } = state.records.get(decision.item)!.share!;
      const part = draws[state.seq % draws.length]! % 2 === 0 ? 1 : 3;
      const used = { tokens: tokens / part, costUsd: cost / part, activeMs: wallClock / part };
      return { ...world.run!(decision, state), ...used };
    },
  };
}

/** What is used, and what is set aside for those under way. */
function amountsOf({ session, inFlight, records }: PlanState) {
  const shares = [...inFlight].map((id) => records.get(id)!.share);
  const promised = (name: keyof ItemShare) => shares.reduce((sum, share) => sum + (share?.[name] ?? 0), 0);
  return {
    tokens: (session?.tokens ?? 0) + promised('tokens'),
    cost: (session?.costUsd ?? 0) + promised('cost'),
    wallClock: (session?.activeMs ?? 0) + promised('wallClock'),
  };
}

/** Words of persons, each before the decision with a number. Most fit to the plan, some do not. */
const anyWords = fc.array(
  fc.tuple(
    fc.nat(30),
    fc.oneof(
      fc.record({ goal: fc.constantFrom('x', 'y') }).map(({ goal }) => told({ kind: 'objective', goal })),
      fc.nat(9).map((n) => told({ kind: 'constraint', text: `c${n}` })),
      fc.nat(9).map((n) => told({ kind: 'binding', item: `i${n}`, text: 'wrong' })),
      fc.record({ remove: fc.nat(9), defer: fc.nat(9), retry: fc.nat(9) }).map(({ remove, defer, retry }) =>
        told({
          kind: 'graph',
          add: [],
          remove: [`i${remove}`],
          defer: [`i${defer}`],
          retry: [`i${retry}`],
        }),
      ),
      fc.nat(9).map(
        (n): PlanEventBody => ({
          kind: 'item.ticked',
          item: `i${n}`,
          criterion: 0,
          met: n % 2 === 0,
          by: 'me',
        }),
      ),
      fc.constant<PlanEventBody>({ kind: 'stop.requested', by: 'me' }),
    ),
  ),
  { maxLength: 6 },
);

const told = (redirect: Redirect): PlanEventBody => ({ kind: 'redirect.requested', redirect, by: 'me' });

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
  it('begins no item before everything it waits for is there, nor beside one that it overlaps with', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        for (const { state, next } of states(playPlan(plan, worldOf(draws)).events)) {
          if (next.kind !== 'plan.decided' || next.decision.kind !== 'run-item') continue;
          const { item } = next.decision;
          for (const id of waitsFor(state, item)) expect(isDone(state.records.get(id)!.status)).toBe(true);
          expect(state.inFlight.has(item)).toBe(false);
          expect(state.inFlight.size).toBeLessThan(state.plan.maxParallel);
          const { paths } = state.agenda.item(item);
          for (const id of state.inFlight) expect(overlaps(paths, state.agenda.item(id).paths)).toBe(false);
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
  it('gives those who work at the same time no more than the session has, also across a crash', () => {
    fc.assert(
      fc.property(anyLimits, anyPlan, anyDraws, fc.nat(), (limits, plan, draws, cut) => {
        const limited = { ...plan, limits: { ...plan.limits, ...limits } };
        const first = playPlan(limited, greedy(draws)).events;
        const crashed = first.slice(0, 2 + (cut % (first.length - 2)));
        for (const events of [first, goOn(crashed, greedy(draws.toReversed()))])
          for (const { state, next } of states(events)) {
            const now = amountsOf(state);
            for (const [name, limit] of Object.entries(limits))
              expect(now[name as keyof typeof limits], name).toBeLessThanOrEqual(limit + 1e-6);
            if (next.kind !== 'plan.decided' || next.decision.kind !== 'run-item') continue;
            const { tokens, costUsd, activeMs } = state.session!;
            expect(tokens ?? 0).toBeLessThan(limits.tokens);
            expect(costUsd ?? 0).toBeLessThan(limits.cost);
            expect(activeMs).toBeLessThan(limits.wallClock);
          }
      }),
      { numRuns: 300 },
    );
  });
  it('ends as one of its ends whatever persons say meanwhile, and begins nothing behind a stop', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, anyWords, (plan, draws, words) => {
        const said = new Map(words);
        const say = (at: number) => (said.has(at) ? [said.get(at)!] : []);
        const { events, state } = playPlan(plan, { ...worldOf(draws), say });
        expect(state.session!.ended).not.toBeNull();
        expect(state.session!.reserved).toBe(0);
        expect([...state.records.values()].every(({ share, open }) => share === null && open === null)).toBe(
          true,
        );
        expect(foldPlan(events).corrections).toEqual(state.corrections);
        for (const { state: then, next } of states(events)) {
          if (next.kind !== 'plan.decided') continue;
          expect(decidePlan(then, `r${then.seq}`)).toEqual(next.decision);
          if (then.stop) expect(['end-session', 'redirect']).toContain(next.decision.kind);
        }
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
  it('calls no plan healthy that ended for something that a person must mend, and any that is complete', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const { state } = playPlan(plan, worldOf(draws));
        const { status } = state.session!.ended!;
        const { healthy, reasons } = planHealth(state);
        expect(healthy).toBe(reasons.length === 0);
        if (['stuck', 'blocked', 'error'].includes(status)) expect(healthy).toBe(false);
        if (status.startsWith('complete')) expect(healthy).toBe(true);
      }),
      { numRuns: 100 },
    );
  });
  it('moves iterations without making any', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const { state, decisions } = playPlan(plan, worldOf(draws));
        const moved = [...state.records.values()].reduce((sum, one) => sum + one.moved, 0);
        const given = decisions.flatMap((one) =>
          one.kind === 'move-budget' && one.from === null ? [one.iterations] : [],
        );
        // Parts that were given up may take along what they had borrowed.
        expect(moved).toBeLessThanOrEqual(given.reduce((sum, one) => sum + one, 0));
        for (const [id, { used, moved: own }] of state.records)
          expect(used).toBeLessThanOrEqual(
            (state.agenda.item(id).limits.iterations ?? plan.limits.item) + own,
          );
      }),
      { numRuns: 200 },
    );
  });
  it('is complete only with every item that is done green in the workspace as it is then', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        const world = worldOf(draws);
        let turn = 0;
        const next = (n: number) => draws[turn++ % draws.length]! % n;
        // Mostly it goes well, in a workspace that is another one each time, and what is done mostly stays good.
        const { events, state } = playPlan(plan, {
          ...world,
          run: (decision, now) => ({
            left: `tree ${next(50)}`,
            ...(next(6) === 0 ? world.run!(decision, now) : {}),
          }),
          judge: (item, now) => next(isDone(now.records.get(item)!.status) ? 5 : 2) > 0,
        });
        if (!state.session!.ended!.status.startsWith('complete')) return;
        const green = greenAtTheEnd(events);
        const isDoneHere = ({ id, resolvedBy }: WorkItem) =>
          resolvedBy === null && isDone(state.records.get(id)!.status) && !state.failed.has(id);
        for (const item of leavesOf(state).filter(isDoneHere))
          if (Object.keys(item.gates).length > 0) expect(green).toContain(item.id);
      }),
      { numRuns: 300 },
    );
  });
  it('gives every item that can begin a first try before anything beyond its own, or another try that would take it', () => {
    fc.assert(
      fc.property(anyPlan, anyDraws, (plan, draws) => {
        for (const { state, next } of states(playPlan(plan, worldOf(draws)).events)) {
          if (next.kind !== 'plan.decided') continue;
          const { decision } = next;
          const waiting = state.agenda.items.filter(({ id, resolvedBy }) => {
            const { attempts, depth, open, waiting: why } = state.records.get(id)!;
            const isNew = attempts.length === 0 && open === null && why === null;
            return isNew && depth === 0 && resolvedBy === null && state.agenda.isReady(id);
          });
          if (decision.kind === 'move-budget') expect(waiting).toEqual([]);
          if (decision.kind !== 'run-item' || decision.approach === 'resolve') continue;
          const { attempts } = state.records.get(decision.item)!;
          if (attempts.length === 0 || !state.session!.touched.has(decision.item) || improves(attempts))
            continue;
          const others = waiting.filter(({ id }) => id !== decision.item).length;
          if (others > 0) expect(freeIterations(state) - decision.iterations).toBeGreaterThanOrEqual(others);
        }
      }),
      { numRuns: 300 },
    );
  });
  it('tries every item that waits for nothing in a session that has an iteration for each', () => {
    const anyTry = fc.record({
      iterations: fc.integer({ min: 1, max: 8 }),
      code: fc.constantFrom('limit.iterations', 'loop.failure-set-repeat', 'no-progress.no-changes'),
    });
    fc.assert(
      fc.property(
        fc.array(anyTry, { minLength: 1, maxLength: 12 }),
        fc.nat(10),
        fc.integer({ min: 1, max: 6 }),
        (tries, more, item) => {
          const plan = planOf({
            items: tries.map((_, at) => ({ id: `i${at}`, task: 'x' })),
            limits: { session: tries.length + more, item },
          });
          let work = 0;
          const { state } = playPlan(plan, {
            run: (decision) => {
              const { iterations, code } = tries[Number(decision.item.slice(1))]!;
              return failing({ iterations, code, work: `w${++work}` });
            },
          });
          for (const { id } of plan.items) expect(state.records.get(id)!.attempts).not.toEqual([]);
        },
      ),
      { numRuns: 300 },
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

/** Which items were judged as good since the workspace became what it is, read from the facts alone. */
function greenAtTheEnd(events: readonly PlanEvent[]): Set<string> {
  const green = new Set<string>();
  const beside = new Set<string>();
  let tree: string | null = null;
  const became = (next: string | null) => {
    if (next !== tree) green.clear();
    tree = next;
  };
  for (const event of events)
    if (event.kind === 'plan.decided' && event.decision.kind === 'run-item') {
      if (event.decision.place === 'worktree') beside.add(event.decision.item);
      else beside.delete(event.decision.item);
    } else if (event.kind === 'item.ended' && !beside.has(event.item)) {
      became(event.outcome.left);
      if (event.outcome.status === 'converged') green.add(event.item);
    } else if (event.kind === 'item.merged') {
      became(event.tree);
      green.add(event.item);
    } else if (event.kind === 'item.reverted') became(event.to);
    else if (event.kind === 'item.judged' && event.passed) green.add(event.item);
  return green;
}

/** Whether the newest iteration left less than the one before it, and than the first. */
function improves(attempts: readonly Attempt[]): boolean {
  const counts = attempts.flatMap(({ outcome }) => outcome.failures);
  const [last, before] = [counts.at(-1) ?? 0, counts.at(-2) ?? 0];
  return counts.length > 1 && last < before && last < counts[0]!;
}

/** The session goes on where its log ends: whatever was open is done first. */
function goOn(crashed: readonly PlanEvent[], world: PlanWorld): PlanEvent[] {
  const state = foldPlan(crashed);
  if (state.session?.ended) return [...crashed];
  return playPlan(state.plan, world, crashed).events;
}
