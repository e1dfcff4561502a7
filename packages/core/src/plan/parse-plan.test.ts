import { describe, expect, it } from 'vitest';
import { findCycles } from './cycles.ts';
import { parsePlan } from './parse-plan.ts';
import { planOf } from './testing/play-plan.ts';

function problemsOf(value: unknown): string[] {
  const parsed = parsePlan(value);
  return parsed.kind === 'plan' ? [] : parsed.problems.map((one) => `${one.path.join('.')}: ${one.message}`);
}
const task = 'do it';

describe('a plan', () => {
  it('has items with what is not said filled in', () => {
    const plan = planOf({ items: [{ id: 'a', task: 'Write it.\nWell.' }] });
    expect(plan).toMatchObject({ limits: { session: 20, item: 5, stalls: 3 }, maxParallel: 3 });
    expect(plan.items).toMatchObject([
      { id: 'a', title: 'Write it.', dependsOn: [], parent: null, resolvedBy: null, weight: 1, paths: null },
    ]);
  });
  it('has parts and alternatives inside of items, or by the name of these', () => {
    const nested = planOf({
      items: [
        {
          id: 'p',
          parts: [
            { id: 'x', task },
            { id: 'y', task },
          ],
        },
        {
          id: 'db',
          alternatives: [
            { id: 's', task },
            { id: 't', task },
          ],
        },
      ],
    });
    const named = planOf({
      items: [
        { id: 'p', title: 'p' },
        { id: 'x', task, parent: 'p' },
        { id: 'y', task, parent: 'p' },
        { id: 's', task, orGroup: 'db' },
        { id: 't', task, orGroup: 'db' },
      ],
    });
    const shape = ({ items }: typeof nested) =>
      items.map(({ id, parent, resolvedBy }) => [id, parent, resolvedBy]);
    expect(shape(named)).toEqual(shape(nested));
    expect(shape(nested)).toEqual([
      ['p', null, 'all'],
      ['x', 'p', null],
      ['y', 'p', null],
      ['db', null, 'any'],
      ['s', 'db', null],
      ['t', 'db', null],
    ]);
  });
  it('may call things by their other names', () => {
    const plan = planOf({
      items: [
        { id: 'a', name: 'A', description: task, acceptance_criteria: ['It reads well.'] },
        { id: 'b', description: task, depends_on: ['a'], children: [{ id: 'c', description: task }] },
      ],
    });
    expect(plan.items).toMatchObject([
      { id: 'a', title: 'A', task, acceptance: [{ person: 'It reads well.' }] },
      { id: 'b', dependsOn: ['a'], resolvedBy: 'all' },
      { id: 'c', parent: 'b' },
    ]);
  });
  it('has everything under one item where it says when the whole is done', () => {
    const plan = planOf({ goal: 'Ship it.', done: { all: 'npm run verify' }, items: [{ id: 'a', task }] });
    expect(plan.items).toMatchObject([
      { id: 'goal', resolvedBy: 'all', gates: { all: 'npm run verify' } },
      { id: 'a', parent: 'goal' },
    ]);
  });
});

describe('a mistake in a plan is told with its place', () => {
  it.each<[string, unknown, string[]]>([
    ['no plan', 'x', [': expected a group of options, found "x"']],
    ['no items', {}, ['items: missing: expected a list of items']],
    ['an empty list', { items: [] }, ['items: expected at least one item']],
    [
      'an item without an id',
      { items: [{ task }] },
      ['items.0.id: missing: expected an id, such as parser or 1.2a'],
    ],
    [
      'an item without anything to do',
      { items: [{ id: 'a' }] },
      ['items.0.task: missing: expected what to do, in words'],
    ],
    [
      'an id twice',
      {
        items: [
          { id: 'a', task },
          { id: 'a', task },
        ],
      },
      ['items.1.id: the id "a" is taken already, by items.0'],
    ],
    [
      'the id of the whole',
      { items: [{ id: 'goal', task }] },
      ['items.0.id: the id "goal" stands for the whole plan; take another'],
    ],
    [
      'a dependency that is not there',
      {
        items: [
          { id: 'parser', task },
          { id: 'b', task, dependsOn: ['parsr'] },
        ],
      },
      ['items.1.dependsOn.0: unknown item "parsr": did you mean "parser"?'],
    ],
    [
      'a dependency on itself',
      { items: [{ id: 'a', task, dependsOn: 'a' }] },
      ['items.0.dependsOn.0: "a" depends on itself'],
    ],
    [
      'a parent that is not there',
      { items: [{ id: 'a', task, parent: 'nobody' }] },
      ['items.0.parent: unknown parent "nobody": expected one of a'],
    ],
    [
      'an option that is not there',
      { items: [{ id: 'a', task, dependOn: ['b'] }] },
      ['items.0.dependOn: unknown option "dependOn": did you mean "dependsOn"?'],
    ],
    [
      'a gate that is none',
      { items: [{ id: 'a', task, gates: { tests: { kind: 'comand', run: 'x' } } }] },
      ['items.0.gates.tests.kind: unknown kind of gate "comand": did you mean "command"?'],
    ],
    [
      'a dependency on one of several alternatives',
      {
        items: [
          {
            id: 'g',
            alternatives: [
              { id: 'x', task },
              { id: 'y', task },
            ],
          },
          { id: 'z', task, dependsOn: ['x'] },
        ],
      },
      [
        'items.1.dependsOn.0: "x" may never be done, since g needs only one of its alternatives; depend on "g"',
      ],
    ],
    [
      'parts beside alternatives',
      { items: [{ id: 'a', parts: [{ id: 'x', task }], alternatives: [{ id: 'y', task }] }] },
      ['items.0.alternatives: stands beside parts; put one of them into an item of its own'],
    ],
  ])('%s', (_name, value, problems) => {
    expect(problemsOf(value)).toEqual(problems);
  });
  it('all of them at once', () => {
    expect(
      problemsOf({
        limits: { session: 0 },
        items: [{ id: 'a', task, dependsOn: ['zzz'] }, { id: 'b b', task }, { id: 'c' }],
      }),
    ).toHaveLength(4);
  });
});

describe('items that wait for each other are named', () => {
  it.each<[string, unknown[], string]>([
    [
      'by their dependencies',
      [
        { id: 'a', task, dependsOn: ['c'] },
        { id: 'b', task, dependsOn: ['a'] },
        { id: 'c', task, dependsOn: ['b'] },
      ],
      'a → c → b → a',
    ],
    [
      'by a part that depends on what it is a part of',
      [{ id: 'p', parts: [{ id: 'x', task, dependsOn: ['p'] }] }],
      'p → x → p',
    ],
    [
      'by the parts of an item that wait for what waits for it',
      [
        { id: 'p', dependsOn: ['q'], parts: [{ id: 'x', task }] },
        { id: 'q', task, dependsOn: ['x'] },
      ],
      'p',
    ],
  ])('%s', (_name, items, cycle) => {
    const [problem, ...others] = problemsOf({ items });
    expect(others).toEqual([]);
    expect(problem).toContain('these wait for each other');
    expect(problem).toContain(cycle);
  });
  it('none where there is none, also in a deep chain', () => {
    const items = Array.from({ length: 20_000 }, (_, at) => ({
      id: `i${at}`,
      task,
      dependsOn: at === 0 ? [] : [`i${at - 1}`],
    }));
    expect(findCycles(planOf({ items }).items)).toEqual([]);
  });
  it('are told once for each knot, whatever else is wrong', () => {
    const of = (id: string, ...dependsOn: string[]) => ({ id, task, dependsOn });
    const items = [of('a', 'b'), of('b', 'a', 'nobody'), of('c', 'd'), of('d', 'e', 'd'), of('e', 'c')];
    const told = problemsOf({ limits: { sesion: 1 }, items }).filter((one) => !one.includes('limits'));
    expect(told).toEqual([
      'items.1.dependsOn.1: unknown item "nobody": expected one of a, b, c, d, e',
      'items.3.dependsOn.1: "d" depends on itself',
      'items.0.dependsOn: these wait for each other: a → b → a; take one of the dependencies out',
      'items.2.dependsOn: these wait for each other: c → d → e → c; take one of the dependencies out',
    ]);
  });
});

describe('what is done as a whole', () => {
  it('has no part that is open', () => {
    const parts = [
      { id: 'x', task, done: true },
      { id: 'y', task },
      { id: 'z', task, deferred: true },
    ];
    expect(problemsOf({ items: [{ id: 'p', done: true, parts }] })).toEqual([
      'items.0.done: p cannot be done before its parts are: y; mark these as done, or leave this out',
    ]);
    const settled = parts.filter(({ id }) => id !== 'y');
    expect(problemsOf({ items: [{ id: 'p', done: true, parts: settled }] })).toEqual([]);
  });
});

it('names a gate of the whole like any other', () => {
  expect(
    problemsOf({ done: { all: { kind: 'comand', run: 'x' } }, items: [{ id: 'a', task }] })[0],
  ).toContain('unknown kind of gate "comand"');
});
