import { expect, it } from 'vitest';
import { failed, play, specOf, type Turn, type World } from '../testing/play.ts';
import type { Verdict } from '../verdict.ts';

const tests = (n: number) => Array.from({ length: n }, (_, at) => `test ${at}`);
const story = (verdict: (n: number) => Verdict, turn: (n: number) => Turn = (n) => ({ tree: `t${n}` })) => ({
  turn,
  judge: (_gate: string, _tree: string, n: number) => verdict(n),
});
const cosmetic = (n: number): Turn => ({ tree: `t${n}`, substance: 'one' });

const rows: readonly (readonly [reason: string, World, because: Record<string, unknown>])[] = [
  [
    'the agent changed nothing in iterations 1 to 2',
    story(
      () => failed(tests(3)),
      () => ({}),
    ),
    { confidence: 0.95, evidence: { window: 2, iterations: [1, 2], tree: 'base' } },
  ],
  [
    'iterations 1 to 3 ended on the same tree',
    story(
      () => failed(tests(3)),
      () => ({ tree: 'same' }),
    ),
    { confidence: 0.9, evidence: { window: 3, iterations: [1, 2, 3], tree: 'same' } },
  ],
  [
    'iterations 1 to 3 failed with the same 3 findings, only white space and comments changed',
    story(() => failed(tests(3)), cosmetic),
    { confidence: 0.9, evidence: { window: 3, iterations: [1, 2, 3], failures: 3, cosmetic: true } },
  ],
  [
    'iterations 1 to 3 failed with the same finding, only white space and comments changed',
    story(() => failed(['one']), cosmetic),
    { confidence: 0.9, evidence: { failures: 1 } },
  ],
  [
    'iterations 1 to 3 failed with the same 2 findings, the failures read the same',
    story(() => failed(tests(2), { text: 'x' })),
    { confidence: 0.9, evidence: { window: 3, cosmetic: true } },
  ],
  [
    'iterations 1 to 5 failed with the same 3 findings, although the tree kept changing',
    story((n) => failed(tests(3), { text: `words ${n}` })),
    { confidence: 0.8, evidence: { window: 5, iterations: [1, 2, 3, 4, 5], failures: 3, cosmetic: false } },
  ],
  [
    'iterations 2 to 4 failed with the same 2 findings, the failures read the same',
    story((n) => failed(tests(n === 0 ? 5 : 2), { text: 'x' })),
    { confidence: 0.9, evidence: { iterations: [2, 3, 4] } },
  ],
  [
    'the run goes round through the same trees with period 2 (iterations 1 to 4)',
    story(
      () => failed(tests(3)),
      (n) => ({ tree: `w${n % 2}` }),
    ),
    { confidence: 0.9, evidence: { period: 2, periods: 2, in: 'trees', iterations: [1, 2, 3, 4] } },
  ],
  [
    'the run goes round through the same sets of failures with period 2 (iterations 1 to 4)',
    story((n) => failed([n % 2 === 0 ? 'a' : 'b', 'c'])),
    { confidence: 0.9, evidence: { period: 2, in: 'failures' } },
  ],
  [
    'each of iterations 1 to 3 broke more and fixed nothing (3, 4, 5 failures)',
    story((n) => failed(tests(2 + n))),
    { confidence: 0.85, evidence: { window: 3, iterations: [1, 2, 3], failures: [3, 4, 5] } },
  ],
  [
    "the agent's outputs in iterations 1 to 3 are at least 96.7 % the same",
    story(
      (n) => failed(tests(3), { text: `w${n}` }),
      (n) => ({ tree: `t${n}`, similar: n === 3 ? [0.99, 0.9678] : [0.98] }),
    ),
    { confidence: 0.85, evidence: { window: 3, threshold: 0.95, lowest: 0.9678, iterations: [1, 2, 3] } },
  ],
];

it.each(rows)('%s', (reason, world, because) => {
  const { decisions } = play(specOf({ strategy: { kind: 'ralph', max: 20 }, stuck: 'off' }), world);
  expect(decisions.at(-1)?.because).toMatchObject({ reason, action: 'fail', ...because });
});
