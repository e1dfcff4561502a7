import { expect, it } from 'vitest';
import { mergeEdit } from './merge-edit.ts';
import { failing, planOf, playPlan } from './testing/play-plan.ts';

const a = { id: 'a', task: 'a' };
const b = { id: 'b', task: 'b', dependsOn: ['a'] };
const begun = () => playPlan(planOf({ items: [a, b], limits: { session: 1 } })).state;

it.each<[string, object, object]>([
  ['nothing', { items: [a, b] }, { kind: 'same' }],
  ['an item that comes', { items: [a, b, { id: 'c', task: 'c' }] }, { kind: 'merged', changes: ['c added'] }],
  ['an item that goes before it was begun', { items: [a] }, { kind: 'merged', changes: ['b taken out'] }],
  [
    'an item that nobody has begun',
    { items: [a, { ...b, task: 'B' }] },
    { kind: 'merged', changes: ['b: title, task changed'] },
  ],
  ['the limits', { items: [a, b], limits: { session: 9 } }, { kind: 'merged', changes: ['limits changed'] }],
  [
    'the priority of one that is done',
    { items: [{ ...a, priority: 3 }, b] },
    { kind: 'merged', changes: ['a: priority changed'] },
  ],
  ['a box that was ticked, which proves nothing', { items: [a, { ...b, done: true }] }, { kind: 'same' }],
  [
    'what one that is done was told',
    { items: [{ ...a, task: 'A' }, b] },
    { kind: 'refused', reasons: ['a was begun, and its title, task changed'] },
  ],
  [
    'that one that is done goes',
    { items: [{ id: 'b', task: 'b' }] },
    { kind: 'refused', reasons: ['a was begun and is no longer in the file'] },
  ],
])('an edit of %s', (_name, next, expected) => {
  expect(mergeEdit(begun(), planOf({ limits: { session: 1 }, ...next }))).toMatchObject(expected);
});

it('keeps the parts that an agent made, which are in no file', () => {
  const split = { items: [{ id: 'x', task: 'x' }], gates: { t: 'true' } };
  const { state } = playPlan(planOf({ ...split, limits: { session: 3 } }), {
    run: ({ item }) => (item === 'x' ? failing({ split: [{ task: 'one' }, { task: 'two' }] }) : {}),
  });
  const edited = mergeEdit(
    state,
    planOf({ ...split, items: [...split.items, { id: 'y', task: 'y' }], limits: { session: 3 } }),
  );
  expect(edited).toMatchObject({ kind: 'merged', changes: ['y added'] });
  expect(edited.kind === 'merged' && edited.plan.items.map(({ id }) => id)).toEqual(['x', 'x.1', 'x.2', 'y']);
});
