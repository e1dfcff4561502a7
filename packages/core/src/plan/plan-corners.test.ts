import { describe, expect, it } from 'vitest';
import { findRedirectProblem } from './apply-redirect.ts';
import type { PlanEventBody } from './plan-event.ts';
import { foldPlan } from './evolve-plan.ts';
import { sessionReport, sessionText } from './plan-report.ts';
import { begun, endOf, failing, planOf, playPlan, statusesOf } from './testing/play-plan.ts';

const items = (...ids: string[]) => ids.map((id) => ({ id, task: `do ${id}` }));
const graph = (over: object): PlanEventBody => ({
  kind: 'redirect.requested',
  by: 'me',
  redirect: { kind: 'graph', add: [], remove: [], defer: [], retry: [], ...over },
});

describe('what an agent proposes and nobody can take', () => {
  const split = (count: number) => Array.from({ length: count }, (_, at) => ({ task: `part ${at}` }));
  const gates = { tests: 'npm test' };
  it.each([
    [
      'more parts than are taken at once',
      { gates },
      failing({ split: split(11) }),
      '11 are more than the 10',
    ],
    ['one part', { gates }, failing({ split: split(1) }), 'one part is the whole'],
    ['parts that nothing would judge', {}, failing({ split: split(2) }), 'no gates of its own'],
    ['parts of what is done', { gates }, { split: split(2) }, 'it is done as one piece'],
    [
      'parts of what is only cut short',
      { gates },
      failing({ split: split(2), code: 'limit.iterations', iterations: 2 }),
      'goes on as one piece',
    ],
  ])('%s: is told once, in the log and in the report', (_name, more, outcome, reason) => {
    const own = 'gates' in more ? {} : { gates: { own: 'x' } };
    const played = playPlan(planOf({ ...more, items: [{ id: 'a', task: 'a', ...own }] }), {
      run: ({ attempt }) => (attempt === 1 ? outcome : {}),
    });
    const told = played.decisions.filter(({ kind }) => kind === 'drop-proposal');
    expect(told).toMatchObject([{ item: 'a', because: { reason: expect.stringContaining(reason) } }]);
    const report = sessionReport(played.state);
    expect(report.dropped).toMatchObject([{ item: 'a', reason: expect.stringContaining(reason) }]);
    expect(sessionText(report)).toContain('Not taken: the parts that an agent proposed for a');
    expect(played.state.records.has('a.1')).toBe(false);
  });
  it('dependencies that are none, beside those that are given up', () => {
    const plan = planOf({
      gates,
      items: [...items('a'), { id: 'b', task: 'b', dependsOn: ['a'] }, ...items('c')],
    });
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing() : {}),
      probe: () => ({ drop: ['b', 'c', 'nobody'] }),
    });
    expect(sessionReport(played.state).dropped).toEqual([
      {
        item: 'a',
        reason:
          'c, which need not wait for a as an agent said, does not; an agent said that nobody need not wait for a, and there is no such item',
      },
    ]);
    expect(statusesOf(played)).toMatchObject({ b: 'done' });
  });
});

describe('the next session', () => {
  it('goes on with an item whose agent could not be started before', () => {
    const plan = planOf({ items: items('a') });
    const first = playPlan(plan, {
      run: () => ({ status: 'error', code: 'error.build', reason: 'no agent' }),
    });
    expect(endOf(first)).toBe('error');
    const second = playPlan(plan, {}, first.events);
    expect([begun(second), endOf(second)]).toEqual([['a'], 'complete']);
  });
  it('only asks again, and spends nothing, where an item waited for a person with its last iteration', () => {
    const plan = planOf({ items: items('a'), limits: { item: 1 } });
    const first = playPlan(plan, {
      run: () => ({ status: 'suspended', code: 'suspended.awaiting-approval' }),
    });
    const second = playPlan(plan, { run: () => ({ iterations: 0 }) }, first.events);
    expect(second.decisions[0]).toMatchObject({ kind: 'run-item', iterations: 0 });
    expect(endOf(second)).toBe('complete');
  });
  it('waits for the answer to a question, and goes on when a person gave it', () => {
    const plan = planOf({ items: items('a') });
    const first = playPlan(plan, {
      run: () => ({ status: 'suspended', code: 'awaiting-answer', reason: 'which?' }),
    });
    const second = playPlan(plan, {}, first.events);
    expect([begun(second), endOf(second)]).toEqual([[], 'blocked']);
    const answer: PlanEventBody = {
      kind: 'redirect.requested',
      by: 'me',
      redirect: { kind: 'binding', item: 'a', text: 'The first.' },
    };
    const third = playPlan(plan, { say: (at) => (at === 0 ? [answer] : []) }, second.events);
    expect([begun(third), endOf(third)]).toEqual([['a'], 'complete']);
  });
  it('tries the other alternative where the first was stopped in its last iteration', () => {
    const plan = planOf({ items: [{ id: 'g', alternatives: items('x', 'y') }], limits: { item: 1 } });
    const stop: PlanEventBody = { kind: 'stop.requested', by: 'command' };
    const first = playPlan(plan, {
      run: () => ({ status: 'stopped', code: 'budget.session' }),
      say: (at) => (at === 1 ? [stop] : []),
    });
    expect(begun(first)).toEqual(['x']);
    const second = playPlan(plan, {}, first.events);
    expect([begun(second), endOf(second)]).toEqual([['y'], 'complete']);
  });
  it('ends for the budget where the money of this one was used up, and blames no item', () => {
    const plan = planOf({ items: items('a'), limits: { cost: '1usd' } });
    const run = () => failing({ code: 'limit.cost', costUsd: 1, iterations: 1 });
    const first = playPlan(plan, { run });
    expect([endOf(first), statusesOf(first)]).toEqual(['budget', { a: 'in-progress' }]);
    expect(begun(first)).toHaveLength(1);
  });
});

describe('what a person says', () => {
  it('is followed also when the plan was complete', () => {
    const plan = planOf({ items: items('a'), gates: { t: 'true' } });
    const first = playPlan(plan);
    const second = playPlan(
      plan,
      { say: (at) => (at === 0 ? [graph({ add: items('b') })] : []) },
      first.events,
    );
    expect([begun(second), endOf(second)]).toEqual([['b'], 'complete']);
  });
  it('is followed one after the other', () => {
    const plan = planOf({ items: items('a', 'b', 'c'), gates: { t: 'true' } });
    const played = playPlan(plan, {
      say: (at) => (at === 0 ? [graph({ remove: ['c'] }), graph({ add: items('d') })] : []),
    });
    expect(begun(played)).toEqual(['a', 'b', 'd']);
  });
  it('and no longer fits is told, and changes nothing', () => {
    const plan = planOf({ items: items('a', 'b') });
    const played = playPlan(plan, {
      say: (at) => (at === 0 ? [graph({ remove: ['b'] }), graph({ defer: ['b'] })] : []),
    });
    expect(played.state.corrections[1]?.text).toContain('not followed');
    expect(endOf(played)).toBe('complete');
  });
  it('gives a stuck group another chance, with whatever in it is stuck', () => {
    const plan = planOf({
      items: [
        { id: 'g', alternatives: items('x', 'y') },
        { id: 'p', parts: items('q') },
      ],
    });
    const first = playPlan(plan, { run: () => failing() });
    expect(endOf(first)).toBe('stuck');
    const second = playPlan(
      plan,
      { say: (at) => (at === 0 ? [graph({ retry: ['g', 'p'] })] : []) },
      first.events,
    );
    expect([begun(second), endOf(second)]).toEqual([['y', 'q'], 'complete']);
  });
});

describe('a change of the graph', () => {
  const redirected = (value: object, ...changes: object[]) => {
    const say = (at: number) => (at === 0 ? changes.map(graph) : []);
    return playPlan(planOf({ gates: { t: 'true' }, ...value }), { say });
  };
  it('may take out the alternative that is tried where the others are put off', () => {
    const played = redirected(
      { items: [{ id: 'g', alternatives: items('x', 'y') }, ...items('z')] },
      { defer: ['y'] },
      { remove: ['x'] },
    );
    expect([begun(played), endOf(played)]).toEqual([['z'], 'complete-with-caveats']);
  });
  it('brings in an alternative that the gates of its group judge, and none that nothing judges', () => {
    const played = playPlan(
      planOf({
        items: [
          { id: 'g', gates: { t: 'x' }, alternatives: items('a') },
          { id: 'h', alternatives: [{ id: 'b', task: 'b', gates: { t: 'x' } }] },
        ],
      }),
    );
    const add = (orGroup: string) => ({
      kind: 'graph' as const,
      add: [{ id: 'new', task: 'new', orGroup }],
      remove: [],
      defer: [],
      retry: [],
    });
    expect(findRedirectProblem(played.state, add('g'))).toBe(null);
    expect(findRedirectProblem(played.state, add('h'))).toBe(
      'no gate would judge new; give it one, as --gate "npm test" of agentgate plan add does',
    );
  });
  it('wants nothing after all that was put off and that nothing would judge', () => {
    const off = items('off').map((one) => ({ ...one, deferred: true }));
    const retry = { kind: 'graph' as const, add: [], remove: [], defer: [], retry: ['off'] };
    const bare = playPlan(planOf({ items: [...items('a'), ...off] }));
    expect(findRedirectProblem(bare.state, retry)).toBe('no gate would judge off; give it one');
    const gates = { t: 'x' };
    const judged = playPlan(planOf({ items: [...items('a'), ...off.map((one) => ({ ...one, gates }))] }));
    expect(findRedirectProblem(judged.state, retry)).toBe(null);
  });
  it('leaves no group without anything in it', () => {
    const played = redirected({ items: [{ id: 'g', parts: items('x') }] }, { remove: ['x'] });
    expect(played.state.corrections[0]?.text).toContain('nothing would be left of g');
    expect([begun(played), endOf(played)]).toEqual([['x'], 'complete']);
  });
  it('brings no parts into an item that was begun as one piece', () => {
    const plan = planOf({ items: items('a', 'b'), gates: { t: 'true' } });
    const add = [{ id: 'part', task: 'more', parent: 'a' }];
    const played = playPlan(plan, {
      say: (_at, { unheeded, corrections }) =>
        unheeded.has('a') && corrections.length === 0 ? [graph({ add })] : [],
    });
    expect(played.state.corrections[0]?.text).toContain('a was begun as one piece of work');
    expect([begun(played), endOf(played)]).toEqual([['a', 'b'], 'complete']);
  });
});

describe('what is put off', () => {
  it('is put off with everything inside of it', () => {
    const plan = planOf({ items: [{ id: 'p', deferred: true, parts: items('x', 'y') }, ...items('z')] });
    const played = playPlan(plan);
    expect([begun(played), endOf(played)]).toEqual([['z'], 'complete-with-caveats']);
  });
  it('makes way for the other alternative', () => {
    const plan = planOf({ items: [{ id: 'g', alternatives: items('x', 'y') }] });
    const played = playPlan(plan, { say: (at) => (at === 0 ? [graph({ defer: ['x'] })] : []) });
    expect([begun(played), endOf(played)]).toEqual([['y'], 'complete']);
  });
  it('completely, also where the whole has gates', () => {
    const plan = planOf({ items: [{ id: 'a', task: 'a', deferred: true }], done: { all: 'x' } });
    expect(endOf(playPlan(plan))).toBe('complete-with-caveats');
  });
});

describe('alternatives inside of alternatives', () => {
  it('give way to the outer one when none of them is left', () => {
    const plan = planOf({
      items: [{ id: 'g', alternatives: [{ id: 'x', alternatives: items('x1', 'x2') }, ...items('y')] }],
    });
    const played = playPlan(plan, { run: ({ item }) => (item === 'y' ? {} : failing()) });
    expect([begun(played), endOf(played)]).toEqual([['x1', 'x2', 'y'], 'complete']);
  });
  it('of parts are given up as a whole, and tried once', () => {
    const plan = planOf({
      items: [
        {
          id: 'g',
          alternatives: [
            { id: 'x', parts: items('x1', 'x2') },
            { id: 'y', parts: items('y1') },
          ],
        },
      ],
      limits: { item: 20, stalls: 100 },
    });
    const played = playPlan(plan, { run: ({ item }) => (item === 'x1' ? {} : failing()) });
    expect(begun(played)).toEqual(['x1', 'x2', 'y1']);
    expect([endOf(played), statusesOf(played)]).toMatchObject([
      'stuck',
      { x2: 'stuck', y1: 'stuck', g: 'stuck' },
    ]);
  });
});

describe('items in parts', () => {
  it('are not done because far too many parts were proposed', () => {
    const plan = planOf({
      items: [...items('a'), { id: 'b', task: 'b', dependsOn: ['a'] }],
      gates: { t: 'true' },
    });
    const split = Array.from({ length: 11 }, (_, n) => ({ task: `part ${n}` }));
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing() : {}),
      probe: () => ({ split }),
      judge: () => true,
    });
    expect([endOf(played), statusesOf(played)]).toMatchObject(['blocked', { a: 'stuck' }]);
  });
  it('that were worked on beside others come together in the workspace', () => {
    const beside = (id: string) => ({ id, task: id, paths: [id], gates: { own: 'x' } });
    const plan = planOf({ items: [beside('a'), beside('b')], gates: { t: 'true' } });
    const played = playPlan(plan, {
      run: ({ item, approach }) =>
        item === 'a' && approach === 'first' ? failing({ split: [{ task: 'one' }, { task: 'two' }] }) : {},
    });
    const last = played.decisions.findLast((one) => one.kind === 'run-item' && one.item === 'a');
    expect(last).toMatchObject({ approach: 'integrate', place: 'workspace', from: null });
    expect(endOf(played)).toBe('complete');
  });
  it('with a criterion for a person are done with caveats until it is ticked', () => {
    const plan = planOf({ items: [{ id: 'p', acceptance: ['It reads well.'], parts: items('x') }] });
    expect(statusesOf(playPlan(plan))).toMatchObject({ p: 'done-with-caveats' });
  });
});

it('items begin beside each other only where they do not overlap, also when one is tried again', () => {
  const plan = planOf({
    items: ['b', 'a', 'b'].map((path, at) => ({ id: `i${at}`, task: 'x', paths: [path] })),
    gates: { t: 'true' },
    limits: { session: 11, item: 3 },
    maxParallel: 2,
  });
  const split = [{ task: 'one' }, { task: 'two' }];
  const outcomes = [
    failing(),
    failing({ iterations: 1, split }),
    {},
    failing({ iterations: 1, code: 'no-progress.no-changes' }),
    {},
  ];
  let at = 0;
  const beside: string[] = [];
  playPlan(plan, {
    run: () => outcomes[at++ % outcomes.length]!,
    say(_at, { inFlight, agenda }) {
      const paths = [...inFlight].map((id) => agenda.item(id).paths!.join());
      if (new Set(paths).size < paths.length) beside.push([...inFlight].join());
      return [];
    },
  });
  expect(beside).toEqual([]);
});

it('work that is finished beside comes in before the session ends for its budget', () => {
  const beside = (id: string) => ({ id, task: id, paths: [id] });
  const plan = planOf({ items: [beside('a'), beside('b')], limits: { session: 4, item: 9 } });
  const played = playPlan(plan, {
    run: ({ item }) =>
      item === 'a' ? failing({ iterations: 2, code: 'limit.iterations' }) : { iterations: 1 },
    pick: () => 0,
  });
  expect([endOf(played), statusesOf(played)]).toMatchObject(['budget', { b: 'done' }]);
});

describe('groups', () => {
  const kinds = ({ decisions }: ReturnType<typeof playPlan>) =>
    decisions.map((one) => (one.kind === 'revert-item' ? `revert ${one.item}` : one.kind));
  it('with gates of their own that were done are open again when something is added', () => {
    const plan = planOf({ items: items('a'), gates: { t: 'true' }, done: { all: 'x' } });
    let judged = 0;
    const world = { judge: () => judged++ > 0 };
    const first = playPlan(plan, world);
    expect(endOf(first)).toBe('complete');
    const say = (at: number) => (at === 0 ? [graph({ add: items('docs') })] : []);
    const second = playPlan(plan, { ...world, say }, first.events);
    expect([begun(second), endOf(second)]).toEqual([['docs'], 'complete']);
  });
  it('that are given up with all around them leave nothing behind', () => {
    const inner = { id: 'A2', alternatives: items('p', 'q') };
    const plan = planOf({
      items: [{ id: 'o', alternatives: [{ id: 'A', parts: [...items('A1'), inner] }, ...items('B')] }],
    });
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'p' || item === 'q' ? failing({ left: 'l' }) : {}),
    });
    expect(begun(played)).toEqual(['A1', 'p', 'q', 'B']);
    expect(kinds(played)).toContain('revert A1');
    expect([endOf(played), statusesOf(played)]).toMatchObject([
      'complete',
      { A: 'stuck', A2: 'stuck', B: 'done' },
    ]);
  });
  it('that were put off spend nothing more, though a part of them had just failed', () => {
    const plan = planOf({ items: [{ id: 'g', parts: items('a') }, ...items('z')], limits: { item: 9 } });
    let told = false;
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'a' ? failing({ work: 'w' }) : {}),
      say: (_at, state) => {
        if (told || state.unheeded.size === 0) return [];
        told = true;
        return [graph({ defer: ['g'] })];
      },
    });
    expect([begun(played), endOf(played)]).toEqual([['a', 'z'], 'complete-with-caveats']);
  });
  it('that ask a person say what they ask', () => {
    const plan = planOf({ items: [{ id: 'g', gates: { own: 'x' }, parts: items('a') }] });
    const played = playPlan(plan, {
      run: ({ item }) =>
        item === 'g' ? { status: 'suspended', code: 'awaiting-answer', reason: 'which?' } : {},
    });
    expect(played.state.session?.ended).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('which?'),
    });
  });
  it('are done when a person wants their stuck part again, and that gets there', () => {
    const plan = planOf({
      items: [
        { id: 'g', parts: items('a', 'b') },
        { id: 'y', task: 'y', dependsOn: ['g'] },
      ],
    });
    const first = playPlan(plan, { run: ({ item }) => (item === 'b' ? failing() : {}) });
    const redirect = { kind: 'binding', item: 'b', text: 'Otherwise.' } as const;
    const say = (at: number): PlanEventBody[] =>
      at === 0 ? [{ kind: 'redirect.requested', by: 'me', redirect }] : [];
    const second = playPlan(plan, { say }, first.events);
    expect([begun(second), endOf(second)]).toEqual([['b', 'y'], 'complete']);
  });
  it('that were given up are tried anew where what they were built upon is done again', () => {
    const plan = planOf({ items: [...items('a'), { id: 'g', dependsOn: ['a'], alternatives: items('x') }] });
    const first = playPlan(plan, { run: ({ item }) => (item === 'x' ? failing() : {}) });
    expect(endOf(first)).toBe('stuck');
    const redirect = { kind: 'binding', item: 'a', text: 'Otherwise.' } as const;
    const say = (at: number): PlanEventBody[] =>
      at === 0 ? [{ kind: 'redirect.requested', by: 'me', redirect }] : [];
    const second = playPlan(plan, { say }, first.events);
    expect([begun(second), endOf(second)]).toEqual([['a', 'x'], 'complete']);
  });
  const acceptance = ['It reads well.'];
  it.each<[string, string, object]>([
    ['in it', 'a', { items: [{ id: 'g', gates: { t: 'x' }, parts: [{ ...items('a')[0], acceptance }] }] }],
    ['of parts', 'g', { items: [{ id: 'g', acceptance, parts: items('a') }] }],
    ['of parts with gates', 'g', { items: [{ id: 'g', acceptance, gates: { t: 'x' }, parts: items('a') }] }],
    ['of alternatives', 'g', { items: [{ id: 'g', acceptance, alternatives: items('a') }] }],
    ['below the gates of all', 'a', { items: [{ ...items('a')[0], acceptance }], done: { all: 'x' } }],
  ])('are done when a person ticked what was left %s, and only then', (_where, item, value) => {
    let judged = 0;
    const plan = planOf(value);
    const judge = (id: string) => id !== 'goal' || judged++ > 0;
    const first = playPlan(plan, { judge });
    expect([endOf(first), statusesOf(first)[item]]).toEqual(['complete-with-caveats', 'done-with-caveats']);
    const tick: PlanEventBody = { kind: 'item.ticked', item, criterion: 0, met: true, by: 'me' };
    const say = (at: number) => (at === 0 ? [tick] : []);
    const second = playPlan(plan, { judge, say }, first.events);
    expect([endOf(second), new Set(Object.values(statusesOf(second)))]).toEqual([
      'complete',
      new Set(['done']),
    ]);
    const undone = foldPlan(
      [{ v: 1, seq: 99, at: '2026-01-01T00:00:00Z', ...tick, met: false }],
      second.state,
    );
    expect(undone.records.get(item)).toMatchObject({
      status: 'done-with-caveats',
      reason: expect.stringContaining('not ticked: It reads well.'),
    });
  });
  it.each<[string, object, string]>([
    ['by their own gates', { gates: { t: 'x' }, parts: items('a') }, '.*own gates pass; lint fails$'],
    ['in one piece', { task: 'g' }, '^lint fails$'],
  ])('%s keep what is missing when a person has ticked the rest', (_how, value, reason) => {
    const plan = planOf({ items: [{ id: 'g', acceptance, ...value }] });
    const first = playPlan(plan, {
      judge: () => true,
      soft: () => ['lint'],
      run: ({ item }) => (item === 'g' ? { code: 'goal.hard-only', soft: ['lint'] } : {}),
    });
    expect(first.state.records.get('g')!.reason).toContain('lint fails; not ticked: It reads well.');
    const tick: PlanEventBody = { kind: 'item.ticked', item: 'g', criterion: 0, met: true, by: 'me' };
    const { state } = playPlan(plan, { say: (at) => (at === 0 ? [tick] : []) }, first.events);
    expect(state.records.get('g')).toMatchObject({
      status: 'done-with-caveats',
      reason: expect.stringMatching(reason),
    });
  });
});

it('what was done in an alternative that was given up is done again before what builds upon it', () => {
  const parts = [...items('p'), { id: 'q', task: 'q', dependsOn: ['p'] }];
  const plan = planOf({ items: [{ id: 'g', alternatives: [{ id: 'x', parts }, ...items('y')] }] });
  const first = playPlan(plan, {
    run: ({ item }) => (item === 'p' ? { left: 'p' } : failing({ left: item })),
  });
  expect(statusesOf(first)).toMatchObject({ p: 'stuck', q: 'stuck', x: 'stuck', y: 'stuck' });
  expect(first.state.records.get('p')!.reason).toBe('it was given up with x');
  expect([first.state.tests, sessionReport(first.state).done]).toEqual([0, 0]);
  const say = (at: number) => (at === 0 ? [graph({ retry: ['x'] })] : []);
  const second = playPlan(plan, { say }, first.events);
  expect([begun(second), endOf(second)]).toEqual([['p', 'q'], 'complete']);
});

describe('alternatives that were given up', () => {
  const plan = planOf({
    items: [{ id: 'g', alternatives: items('x', 'y') }, ...items('z')],
    gates: { t: 'true' },
  });
  const once = (redirect: object) => {
    let said = false;
    return playPlan(plan, {
      run: ({ item }) => (item === 'x' ? failing() : {}),
      say: (_at, state) => {
        if (said || state.trail.length === 0) return [];
        said = true;
        return [{ kind: 'redirect.requested', by: 'me', redirect } as PlanEventBody];
      },
    });
  };
  it.each([
    ['a condition', { kind: 'constraint', text: 'No new packages.' }],
    ['a change of the graph', { kind: 'graph', add: items('w'), remove: [], defer: [], retry: [] }],
  ])('stay on the trail after %s', (_name, redirect) => {
    expect(once(redirect).state.trail).toMatchObject([{ group: 'g', from: 'x', to: 'y' }]);
  });
  it('are not looked into again for what stood inside of them', () => {
    const inside = [...items('x1'), { id: 'x2', task: 'do x2', dependsOn: ['x1'] }];
    const given = planOf({
      items: [{ id: 'g', alternatives: [{ id: 'x', parts: inside }] }, ...items('z')],
      gates: { t: 'true' },
    });
    const played = playPlan(given, {
      run: ({ item }) => (item === 'z' ? {} : failing({ work: item })),
      probe: () => ({ split: [{ task: 'one' }, { task: 'two' }] }),
    });
    expect(played.decisions.filter(({ kind }) => kind === 'probe' || kind === 'split')).toEqual([]);
    expect([new Set(begun(played)), endOf(played)]).toEqual([new Set(['x1', 'z']), 'stuck']);
  });
  it('leave an entry on the trail, too, when none is left', () => {
    const played = playPlan(plan, { run: ({ item }) => (item === 'z' ? {} : failing()) });
    expect(played.state.trail).toMatchObject([
      { group: 'g', from: 'x', to: 'y' },
      { group: 'g', from: 'y', to: null },
    ]);
  });
});

describe('what is done', () => {
  it.each(['remove', 'defer'])('cannot be taken out any more (%s)', (how) => {
    const plan = planOf({ items: items('a', 'b'), gates: { t: 'true' } });
    let said = false;
    const played = playPlan(plan, {
      say: (_at, state) => {
        if (said || state.records.get('a')?.status !== 'done') return [];
        said = true;
        return [graph({ [how]: ['a'] })];
      },
    });
    expect(statusesOf(played)).toEqual({ a: 'done', b: 'done' });
    expect(played.state.corrections).toMatchObject([
      { text: 'not followed: a is done; only items that are not done can be taken out' },
    ]);
  });
});

describe('an item that agents take apart', () => {
  const plan = planOf({ items: items('a'), gates: { t: 'true' }, limits: { item: 9, session: 60 } });
  const split = [{ task: 'one' }, { task: 'two' }];
  it('is put together again once, and then is stuck', () => {
    const played = playPlan(plan, { run: ({ item }) => failing(item === 'a' ? { split } : {}) });
    expect(played.decisions.filter(({ kind }) => kind === 'reintegrate')).toHaveLength(1);
    expect(played.decisions.filter(({ kind }) => kind === 'split')).toHaveLength(1);
    expect(statusesOf(played)).toEqual({ a: 'stuck' });
  });
  it('is taken apart into the same once: it goes on as one piece, and that is told', () => {
    const whole = planOf({
      items: [{ id: 'a', task: 'a', gates: { own: 'x' } }],
      gates: { t: 'true' },
      limits: { item: 9, session: 60 },
    });
    // The words are the same, however they are broken, and whatever the parts are called.
    const again = [{ id: 'x', task: 'two\n' }, { task: ' one' }];
    const played = playPlan(whole, {
      run: ({ item, attempt }) => (item === 'a' ? failing({ split: attempt === 1 ? split : again }) : {}),
      judge: () => false,
    });
    expect(played.decisions.filter(({ kind }) => kind === 'split')).toHaveLength(1);
    expect(begun(played)).toEqual(['a', 'a.1', 'a.2', 'a']);
    const reason =
      'the parts that an agent proposed for a are not taken: it was taken apart into the same before';
    expect(sessionReport(played.state).dropped[0]).toEqual({ item: 'a', reason });
  });
  it('is taken apart once more into parts of which one is new', () => {
    const whole = planOf({
      items: [{ id: 'a', task: 'a', gates: { own: 'x' } }],
      gates: { t: 'true' },
      limits: { item: 9, session: 60 },
    });
    let judged = 0;
    const played = playPlan(whole, {
      run: ({ item, attempt }) => {
        if (item !== 'a' || attempt > 2) return {};
        return failing({ split: attempt === 1 ? split : [{ task: 'one' }, { task: 'three' }] });
      },
      judge: () => judged++ > 0,
    });
    expect(begun(played)).toEqual(['a', 'a.1', 'a.2', 'a', 'a.3', 'a.4']);
  });
  it('may have parts that are taken apart, but not those of these', () => {
    const played = playPlan(plan, {
      run: ({ item, attempt }) =>
        item.endsWith('.1') || (item === 'a' && attempt === 1) ? failing({ split }) : {},
    });
    expect(begun(played)).toContain('a.1.1');
    expect(begun(played)).not.toContain('a.1.1.1');
  });
});

describe('budget that moves', () => {
  it('is as much as is needed, and no more', () => {
    const plan = planOf({ items: items('a', 'b'), limits: { item: 5, session: 20 } });
    const played = playPlan(plan, {
      run: ({ item, attempt }) => {
        // One iteration, and given up for good: four are left over.
        if (item === 'a') return failing({ iterations: 1, failures: [2], code: 'gate.stop' });
        return attempt === 1
          ? failing({ code: 'limit.iterations', iterations: 5, failures: [10, 8, 6, 4, 2] })
          : {};
      },
    });
    expect(played.state.session?.moves).toMatchObject([{ from: 'a', to: 'b', iterations: 1 }]);
  });
});

describe('the reason of what is stuck', () => {
  it('names the gates that still fail, beside the limit that was reached', () => {
    const plan = planOf({ items: items('a'), limits: { item: 2 } });
    const played = playPlan(plan, {
      run: () => failing({ code: 'limit.iterations', reason: '2 of 2 iterations are used' }),
    });
    expect(played.state.records.get('a')?.reason).toBe('2 of 2 iterations are used; still failing: tests');
  });
  it('names the conflict that nobody resolved', () => {
    const plan = planOf({
      items: ['a', 'b'].map((id) => ({ id, task: id, paths: [`src/${id}`] })),
      limits: { item: 2 },
    });
    const played = playPlan(plan, {
      run: ({ item, approach }) =>
        item === 'b' && approach === 'resolve'
          ? failing({ code: 'limit.iterations', reason: 'all are used', iterations: 1 })
          : {},
      merge: ({ item }) => (item === 'b' ? ['shared.txt'] : null),
    });
    expect(played.state.records.get('b')?.reason).toContain('conflicts with the others in shared.txt');
  });
});
