import { describe, expect, it } from 'vitest';
import { readAdvice } from './answer.ts';

const advice = { continue: true, reason: 'on' };

describe('advice', () => {
  it.each([
    { name: 'the words of document 002', value: { shouldContinue: false, reason: 'r', action: 'complete' } },
    { name: 'the words of document 000', value: { continue: false, reason: 'r', confidence: 0.5 } },
    { name: 'fields that are there but empty', value: { ...advice, feedback: null, metadata: undefined } },
  ])('is read from $name', ({ value }) => {
    expect(readAdvice(value)).toMatchObject({ reason: value.reason });
  });

  it('holds nothing but advice: a status, a result or a word of success beside it means nothing', () => {
    const value = { ...advice, status: 'converged', goalSatisfied: true, verdict: 'passed', converged: true };
    expect(readAdvice(value)).toEqual(advice);
  });

  it.each([
    { value: undefined, says: 'answered nothing instead of {continue, reason}' },
    { value: 'converged', says: 'answered the text "converged" instead of {continue, reason}' },
    { value: true, says: 'answered true instead of' },
    { value: [], says: 'answered a list instead of' },
    { value: {}, says: 'continue is nothing instead of true or false' },
    { value: { continue: 'yes', reason: 'r' }, says: 'continue is the text "yes" instead of true or false' },
    { value: { continue: 1, reason: 'r' }, says: 'continue is 1 instead of' },
    { value: { continue: true }, says: 'reason is nothing instead of a text' },
    { value: { continue: true, reason: ' ' }, says: 'reason is the text " " instead of a text' },
    { value: { ...advice, action: 'converge' }, says: 'action is the text "converge" instead of one of' },
    { value: { ...advice, confidence: 7 }, says: 'confidence is 7 instead of a number from 0 to 1' },
    { value: { ...advice, confidence: Number.NaN }, says: 'confidence is NaN instead of' },
    {
      value: { ...advice, feedback: () => 1 },
      says: 'feedback is a value of type function instead of a text',
    },
    { value: { ...advice, metadata: [1] }, says: 'metadata is a list instead of a group' },
  ])('is refused when the answer is $value', ({ value, says }) => {
    expect(() => readAdvice(value)).toThrow(says);
  });

  it('is refused when reading the answer throws', () => {
    const trap = {
      get continue(): boolean {
        throw new Error('trapped');
      },
    };
    expect(() => readAdvice(trap)).toThrow('gave an answer that cannot be read: trapped');
    const closed = new Proxy(advice, { get: () => Promise.reject.call(undefined) });
    expect(() => readAdvice(closed)).toThrow('gave an answer that cannot be read');
  });
});
