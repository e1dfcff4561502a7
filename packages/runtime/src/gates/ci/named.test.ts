import { expect, test } from 'vitest';
import { named } from './named.ts';

test.each<[string, string, boolean]>([
  ['test', 'test', true],
  ['test', 'tests', false],
  ['test*', 'tests', true],
  ['*', 'CI / build (20, linux)', true],
  ['CI / * (20, *)', 'CI / build (20, linux)', true],
  ['a*a', 'a', false],
  ['*b*c', 'abd', false],
  ['[ab]', 'a', false],
])('the pattern %s meets %s: %s', (pattern, name, expected) => {
  expect(named(pattern, name)).toBe(expected);
});
