import { describe, expect, it } from 'vitest';
import { foldPlan } from './evolve-plan.ts';
import { approachWords, itemTask } from './item-prompt.ts';
import type { PlanEventBody } from './plan-event.ts';
import type { PlanDecision } from './plan-decision.ts';
import { failing, planOf, playPlan, type PlayedPlan } from './testing/play-plan.ts';

const isRun = (item: string, attempt: number) => (one: PlanDecision) =>
  one.kind === 'run-item' && one.item === item && one.attempt === attempt;

/** What the agent of an attempt was told: the state when it was decided, and the decision. */
function told(played: PlayedPlan, item: string, attempt: number) {
  const at = played.events.findIndex(
    (one) => one.kind === 'plan.decided' && isRun(item, attempt)(one.decision),
  );
  const decision = played.decisions.find(isRun(item, attempt));
  if (decision?.kind !== 'run-item') throw new Error(`${item} has no attempt ${attempt}`);
  const state = foldPlan(played.events.slice(0, at + 1));
  return { task: itemTask(state, item), words: approachWords(state, decision) };
}

const redirect = (one: object): PlanEventBody[] => [
  { kind: 'redirect.requested', by: 'me', redirect: one } as PlanEventBody,
];

describe('the agent of an item is told', () => {
  const plan = planOf({
    goal: 'A shop that sells.',
    context: 'Written in Go.',
    items: [
      { id: 'till', task: 'Build the till.' },
      { id: 'cart', task: 'Build the cart.', dependsOn: ['till'], acceptance: ['It feels light.'] },
    ],
  });
  it('the goal, its own task, how it is accepted, and what is there to build upon', () => {
    const played = playPlan(plan, {
      run: ({ item }) => (item === 'till' ? { paths: ['src/till.go'], summary: 'use Till.Add' } : {}),
    });
    const { task } = told(played, 'cart', 1);
    expect(task).toContain('Written in Go.');
    expect(task).toContain('The goal of the whole plan: A shop that sells.');
    expect(task).toContain('Your task (cart): Build the cart.');
    expect(task).toContain('It feels light.');
    expect(task).toContain('till: Build the till. (src/till.go); it said: use Till.Add');
  });
  it('what lies in the parts of a group, and in the alternative that was taken', () => {
    const grouped = planOf({
      items: [
        {
          id: 'store',
          title: 'Keeping what was sold',
          alternatives: ['native', 'file'].map((id) => ({ id, task: `Store by ${id}.` })),
        },
        {
          id: 'till',
          task: 'Build the till.',
          gates: { whole: 'x' },
          parts: ['keys', 'drawer'].map((id) => ({ id, task: `Build the ${id}.` })),
        },
        { id: 'shop', task: 'Open.', dependsOn: ['store', 'till'] },
      ],
    });
    const played = playPlan(grouped, {
      judge: () => false,
      run: ({ item }) =>
        item === 'native' ? failing() : { paths: [`src/${item}.go`], summary: `${item} is there` },
    });
    const { task } = told(played, 'shop', 1);
    expect(task).toContain('file: Store by file. (src/file.go); it said: file is there');
    expect(task).not.toContain('Store by native.');
    expect(told(played, 'file', 1).task).toContain('This is a part of store: Keeping what was sold');
    expect(task).toContain('till: Build the till. (src/till.go); it said: till is there');
    expect(task).toContain('drawer: Build the drawer. (src/drawer.go); it said: drawer is there');
    expect(told(played, 'till', 1).task).toContain(
      'Its parts, which are there:\n- keys: Build the keys. (src/keys.go); it said: keys is there\n- drawer: ',
    );
  });
  it('what a person said since, whether it begins or comes back', () => {
    const played = playPlan(plan, {
      say: (at) => (at === 0 ? redirect({ kind: 'constraint', text: 'No new packages.' }) : []),
    });
    expect(told(played, 'cart', 1).task).toContain('No new packages.');
  });
  it('what a person said, from the first line on', () => {
    const constraint = (text: string) => redirect({ kind: 'constraint', text });
    const played = playPlan(plan, {
      run: ({ attempt }) => (attempt === 1 ? failing({ code: 'limit.iterations', iterations: 1 }) : {}),
      say: (at) => (at === 1 ? constraint('No new packages.') : at === 2 ? constraint('Use tabs.') : []),
    });
    expect(told(played, 'till', 2).words).toBe('A person says: No new packages.\nA person says: Use tabs.');
  });
  it('what was tried, and to take another approach', () => {
    const played = playPlan(plan, {
      run: ({ item, attempt }) =>
        item === 'till' && attempt === 1
          ? failing({ paths: ['src/a.go'], reason: 'the same failures twice', summary: 'I rounded' })
          : {},
    });
    const { words } = told(played, 'till', 2);
    expect(words).toContain('Take a different approach; do not repeat any of these:');
    expect(words).toContain(
      'attempt 1: changed src/a.go, ended because the same failures twice; it said: I rounded',
    );
  });
  it('what was found out, also when it begins anew', () => {
    const played = playPlan(plan, {
      run: ({ item, attempt }) =>
        item === 'till' && attempt === 1 ? failing({ code: 'no-progress.no-changes' }) : {},
      probe: () => ({ findings: 'the rounding is in money.go' }),
    });
    const { task, words } = told(played, 'till', 2);
    expect(task).toContain('What was found out about it:\n- the rounding is in money.go');
    expect(words).toContain('the rounding is in money.go');
  });
  it('where its work does not fit to that of the others, and that a file may hold one side alone', () => {
    const beside = planOf({ items: ['a', 'b'].map((id) => ({ id, task: id, paths: [id] })) });
    let merges = 0;
    const played = playPlan(beside, { merge: () => (merges++ === 0 ? ['logo.png'] : null) });
    const { words } = told(played, 'a', 2);
    expect(words).toContain('- conflict in logo.png');
    expect(words).toContain('A file without marks');
  });
  it('what the gates found that fail together with the others, also when it takes another approach', () => {
    const beside = planOf({ items: ['a', 'b'].map((id) => ({ id, task: id, paths: [id] })) });
    let merges = 0;
    const played = playPlan(beside, {
      merge: () => (merges++ === 0 ? [] : null),
      said: () => [{ gate: 'tests', says: ['adds up (sum.ts:3): 3 is not 4'] }],
      run: ({ item, attempt }) => (item === 'a' && attempt === 2 ? failing() : {}),
    });
    for (const attempt of [2, 3])
      expect(told(played, 'a', attempt).words).toContain('tests:\n- adds up (sum.ts:3): 3 is not 4');
  });
});
