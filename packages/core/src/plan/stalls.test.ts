import { describe, expect, it } from 'vitest';
import { foldPlan } from './evolve-plan.ts';
import type { PlanEvent, PlanEventBody } from './plan-event.ts';
import { planHealth } from './plan-report.ts';
import type { PlanState } from './plan-state.ts';
import type { Redirect } from './redirect.ts';
import { begun, failing, planOf, playPlan, statusesOf } from './testing/play-plan.ts';

const items = (...ids: string[]) => ids.map((id) => ({ id, task: `do ${id}` }));
const shared = { gates: { tests: 'npm test' } };
/** Fails in a way that is not tried again, with one iteration. */
const hopeless = failing({ iterations: 1, failures: [1] });

/** Stalls and trend whenever an item was settled or split, or a group was given up. */
function course(plan: object, world: Parameters<typeof playPlan>[1] = {}) {
  const seen: { stalls: number; trend: PlanState['trend']; potential: number }[] = [];
  let told = -1;
  const played = playPlan(planOf(plan), {
    ...world,
    say: (at, state) => {
      const settled = [...state.records.values()].filter(({ code }) => code !== null).length;
      if (settled !== told && state.session)
        seen.push({
          stalls: state.session.stalls,
          trend: state.trend,
          potential: Math.round(state.agenda.potential * 1000) / 1000,
        });
      told = settled;
      return world.say?.(at, state) ?? [];
    },
  });
  return { ...played, seen };
}

describe('items in a row that leave as much undone as before', () => {
  const plan = { items: items('a', 'b', 'c', 'd', 'e'), limits: { stalls: 3, item: 1 } };
  it('end the session when their limit is reached', () => {
    const played = playPlan(planOf(plan), { run: () => hopeless });
    expect(played.state.session?.ended).toMatchObject({
      status: 'stuck',
      code: 'plan.stalled',
      reason: expect.stringContaining('the limit of 3 is reached'),
    });
  });
  it('are none of which the first is: nothing is known before it', () => {
    const { seen } = course(plan, { run: () => hopeless });
    expect(seen.map(({ stalls }) => stalls)).toEqual([0, 0, 1, 2, 3, 4]);
  });
  it('begin anew with one that was done', () => {
    const { seen, state } = course(plan, { run: ({ item }) => (item === 'd' ? {} : hopeless) });
    expect(seen.map(({ stalls }) => stalls)).toEqual([0, 0, 1, 2, 0, 1]);
    expect(state.session?.ended?.code).toBe('plan.stuck');
  });
  it('begin anew when a person redirects the plan', () => {
    let said = false;
    const { state } = course(plan, {
      run: () => hopeless,
      say: (_at, now) => {
        if (said || now.session!.stalls < 2) return [];
        said = true;
        return [{ kind: 'redirect.requested', by: 'me', redirect: { kind: 'constraint', text: 'Slowly.' } }];
      },
    });
    expect(said).toBe(true);
    expect(state.session?.ended?.code).toBe('plan.stuck');
    expect(state.session!.stalls).toBeLessThan(3);
  });
  it('are told before the limit that was reached as well, and with it', () => {
    const tight = planOf({ ...plan, limits: { stalls: 3, item: 1, session: 5 } });
    const played = playPlan(tight, { run: () => hopeless });
    expect(played.state.session?.ended).toMatchObject({
      code: 'plan.stalled',
      also: [{ code: 'budget.session' }],
    });
  });
});

describe('a split', () => {
  const split = [{ task: 'one' }, { task: 'two' }];
  it('grows the work once without being a stall', () => {
    const plan = { ...shared, items: items('z', 'a', 'y'), limits: { item: 1 } };
    const { seen, decisions } = course(plan, {
      run: ({ item }) => {
        if (item === 'a') return failing({ split, iterations: 1 });
        return item === 'y' || item === 'z' ? {} : hopeless;
      },
    });
    // Both parts get stuck: that no less is left after the first is forgiven, and after the second is not.
    expect(decisions.filter(({ kind }) => kind === 'settle')).toHaveLength(4);
    expect(Math.max(...seen.map(({ stalls }) => stalls))).toBe(1);
  });
  it('weighs as much as the item it takes the place of, each part by its own weight', () => {
    const plan = {
      items: [
        { id: 'all', parts: [{ id: 'x', task: 'x', weight: 3 }, ...items('y')] },
        { id: 'b', task: 'b', weight: 2 },
      ],
    };
    const { seen } = course(plan);
    expect(seen.map(({ potential }) => potential)).toEqual([3, 2.25, 2, 0]);
  });
  it('counts nothing of alternatives that nobody chose', () => {
    const { agenda } = playPlan(planOf({ items: [{ id: 'g', alternatives: items('x', 'y', 'z') }] }), {
      say: (at, { agenda: now }) => {
        if (at === 0) expect(now.potential).toBe(1);
        return [];
      },
    }).state;
    expect(agenda.potential).toBe(0);
  });
});

describe('more work than before', () => {
  // One half of the first alternative is done when it is given up: all of the second is to be done then.
  const plan = {
    ...shared,
    items: [
      { id: 'g', alternatives: [{ id: 'one', parts: items('x', 'y') }, ...items('two')] },
      ...items('z'),
    ],
    limits: { item: 2, stalls: 5 },
  };
  const afterSwitch = (run: NonNullable<Parameters<typeof playPlan>[1]>['run']) => {
    const { events } = playPlan(planOf(plan), run ? { run } : {});
    const at = events.findIndex((one) => isGivingUp(one, 'two'));
    return { before: foldPlan(events.slice(0, at)), after: foldPlan(events.slice(0, at + 1)) };
  };
  it('is an expansion, counts as a stall, and is not healthy', () => {
    const { before, after } = afterSwitch(({ item }) => (item === 'x' ? {} : hopeless));
    expect([before.trend, before.potential, after.potential]).toEqual([null, 1.5, 2]);
    expect([after.trend, after.session!.stalls]).toEqual(['expansion', 1]);
    expect(planHealth(after).reasons).toContain('more is left than before the last item was settled');
  });
  it('is forgiven once where an agent took the item apart', () => {
    const { after } = afterSwitch(({ item }) => {
      if (item === 'two') return failing({ iterations: 1, split: [{ task: 'one' }, { task: 'two' }] });
      return item === 'x' ? {} : hopeless;
    });
    expect([after.trend, after.session!.stalls]).toEqual(['expansion', 0]);
  });
  it('is none where the next thing is done', () => {
    const { state } = playPlan(planOf(plan), { run: ({ item }) => (item === 'y' ? hopeless : {}) });
    expect([state.trend, state.session?.stalls, state.agenda.potential]).toEqual(['progress', 0, 0]);
  });
});

const isGivingUp = (event: PlanEvent, id: string): boolean =>
  event.kind === 'plan.decided' && event.decision.kind === 'choose' && event.decision.from === id;

describe('a session', () => {
  it('ends when its active time is used, and says that its iterations are, too', () => {
    const plan = planOf({ items: items('a', 'b', 'c'), limits: { wallClock: '2s', session: 2 } });
    const played = playPlan(plan);
    expect(begun(played)).toEqual(['a', 'b']);
    expect(played.state.session?.ended).toMatchObject({
      status: 'budget',
      code: 'budget.session',
      also: [{ code: 'limit.wall-clock' }],
    });
    const slow = playPlan(planOf({ items: items('a', 'b', 'c'), limits: { wallClock: '2s' } }));
    expect(begun(slow)).toEqual(['a', 'b']);
    expect(slow.state.session?.ended).toMatchObject({ status: 'budget', code: 'limit.wall-clock' });
  });
  it('ends when its tokens are used', () => {
    const plan = planOf({ items: items('a', 'b', 'c'), limits: { tokens: 100 } });
    const played = playPlan(plan, { run: () => ({ tokens: 60 }) });
    expect(begun(played)).toEqual(['a', 'b']);
    expect(played.state.session?.ended).toMatchObject({ status: 'budget', code: 'limit.tokens' });
  });
  it('that has used its iterations while work is left is not healthy', () => {
    const played = playPlan(planOf({ items: items('a', 'b'), limits: { session: 1 } }));
    expect(planHealth(played.state).reasons).toEqual([
      'all 1 iterations of the session are used, and work is left',
    ]);
  });
  it('goes on with the others when one item cannot be judged', () => {
    const played = playPlan(planOf({ items: items('a', 'b') }), {
      run: ({ item }) =>
        item === 'a' ? { status: 'error', code: 'error.gate', reason: 'no such program' } : {},
    });
    expect(begun(played)).toEqual(['a', 'b']);
    expect(played.state.records.get('a')).toMatchObject({ status: 'stuck', reason: 'no such program' });
  });
  it('begins an item that was begun before one that stands earlier and is wanted since', () => {
    const plan = planOf({
      items: [{ id: 'early', task: 'early', deferred: true }, ...items('late')],
      ...shared,
    });
    const first = playPlan(plan, { run: () => ({ status: 'stopped', code: 'user.stop' }) });
    expect(statusesOf(first)).toEqual({ early: 'deferred', late: 'in-progress' });
    const redirect: Redirect = { kind: 'graph', add: [], remove: [], defer: [], retry: ['early'] };
    const say = (at: number): PlanEventBody[] =>
      at === 0 ? [{ kind: 'redirect.requested', by: 'me', redirect }] : [];
    const second = playPlan(plan, { say }, first.events);
    expect(begun(second)).toEqual(['late', 'early']);
  });
});
