import { expect, it } from 'vitest';
import { spreadLists } from './spread.ts';

const spread = (line: string) => spreadLists(line.split(' ')).join(' ');

it.each([
  ['lab evaluate --train a b --test c d', 'lab evaluate --train a --train b --test c --test d'],
  ['lab evaluate --train=a b --test=c d', 'lab evaluate --train=a --train b --test=c --test d'],
  ['lab evaluate a --test b c --json d', 'lab evaluate a --test b --test c --json d'],
  ['lab evaluate --folds 2 a b', 'lab evaluate --folds 2 a b'],
  ['run --test a b', 'run --test a b'],
])('gives each file of a list to the flag before it: %s', (line, wanted) => {
  expect(spread(line)).toBe(wanted);
});
