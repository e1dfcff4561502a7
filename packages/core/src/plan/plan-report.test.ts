import { describe, expect, it } from 'vitest';
import { nothingProven } from '../caveats.ts';
import { foldPlan } from './evolve-plan.ts';
import { followAll } from './follow-all.ts';
import {
  type CheckReport,
  checkReport,
  checkText,
  itemLinesText,
  planHealth,
  planMetrics,
  sessionReport,
  sessionText,
} from './plan-report.ts';
import { planMermaid, planTree } from './plan-tree.ts';
import { failing, planOf, playPlan } from './testing/play-plan.ts';

describe('the lines of items', () => {
  it('one alone has no padding, and one iteration or test is singular', () => {
    const line = { id: '1.2a', status: 'DONE', iterations: 1, tests: 1, commit: 'a41c9f0' } as const;
    expect(itemLinesText([line])).toEqual(['1.2a: DONE in 1 iteration (1 test) [a41c9f0]']);
    expect(itemLinesText([{ ...line, iterations: 3, tests: 12, commit: null }])).toEqual([
      '1.2a: DONE in 3 iterations (12 tests) [-]',
    ]);
  });
  it('several stand in columns', () => {
    expect(
      itemLinesText([
        { id: '1.1', status: 'DONE', iterations: 1, tests: 8, commit: 'a41c9f0' },
        { id: '1.2a', status: 'DONE_WITH_CAVEATS', iterations: 5, tests: 12, commit: 'c02d11e' },
        { id: '1.3', status: 'STUCK', iterations: 2, tests: 0, commit: null },
      ]),
    ).toEqual([
      '1.1:  DONE              in 1 iteration  (8 tests) [a41c9f0]',
      '1.2a: DONE_WITH_CAVEATS in 5 iterations (12 tests) [c02d11e]',
      '1.3:  STUCK             in 2 iterations (0 tests) [-]',
    ]);
  });
});

const items = ['a', 'b', 'c'].map((id) => ({ id, task: id }));

describe('the summary of a session', () => {
  it('counts what was attempted, and says what follows', () => {
    const played = playPlan(planOf({ items }), { run: ({ item }) => (item === 'b' ? failing() : {}) });
    const report = sessionReport(played.state);
    expect(sessionText(report)).toBe(
      [
        'a: DONE  in 1 iteration  (3 tests) [-]',
        'b: STUCK in 4 iterations (0 tests) [-]',
        'c: DONE  in 1 iteration  (3 tests) [-]',
        'Session: 2/3 done, 6 inner iterations, 6 tests, 1 stuck',
        'Next: blocked (budget: 6/20 iterations used)',
      ].join('\n'),
    );
    expect(report).toMatchObject({ done: 2, attempted: 3, next: 'blocked', status: 'stuck' });
  });
  it('counts what has parts by its parts, as the end of the plan does', () => {
    const whole = { id: 'all', task: 'all', gates: { own: 'x' }, parts: items.slice(0, 2) };
    const { state } = playPlan(planOf({ items: [whole, items[2]] }), { judge: () => false });
    const report = sessionReport(state);
    expect(report.items.map(({ id, status }) => [id, status])).toEqual([
      ['a', 'DONE'],
      ['b', 'DONE'],
      ['all', 'DONE'],
      ['c', 'DONE'],
    ]);
    expect([report.done, report.attempted, report.stuck]).toEqual([3, 3, 0]);
    expect(report.reason).toBe('all 3 items are done');
    expect(planMetrics(state)).toMatchObject({ resolved: 3, pending: 0 });
    expect(checkReport(state, 'all', null).plan).toEqual({ done: 3, total: 3 });
  });
  it('tells one that is stuck although its parts are done', () => {
    const whole = { id: 'all', task: 'all', gates: { own: 'x' }, parts: items.slice(0, 2) };
    const { state } = playPlan(planOf({ items: [whole] }), {
      judge: () => false,
      run: ({ item }) => (item === 'all' ? failing() : {}),
    });
    expect(sessionText(sessionReport(state))).toContain(
      'Session: 2/3 done, 6 inner iterations, 6 tests, 1 stuck',
    );
  });
  it.each([
    [{}, 20, 'plan_complete'],
    [{}, 2, 'new_session'],
  ])('names the next step (%o, %i)', (world, session, next) => {
    const played = playPlan(planOf({ items, limits: { session } }), world);
    expect(sessionReport(played.state).next).toBe(next);
  });
  it('says FORCE_STOP only of an item that the budget cut off', () => {
    const played = playPlan(planOf({ items, limits: { session: 2 } }), { run: () => ({ iterations: 3 }) });
    expect(sessionReport(played.state).items).toMatchObject([
      { id: 'a', status: 'FORCE_STOP', iterations: 2 },
    ]);
  });
  it('says what budget moved and why', () => {
    const played = playPlan(planOf({ items }), {
      run: ({ item, attempt }) => {
        if (item === 'a') return failing();
        if (item === 'c' || attempt > 1) return {};
        return failing({ code: 'limit.iterations', iterations: 5, failures: [9, 7, 5, 3, 1] });
      },
    });
    const report = sessionReport(played.state);
    expect(report.moves).toMatchObject([
      { from: 'a', to: 'b', iterations: 1, reason: expect.stringContaining('a is stuck and left 1 unused') },
    ]);
    expect(sessionText(report).split('\n').slice(-3, -1)).toEqual([
      'Budget: 1 iteration of a to b: b fixes 2.0 findings an iteration and has 1 left; a is stuck and left 1 unused',
      'Session: 2/3 done, 11 inner iterations, 6 tests, 1 stuck',
    ]);
    expect(sessionText({ ...report, moves: [{ ...report.moves[0]!, from: null }] })).toContain(
      'Budget: 1 iteration of the session to b: ',
    );
  });
});

describe('the check of an item', () => {
  const report = (over: Partial<CheckReport> = {}): CheckReport => ({
    id: '1.2a',
    hard: { passed: false, details: 'tests, types' },
    soft: { passed: true, details: 'none fails' },
    iterations: { used: 2, max: 5 },
    decision: 'ANOTHER_ITERATION',
    plan: { done: 3, total: 12 },
    session: { used: 7, max: 20 },
    ...over,
  });
  it('is one block', () => {
    expect(checkText(report())).toBe(
      [
        'Convergence check: 1.2a',
        'Hard gates: FAIL (tests, types)',
        'Soft gates: PASS (none fails)',
        'Inner iterations: 2/5',
        'Decision: ANOTHER_ITERATION',
        '',
        'Plan progress: 3/12 tasks DONE',
        'Session budget: 7/20',
      ].join('\n'),
    );
  });
  it.each([
    ['DONE', {}, { hard: { passed: true }, decision: 'DONE' }],
    [
      'done with caveats',
      { code: 'goal.hard-only', soft: ['lint'] },
      { hard: { passed: true }, soft: { passed: false, details: 'lint' }, decision: 'FORCE_STOP' },
    ],
    ['stuck', failing(), { hard: { passed: false, details: 'tests' }, decision: 'FORCE_STOP' }],
    [
      'stuck for another reason than a gate',
      failing({ failing: [] }),
      { hard: { passed: false, details: 'the same failures twice' }, decision: 'FORCE_STOP' },
    ],
  ])('tells an item that is %s', (_name, outcome, expected) => {
    const played = playPlan(planOf({ items: items.slice(0, 1) }), { run: () => outcome });
    const settled = played.decisions.findLast(({ kind }) => kind === 'settle')!;
    expect(checkReport(played.state, 'a', settled)).toMatchObject(expected);
  });
});

it('the check of an item that was taken apart is that of its own gates, when its parts are there', () => {
  const plan = planOf({ items: [{ id: 'a', task: 'a', gates: { own: 'x' } }], gates: { all: 'x' } });
  const played = playPlan(plan, {
    run: ({ item, attempt }) =>
      item === 'a' && attempt === 1 ? failing({ soft: ['old'], split: [{ task: '1' }, { task: '2' }] }) : {},
    judge: () => true,
    soft: () => ['lint'],
  });
  const settled = played.decisions.findLast((one) => one.kind === 'settle' && one.item === 'a')!;
  expect(checkReport(played.state, 'a', settled)).toMatchObject({
    hard: { passed: true, details: 'none fails' },
    soft: { passed: false, details: 'lint' },
    decision: 'FORCE_STOP',
  });
});
describe('the check of an item that is not done', () => {
  const beside = ['a', 'b'].map((id) => ({ id, task: id, paths: [id] }));
  it('fails hard by a conflict, with its paths, and calls no merge done', () => {
    const { events } = playPlan(planOf({ items: beside }), {
      merge: ({ item, attempt }) => (item === 'b' && attempt === 1 ? ['shared.txt'] : null),
    });
    const until = (at: number) => foldPlan(events.slice(0, at + 1));
    const merging = events.findIndex(
      (event) => event.kind === 'plan.decided' && event.decision.kind === 'merge-item',
    );
    const decided = events[merging]!;
    const decision = decided.kind === 'plan.decided' ? decided.decision : null;
    expect(checkReport(until(merging), 'a', decision).decision).toBe('ANOTHER_ITERATION');
    const clash = until(events.findIndex(({ kind }) => kind === 'item.conflicted'));
    expect(checkReport(clash, 'b', null)).toMatchObject({
      hard: { passed: false, details: 'conflicts in shared.txt' },
      decision: 'ANOTHER_ITERATION',
    });
    expect(checkReport(foldPlan(events), 'b', null)).toMatchObject({
      hard: { passed: true },
      decision: 'DONE',
    });
  });
  it('fails hard by what others broke since it was done', () => {
    const { events } = playPlan(
      planOf({ items: ['a', 'b'].map((id) => ({ id, task: id, gates: { own: 'x' } })) }),
      {
        run: ({ item, approach }) => ({ left: item, ...(approach === 'mend' ? failing() : {}) }),
        judge: () => false,
      },
    );
    const at = events.findIndex((one) => one.kind === 'plan.decided' && one.decision.kind === 'reopen');
    expect(checkReport(foldPlan(events.slice(0, at + 1)), 'a', null)).toMatchObject({
      hard: { passed: false, details: 'all' },
      decision: 'ANOTHER_ITERATION',
    });
  });
  it('does not repeat what was decided before it was opened again', () => {
    const played = playPlan(planOf({ items: items.slice(0, 1) }), { run: () => failing() });
    const settled = played.decisions.findLast(({ kind }) => kind === 'settle')!;
    const retry = { kind: 'graph' as const, add: [], remove: [], defer: [], retry: ['a'] };
    const state = followAll(foldPlan(played.events), [retry]);
    expect(checkReport(played.state, 'a', settled).decision).toBe('FORCE_STOP');
    expect(checkReport(state, 'a', null).decision).toBe('ANOTHER_ITERATION');
  });
});

describe('where a plan stands', () => {
  it('says of what is done what its gates could not prove', () => {
    const caveats = ['dependencies changed: package.json'];
    const { state } = playPlan(planOf({ items: items.slice(0, 2) }), {
      run: ({ item }) => (item === 'a' ? { caveats } : {}),
    });
    expect(planTree(state)).toMatchObject([
      { id: 'a', status: 'done', caveats },
      { id: 'b', status: 'done', caveats: [] },
    ]);
  });
  it('is told in numbers, and whether that is healthy', () => {
    const good = playPlan(planOf({ items })).state;
    expect(planMetrics(good)).toEqual({
      iteration: 3,
      pending: 0,
      resolved: 3,
      stalls: 0,
      switches: 0,
      potential: 0,
    });
    expect(planHealth(good)).toEqual({ healthy: true, reasons: [] });
    let work = 0;
    const bad = playPlan(planOf({ items }), { run: () => failing({ work: `w${++work}` }) }).state;
    expect(planMetrics(bad)).toMatchObject({ pending: 3, resolved: 0, stalls: 2 });
    expect(planHealth(bad)).toEqual({
      healthy: false,
      reasons: [
        '2 items in a row brought nothing; the limit is 3',
        'a failed 3 times',
        'b failed 3 times',
        'c failed 3 times',
        'a, b, c are stuck',
        'the session ended as stuck: everything that is left is stuck: a, b, c',
      ],
    });
  });
  it.each([
    ['stuck', {}, () => failing(), ['a is stuck', 'the session ended as stuck']],
    [
      'blocked',
      { dependsOn: ['a'] },
      () => failing(),
      ['a is stuck', 'b cannot begin', 'the session ended as blocked'],
    ],
    [
      'blocked',
      {},
      () => ({ status: 'suspended', code: 'suspended.awaiting-approval', reason: 'an approval' }) as const,
      ['a waits for a person', 'the session ended as blocked'],
    ],
    [
      'error',
      {},
      () => ({ status: 'error', code: 'error.build', reason: 'no agent' }) as const,
      ['the session ended as error: no agent'],
    ],
  ])('is not healthy when it ended as %s (%o)', (status, more, outcome, reasons) => {
    const { state } = playPlan(planOf({ items: [items[0], { ...items[1], ...more }] }), {
      run: ({ item }) => (item === 'a' ? outcome() : {}),
    });
    expect(state.session?.ended?.status).toBe(status);
    const health = planHealth(state);
    expect(health.healthy).toBe(false);
    for (const reason of reasons) expect(health.reasons.join('; ')).toContain(reason);
  });
  it('is healthy when it is complete, whatever it took', () => {
    const plan = planOf({ items: [{ id: 'g', alternatives: items.slice(0, 2) }], limits: { session: 3 } });
    const { state } = playPlan(plan, { run: ({ item }) => (item === 'a' ? failing() : {}) });
    expect(state.session?.ended?.status).toBe('complete');
    expect(planHealth(state)).toEqual({ healthy: true, reasons: [] });
  });
  it('is drawn, and nothing of a title gets out of its box', () => {
    const plan = planOf({
      items: [
        { id: 'g', title: 'a "quoted" <b>', alternatives: items.slice(0, 2) },
        { id: 'c', task: 'c', dependsOn: ['g'] },
      ],
    });
    const { state } = playPlan(plan);
    expect(planMermaid(state)).toContain('n0{{"g: a &quot;quoted&quot; &lt;b&gt;<br/>done"}}:::done');
    expect(planMermaid(state)).toContain('n0 --> n3');
    expect(planMermaid(state)).toContain('n1 ---o n0');
    expect(planMermaid(state)).toContain('n2 -.-x n0');
    expect(planTree(state)).toMatchObject([
      {
        id: 'g',
        resolvedBy: 'any',
        children: [
          { id: 'a', chosen: true },
          { id: 'b', chosen: false },
        ],
      },
      { id: 'c', status: 'done', dependsOn: ['g'] },
    ]);
  });
});

it.each([
  ['the resolving of a conflict alone', 'resolve', []],
  ['all of its runs', 'first', [nothingProven]],
])('gates that were green before %s prove nothing, and are noted so', (_what, since, expected) => {
  const items = ['a', 'b'].map((id) => ({ id, task: id, paths: [id] }));
  const played = playPlan(planOf({ items }), {
    merge: ({ item, attempt }) => (item === 'b' && attempt === 1 ? ['shared.txt'] : null),
    run: ({ approach }) =>
      since === 'first' || approach === since ? { caveats: [nothingProven, 'other'] } : { caveats: [] },
  });
  const tree = planTree(played.state).find(({ id }) => id === 'b');
  expect(tree?.caveats).toEqual([...expected, 'other']);
});
