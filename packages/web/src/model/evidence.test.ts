import { failureKeyFor, type Finding, type Verdict } from '@agentgate/core';
import { expect, it } from 'vitest';
import type { Judged } from './chronicle.ts';
import { evidenceIn } from './evidence.ts';

const told = (finding: Omit<Finding, 'id'>, verdict?: Verdict): string | undefined => {
  const judged: Judged = {
    gate: 'tests',
    verdict: verdict ?? { kind: 'failed', findings: [{ id: 'a', ...finding }], excerpt: '' },
    tookMs: 1,
    output: null,
    rung: null,
    cached: false,
  };
  return evidenceIn({ judged: new Map([['tests', judged]]) }).get(failureKeyFor('tests', 'a'));
};

it.each<[string, Omit<Finding, 'id'>, string]>([
  [
    'place and words',
    { title: 'adds', file: 'a.js', line: 3, message: '\n  expected 3\n  at a.js' },
    'a.js:3 · expected 3',
  ],
  ['a place without a line', { title: 'adds', file: 'a.js' }, 'a.js'],
  ['words that the title has already', { title: 'x is no number', message: 'x is no number' }, ''],
  ['nothing', { title: 'adds' }, ''],
  ['very long words', { title: 'adds', message: 'x'.repeat(400) }, `${'x'.repeat(300)} …`],
])('a finding with %s', (_, finding, line) => {
  expect(told(finding)).toBe(line);
});

it('says nothing of what did not fail', () => {
  expect(told({ title: 'adds' }, { kind: 'passed' })).toBeUndefined();
});
