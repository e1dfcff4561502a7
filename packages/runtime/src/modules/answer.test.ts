import { expect, test } from 'vitest';
import { parseAnswer } from './answer.ts';

const advice = { continue: true, reason: 'r' };

test('takes advice and the state beside it, and nothing else', () => {
  expect(
    parseAnswer({
      advice: { ...advice, kind: 'failed', status: 'converged' },
      state: [1],
      verdict: 'passed',
    }),
  ).toEqual({
    advice: { kind: 'advice', ...advice },
    state: [1],
  });
});

test.each([
  { value: null, says: 'gave no advice (answer: ' },
  { value: 'converged', says: 'gave no advice (answer: ' },
  { value: { state: 1 }, says: 'gave no advice (advice: ' },
  { value: { advice: { ...advice, continue: 'yes' } }, says: 'gave no advice (continue: ' },
  { value: { advice: { ...advice, confidence: 2 } }, says: 'gave no advice (confidence: ' },
  { value: { advice: { ...advice, action: 'converge' } }, says: 'gave no advice (action: ' },
  {
    value: { advice: { ...advice, metadata: { long: 'x'.repeat(70_000) } } },
    says: 'at most 65536 are read',
  },
])('takes nothing else for advice, even if the process sent it: $says', ({ value, says }) => {
  expect(parseAnswer(value)).toEqual({ code: 'garbage', detail: expect.stringContaining(says) });
});

test.each([
  { code: 'mine.own-code_1', kept: true },
  { code: 'two words', kept: false },
  { code: '\u001b[31m', kept: false },
  { code: 'x'.repeat(65), kept: false },
  { code: '', kept: false },
])('keeps a code that reads like one: $code', ({ code, kept }) => {
  expect(parseAnswer({ advice: { ...advice, code } })).toEqual({
    advice: { kind: 'advice', ...advice, ...(kept ? { code } : {}) },
  });
});

test('a reason of nothing but control characters says so', () => {
  expect(parseAnswer({ advice: { ...advice, reason: '\u0007 \u200b' } })).toMatchObject({
    advice: { reason: 'no reason' },
  });
});
