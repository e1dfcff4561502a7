import { describe, expect, it } from 'vitest';
import type { PlanDecision } from './plan-decision.ts';
import { begun, endOf, failing, planOf, playPlan, statusesOf } from './testing/play-plan.ts';

const items = (...ids: string[]) => ids.map((id) => ({ id, task: `do ${id}` }));
const kinds = (decisions: readonly PlanDecision[]) => decisions.map(({ kind }) => kind);

describe('the next item', () => {
  it('is the first of the plan that waits for nothing', () => {
    const plan = planOf({
      items: [
        { id: 'c', task: 'c', dependsOn: ['a', 'b'] },
        { id: 'a', task: 'a' },
        { id: 'b', task: 'b', dependsOn: 'a' },
      ],
    });
    const played = playPlan(plan);
    expect(begun(played)).toEqual(['a', 'b', 'c']);
    expect(endOf(played)).toBe('complete');
  });
  it('goes by priority before the order of the plan', () => {
    const plan = planOf({
      items: [...items('a'), { id: 'b', task: 'b', priority: 2 }, { id: 'c', task: 'c', priority: 1 }],
    });
    expect(begun(playPlan(plan))).toEqual(['c', 'b', 'a']);
  });
  it('is one that was begun, before any other', () => {
    const plan = planOf({ items: items('a', 'b', 'c'), limits: { session: 2, item: 3 } });
    const first = playPlan(plan, { run: ({ item }) => (item === 'b' ? { iterations: 3 } : {}) });
    expect(endOf(first)).toBe('budget');
    expect(statusesOf(first)).toMatchObject({ a: 'done', b: 'in-progress', c: 'not-started' });
    const second = playPlan(plan, { run: () => ({ iterations: 1 }) }, first.events);
    expect(begun(second)).toEqual(['b', 'c']);
    expect(second.decisions[0]).toMatchObject({ approach: 'go-on', from: expect.any(String), iterations: 2 });
  });
  it('is none that was deferred, nor one that depends on it', () => {
    const plan = planOf({
      items: [
        { id: 'a', task: 'a', deferred: true },
        { id: 'b', task: 'b', dependsOn: ['a'] },
        ...items('c'),
      ],
    });
    const played = playPlan(plan);
    expect(begun(played)).toEqual(['c']);
    expect(played.state.session?.ended).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('b waits for a'),
    });
    const allowed = playPlan({ ...plan, allowDeferredDeps: true });
    expect(begun(allowed)).toEqual(['b', 'c']);
    expect(endOf(allowed)).toBe('complete-with-caveats');
  });
  it('is no item that was done before the plan began', () => {
    const plan = planOf({
      items: [
        { id: 'a', task: 'a', done: true },
        { id: 'b', task: 'b', dependsOn: ['a'] },
      ],
    });
    expect(begun(playPlan(plan))).toEqual(['b']);
  });
});

describe('an item', () => {
  const plan = planOf({ items: items('a', 'b') });
  it('is done with caveats when only soft gates fail', () => {
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? { code: 'goal.hard-only', soft: ['lint'] } : {}),
    });
    expect(statusesOf(played)).toEqual({ a: 'done-with-caveats', b: 'done' });
    expect(played.state.records.get('a')?.reason).toBe('lint fails');
    expect(endOf(played)).toBe('complete-with-caveats');
  });
  it('is done with caveats until a person has ticked what only a person can', () => {
    const asked = planOf({ items: [{ id: 'a', task: 'a', acceptance: ['It reads well.'] }] });
    const unticked = playPlan(asked);
    expect(statusesOf(unticked)).toEqual({ a: 'done-with-caveats' });
    const ticked = playPlan(asked, {
      say: (at) => (at === 0 ? [{ kind: 'item.ticked', item: 'a', criterion: 0, met: true, by: 'me' }] : []),
    });
    expect(statusesOf(ticked)).toEqual({ a: 'done' });
  });
  it('is tried in another way while it has iterations, then is stuck, and its work is taken back', () => {
    let work = 0;
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing({ work: `w${++work}` }) : {}),
    });
    expect(begun(played)).toEqual(['a', 'a', 'a', 'b']);
    expect(played.state.records.get('a')).toMatchObject({ used: 5, status: 'stuck' });
    expect(kinds(played.decisions)).toContain('revert-item');
    expect(played.state.session?.ended).toMatchObject({
      status: 'stuck',
      reason: expect.stringContaining('a'),
    });
  });
  it('is not tried again where another approach led to the same failures on the same tree', () => {
    const played = playPlan(plan, { run: ({ item }) => (item === 'a' ? failing() : {}) });
    expect(begun(played)).toEqual(['a', 'a', 'b']);
    expect(played.state.records.get('a')).toMatchObject({ used: 4, code: 'item.inertia' });
  });
  it('is looked into before it is tried again where the agent changed nothing', () => {
    const played = playPlan(plan, {
      run: ({ item, approach }) =>
        item === 'a' && approach === 'first'
          ? failing({ code: 'no-progress.no-changes', iterations: 2 })
          : {},
    });
    const moves = played.decisions.filter(({ kind }) => kind === 'probe' || kind === 'run-item');
    expect(moves.map((one) => (one.kind === 'run-item' ? one.approach : one.kind))).toEqual([
      'first',
      'probe',
      'informed',
      'first',
    ]);
    expect(played.state.records.get('a')?.notes).toEqual(['found out']);
    expect(endOf(played)).toBe('complete');
  });
  it('that could not be built by anybody ends the session as an error', () => {
    const played = playPlan(plan, {
      run: () => ({ status: 'error', code: 'error.build', reason: 'no agent' }),
    });
    expect(begun(played)).toEqual(['a']);
    expect(played.state.session?.ended).toMatchObject({ status: 'error', reason: 'no agent' });
    expect(statusesOf(played)).toMatchObject({ a: 'in-progress' });
  });
  it('that waits for a person lets the others go on', () => {
    const played = playPlan(plan, {
      run: ({ item }) =>
        item === 'a'
          ? { status: 'suspended', code: 'suspended.awaiting-approval', reason: 'an approval' }
          : {},
    });
    expect(begun(played)).toEqual(['a', 'b']);
    expect(played.state.session?.ended).toMatchObject({ status: 'blocked', code: 'plan.waiting' });
  });
});

describe('alternatives', () => {
  const plan = planOf({
    items: [
      { id: 'db', alternatives: items('sqlite', 'postgres') },
      { id: 'app', task: 'app', dependsOn: ['db'] },
    ],
  });
  it('are tried one after the other, and leave a trail', () => {
    const played = playPlan(plan, { run: ({ item }) => (item === 'sqlite' ? failing() : {}) });
    expect(begun(played)).toEqual(['sqlite', 'postgres', 'app']);
    expect(played.state.trail).toMatchObject([{ group: 'db', from: 'sqlite', to: 'postgres' }]);
    expect(played.state.switches).toBe(1);
    expect(endOf(played)).toBe('complete');
    expect(played.state.agenda.potential).toBe(0);
  });
  it('that are used up leave the group stuck, and what waits for it blocked', () => {
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'app' ? {} : failing()),
      probe: () => ({}),
    });
    expect(begun(played)).toEqual(['sqlite', 'postgres']);
    expect(played.state.session?.ended).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('app waits for db'),
    });
    expect(played.state.records.get('db')).toMatchObject({ status: 'stuck', code: 'item.exhausted' });
  });
});

describe('parts', () => {
  it('resolve what they are parts of', () => {
    const plan = planOf({
      items: [
        { id: 'all', parts: items('x', 'y') },
        { id: 'z', task: 'z', dependsOn: ['all'] },
      ],
    });
    const played = playPlan(plan);
    expect(begun(played)).toEqual(['x', 'y', 'z']);
    expect(statusesOf(played)).toEqual({ all: 'done', x: 'done', y: 'done', z: 'done' });
  });
  it('are followed by the gates of the whole, and by an agent where these fail', () => {
    const plan = planOf({
      items: [{ id: 'all', task: 'all', gates: { tests: 'x' }, parts: items('x', 'y') }],
    });
    const passing = playPlan(plan, { judge: () => true });
    expect(begun(passing)).toEqual(['x', 'y']);
    const broken = playPlan(plan, { judge: () => false });
    expect(begun(broken)).toEqual(['x', 'y', 'all']);
    expect(broken.decisions.at(-3)).toMatchObject({ kind: 'run-item', approach: 'integrate' });
    expect(endOf(broken)).toBe('complete');
  });
  it('that an agent proposed take the place of the item; its own gates are judged at the end', () => {
    const plan = planOf({
      items: [{ id: 'a', task: 'a', gates: { own: 'x' } }],
      gates: { tests: 'npm test' },
    });
    const split = [{ task: 'one' }, { task: 'two' }];
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing({ split }) : {}),
      judge: () => true,
    });
    expect(begun(played)).toEqual(['a', 'a.1', 'a.2']);
    expect(kinds(played.decisions)).toContain('judge-item');
    expect(endOf(played)).toBe('complete');
    expect(played.state.session?.stalls).toBe(0);
  });
  it('that an agent proposed and that get stuck are put together again', () => {
    const plan = planOf({ items: [{ id: 'a', task: 'a' }], gates: { tests: 'npm test' } });
    const played = playPlan(plan, {
      run: ({ item, attempt }) => {
        if (item === 'a' && attempt === 1) return failing({ split: [{ task: 'one' }, { task: 'two' }] });
        return item === 'a.2' ? failing() : {};
      },
    });
    expect(kinds(played.decisions)).toContain('reintegrate');
    expect(begun(played)).toEqual(['a', 'a.1', 'a.2', 'a.2', 'a']);
    expect(statusesOf(played)).toEqual({ a: 'done' });
    expect(played.state.records.get('a')?.notes[0]).toContain('a.2');
  });
});

describe('the whole', () => {
  const plan = planOf({ items: items('a', 'b'), done: { all: 'npm run verify' }, goal: 'Ship it.' });
  it('is judged before anything is spent, and ends at once where it is done', () => {
    const played = playPlan(plan, { judge: () => true });
    expect(begun(played)).toEqual([]);
    expect(played.state.session?.ended).toMatchObject({ status: 'complete', code: 'plan.goal-met' });
  });
  it('is not done as long as something that is only wished for is missing', () => {
    let judged = 0;
    const played = playPlan(plan, { judge: () => true, soft: () => (judged++ === 0 ? ['lint'] : []) });
    expect([begun(played), endOf(played)]).toEqual([['a', 'b'], 'complete']);
  });
  it('is judged again after the last item, and worked on where it fails', () => {
    let judged = 0;
    const played = playPlan(plan, { judge: () => (judged++, false) });
    expect(begun(played)).toEqual(['a', 'b', 'goal']);
    expect(judged).toBe(2);
    expect(endOf(played)).toBe('complete');
  });
});

describe('budgets', () => {
  it('end the session in the middle of an item, which goes on in the next one', () => {
    const chain = items('a', 'b', 'c', 'd').map((one, at, all) => ({
      ...one,
      dependsOn: at === 0 ? [] : [all[at - 1]!.id],
    }));
    const plan = planOf({ items: chain, limits: { session: 12 } });
    const run = () => ({ iterations: 5 });
    const first = playPlan(plan, { run });
    expect(first.state.session).toMatchObject({ spent: 12, ended: { status: 'budget' } });
    expect(statusesOf(first)).toMatchObject({ a: 'done', b: 'done', c: 'in-progress', d: 'not-started' });
  });
  it('move from what is stuck to what is getting better', () => {
    const plan = planOf({ items: items('a', 'b') });
    const played = playPlan(plan, {
      run: ({ item, attempt }) => {
        if (item === 'a') return failing();
        return attempt === 1
          ? failing({ code: 'limit.iterations', iterations: 5, failures: [9, 7, 5, 3, 1] })
          : {};
      },
    });
    expect(played.state.session?.moves).toMatchObject([{ from: 'a', to: 'b', iterations: 1 }]);
    expect(statusesOf(played)).toEqual({ a: 'stuck', b: 'done' });
    expect(played.state.session!.moves[0]!.reason).toContain('2.0 findings an iteration');
  });
  it('keep a first try for every item, however hopeless those before it are', () => {
    const plan = planOf({ items: items('a', 'b', 'c', 'd', 'e') });
    const played = playPlan(plan, {
      run: ({ item }) =>
        item === 'e' ? {} : failing({ code: 'limit.iterations', iterations: 5, failures: [3, 3, 3, 3, 3] }),
    });
    expect(begun(played)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(statusesOf(played)).toMatchObject({ c: 'stuck', d: 'in-progress', e: 'done' });
    expect(played.state.session).toMatchObject({ spent: 20, ended: { status: 'budget' } });
  });
  it('go to first tries before an item is tried again, whose work is set aside and comes back', () => {
    let work = 0;
    const plan = planOf({ items: items('a', 'b', 'c'), limits: { session: 4 } });
    const played = playPlan(plan, {
      run: ({ item, attempt }) => (item === 'a' && attempt === 1 ? failing({ work: `w${++work}` }) : {}),
    });
    expect(begun(played)).toEqual(['a', 'b', 'c']);
    const reverted = played.decisions.filter(({ kind }) => kind === 'revert-item');
    expect(reverted).toMatchObject([{ item: 'a', because: { code: 'item.set-aside' } }]);
    expect(played.state.records.get('a')).toMatchObject({
      status: 'in-progress',
      lying: [],
      aside: [{ before: 'start', left: 'good' }],
    });
    const next = playPlan(plan, {}, played.events);
    expect(begun(next)).toEqual(['a']);
    expect(endOf(next)).toBe('complete');
  });
  it('go on with an item that gets better, beyond its own, where nothing else can begin', () => {
    let left = 11;
    const plan = planOf({ items: items('a', 'b') });
    const played = playPlan(plan, {
      run: ({ item, iterations }) => {
        if (item === 'b') return {};
        const failures = Array.from({ length: iterations }, () => --left);
        return left > 0
          ? failing({ code: 'limit.iterations', iterations, failures })
          : { iterations, failures };
      },
    });
    expect(begun(played)).toEqual(['a', 'b', 'a']);
    expect(played.state.session?.moves).toMatchObject([{ from: null, to: 'a', iterations: 6 }]);
    expect(endOf(played)).toBe('complete');
  });
  it('do not go on with an item that only goes back and forth', () => {
    let at = 0;
    const plan = planOf({ items: items('a') });
    const played = playPlan(plan, {
      run: ({ iterations }) =>
        failing({
          code: 'limit.iterations',
          iterations,
          failures: Array.from({ length: iterations }, () => [6, 5][++at % 2]!),
          work: `w${at}`,
        }),
    });
    expect(statusesOf(played)).toEqual({ a: 'stuck' });
    expect(played.state.session!.spent).toBeLessThan(20);
  });
  it('do not move to what stands still', () => {
    const plan = planOf({ items: items('a', 'b') });
    const played = playPlan(plan, {
      run: ({ item }) =>
        item === 'a'
          ? failing()
          : failing({ code: 'limit.iterations', iterations: 5, failures: [3, 3, 3, 3, 3] }),
    });
    expect(played.state.session?.moves).toEqual([]);
  });
});

describe('items in a row that bring nothing', () => {
  it('end the session when no item of the plan is untried', () => {
    const plan = planOf({ items: items('a', 'b', 'c', 'd', 'e'), limits: { stalls: 2 } });
    const played = playPlan(plan, { run: ({ item }) => (item === 'e' ? {} : failing()) });
    // None of them is left out because others were stuck before it.
    expect(begun(played).at(-1)).toBe('e');
    expect(played.state.session?.ended).toMatchObject({ status: 'stuck' });
  });
});

describe('a stuck item that others wait for', () => {
  const plan = planOf({
    items: [...items('a'), { id: 'b', task: 'b', dependsOn: ['a'] }],
    gates: { tests: 'npm test' },
  });
  it('is looked at once, and what does not need it goes on', () => {
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing() : {}),
      probe: () => ({ drop: ['b'] }),
    });
    expect(begun(played)).toEqual(['a', 'a', 'b']);
    expect(endOf(played)).toBe('stuck');
  });
  it('is taken apart where that is what was found', () => {
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing() : {}),
      probe: () => ({
        split: [
          { id: 'x', task: 'x' },
          { id: 'y', task: 'y' },
        ],
      }),
    });
    expect(begun(played)).toEqual(['a', 'a', 'a.x', 'a.y', 'b']);
    expect(endOf(played)).toBe('complete');
  });
  it('otherwise leaves the plan blocked, and says by what', () => {
    const played = playPlan(plan, { run: ({ item }) => (item === 'a' ? failing() : {}) });
    expect(played.state.session?.ended).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('b waits for a'),
    });
  });
});

describe('items side by side', () => {
  const three = ['a', 'b', 'c'].map((id) => ({ id, task: id, paths: [`src/${id}/**`] }));
  it('begin together where they say what they change and do not overlap', () => {
    const played = playPlan(planOf({ items: three }));
    expect(kinds(played.decisions).slice(0, 4)).toEqual(['run-item', 'run-item', 'run-item', 'wait']);
    expect(played.decisions[0]).toMatchObject({ place: 'worktree' });
    expect(endOf(played)).toBe('complete');
  });
  it('do not where they overlap, or do not say it', () => {
    const plan = planOf({ items: [three[0], { id: 'b', task: 'b', paths: ['src'] }, ...items('c')] });
    const played = playPlan(plan);
    expect(played.decisions.filter((one) => one.kind === 'run-item' && one.place === 'worktree')).toEqual([]);
  });
  it('are merged one after the other, and a conflict goes back to its item', () => {
    let conflicts = 1;
    const played = playPlan(planOf({ items: three }), {
      merge: ({ item }) => (item === 'b' && conflicts-- > 0 ? ['src/shared.ts'] : null),
    });
    expect(played.decisions.filter((one) => one.kind === 'run-item' && one.item === 'b')).toMatchObject([
      { approach: 'first' },
      { approach: 'resolve', because: { reason: expect.stringContaining('src/shared.ts') } },
    ]);
    expect(endOf(played)).toBe('complete');
  });
  it('are stuck where resolving a conflict leads to the same one, with iterations left', () => {
    const played = playPlan(planOf({ items: three }), {
      merge: ({ item }) => (item === 'b' ? ['src/shared.ts'] : null),
    });
    expect(begun(played).filter((id) => id === 'b')).toHaveLength(2);
    expect(played.state.records.get('b')).toMatchObject({ status: 'stuck', code: 'item.inertia', used: 2 });
    let sides = 0;
    const other = playPlan(planOf({ items: three }), {
      merge: ({ item }) => (item === 'b' && sides < 3 ? ['src/shared.ts'] : null),
      sides: () => `${++sides}`,
    });
    expect(endOf(other)).toBe('complete');
  });
  it('give way to the next alternative where nobody can resolve their conflict', () => {
    const either = {
      id: 'g',
      alternatives: [
        { id: 'one', task: 'one', paths: ['g'] },
        { id: 'two', task: 'two', paths: ['g'] },
      ],
    };
    const limits = [{ item: 1 }, { item: 5 }];
    for (const limit of limits) {
      const played = playPlan(planOf({ items: [either, three[0]], limits: limit }), {
        merge: ({ item }) => (item === 'one' ? ['shared.txt'] : null),
      });
      expect(statusesOf(played)).toMatchObject({ g: 'done', one: 'stuck', two: 'done' });
      expect([endOf(played), played.state.trail]).toMatchObject([
        'complete',
        [{ group: 'g', from: 'one', to: 'two', reason: expect.stringContaining('shared.txt') }],
      ]);
    }
  });
});

describe('words of persons', () => {
  const plan = planOf({
    items: [...items('a', 'b'), { id: 'c', task: 'c', dependsOn: ['a'] }],
    gates: { t: 'true' },
  });
  it('stop it, unless it is complete already', () => {
    const stop = { kind: 'stop.requested', by: 'command' } as const;
    const stopped = playPlan(plan, { say: (n) => (n === 2 ? [stop] : []) });
    expect(endOf(stopped)).toBe('stopped');
    expect(stopped.state.session?.ended?.reason).toBe('stopped by agentgate plan stop');
    const all = playPlan(plan).decisions.length;
    const late = playPlan(plan, { say: (n) => (n === all - 1 ? [stop] : []) });
    expect(endOf(late)).toBe('complete');
  });
  it('a redirect goes before a stop', () => {
    const played = playPlan(plan, {
      say: (n) =>
        n === 1
          ? [
              { kind: 'stop.requested', by: 'command' },
              {
                kind: 'redirect.requested',
                by: 'command',
                redirect: { kind: 'constraint', text: 'No new packages.' },
              },
            ]
          : [],
    });
    expect(kinds(played.decisions).slice(-2)).toEqual(['redirect', 'end-session']);
    expect(played.state.corrections).toMatchObject([{ kind: 'constraint', trailCleared: false }]);
  });
  it('change the objective, which clears the trail and gives what was stuck another chance', () => {
    const grouped = planOf({ items: [{ id: 'g', alternatives: items('x', 'y') }, ...items('z')] });
    let redirected = false;
    const played = playPlan(grouped, {
      run: ({ item }) => (item === 'x' && !redirected ? failing() : {}),
      say: (_n, state) => {
        if (redirected || state.trail.length === 0) return [];
        redirected = true;
        return [
          { kind: 'redirect.requested', by: 'me', redirect: { kind: 'objective', goal: 'Something else.' } },
        ];
      },
    });
    expect(played.state.trail).toEqual([]);
    expect(played.state.corrections).toMatchObject([{ kind: 'objective', trailCleared: true }]);
    expect(played.state.plan.goal).toBe('Something else.');
    expect(endOf(played)).toBe('complete');
  });
  it('add and take out items that are not done', () => {
    const played = playPlan(plan, {
      say: (n) =>
        n === 1
          ? [
              {
                kind: 'redirect.requested',
                by: 'me',
                redirect: {
                  kind: 'graph',
                  add: [{ id: 'd', task: 'd', dependsOn: ['b'] }],
                  remove: ['c'],
                  defer: [],
                  retry: [],
                },
              },
            ]
          : [],
    });
    expect(begun(played)).toEqual(['a', 'b', 'd']);
  });
  it('override what an item left: it and those built upon it are done again', () => {
    let told = false;
    const chain = planOf({ items: [...items('a'), { id: 'c', task: 'c', dependsOn: ['a'] }, ...items('b')] });
    const played = playPlan(chain, {
      say: (_n, state) => {
        if (told || state.records.get('c')?.status !== 'done') return [];
        told = true;
        return [
          {
            kind: 'redirect.requested',
            by: 'me',
            redirect: { kind: 'binding', item: 'a', text: 'Use the old one.' },
          },
        ];
      },
    });
    expect(begun(played)).toEqual(['a', 'c', 'a', 'c', 'b']);
    expect(played.state.records.get('a')?.notes).toEqual(['Use the old one.']);
  });
});
