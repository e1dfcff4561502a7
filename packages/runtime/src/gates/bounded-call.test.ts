import { expect, test } from 'vitest';
import { boundedCall } from './bounded-call.ts';

test('gives what was computed', () => {
  expect(boundedCall(() => ({ a: [1] }))).toEqual({ a: [1] });
});

test('ends a pattern that backtracks without end', () => {
  const from = performance.now();
  expect(boundedCall(() => /^(a+)+$/.test(`${'a'.repeat(60)}!`), 100)).toBe('too-long');
  expect(performance.now() - from).toBeLessThan(5_000);
  expect(boundedCall(() => 'still works')).toBe('still works');
});

test('passes on what was thrown', () => {
  expect(() =>
    boundedCall(() => {
      throw new TypeError('mine');
    }),
  ).toThrow(new TypeError('mine'));
});
