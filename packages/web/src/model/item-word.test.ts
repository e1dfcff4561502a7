import type { PlanNode } from '@agentgate/core';
import { expect, it } from 'vitest';
import { itemWord } from './item-word.ts';

it.each([
  ['not-started', true, null, 'blocked'],
  ['not-started', false, null, 'not-started'],
  ['not-started', true, true, 'blocked'],
  // An alternative beside the one that is tried is blocked for good, and nobody need wait for it.
  ['not-started', true, false, 'not-chosen'],
  ['stuck', false, false, 'stuck'],
  ['done', true, null, 'done'],
])('an item that is %s, blocked %s and chosen %s is %s', (status, blocked, chosen, word) => {
  expect(itemWord({ status, blocked, chosen } as PlanNode)).toBe(word);
});
