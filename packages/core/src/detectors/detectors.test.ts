import { describe, expect, it } from 'vitest';
import type { IterationRecord } from '../state.ts';
import { specOf } from '../testing/play.ts';
import { detect } from './index.ts';

/** An iteration in which the tree moved, nothing was fixed, and the failures are those of all others. */
const plain = (iteration: number, over: Partial<IterationRecord> = {}): IterationRecord => ({
  iteration,
  build: 'finished',
  judged: true,
  tree: `t${iteration}`,
  work: `t${iteration}`,
  substance: `t${iteration}`,
  failures: 3,
  failureKey: `f${iteration}`,
  textKey: null,
  score: 0.5,
  fixed: 0,
  broken: 0,
  unmasked: false,
  opaque: 0,
  progress: null,
  novel: false,
  newTree: true,
  newFailures: true,
  binary: false,
  moved: true,
  claimed: false,
  paths: [],
  similar: [],
  silent: true,
  code: '',
  tookMs: 1,
  tokens: null,
  costUsd: null,
  outputBytes: 0,
  passedTests: null,
  grantable: false,
  gates: { tests: false },
  at: '',
  ...over,
});
const series = (n: number, make: (iteration: number) => Partial<IterationRecord>) =>
  Array.from({ length: n }, (_, at) => plain(at + 1, make(at + 1)));
const codes = (records: IterationRecord[], fields: Record<string, unknown> = {}) =>
  detect(specOf(fields), records).map((one) => one.code);

const patterns: {
  name: string;
  code: string;
  window: number;
  make: (iteration: number) => Partial<IterationRecord>;
}[] = [
  { name: 'no-changes', code: 'no-progress.no-changes', window: 2, make: () => ({ moved: false }) },
  {
    name: 'failure-set-repeat, advice alone',
    code: 'loop.failure-set-repeat',
    window: 3,
    make: () => ({ failureKey: 'f', textKey: 'x', binary: true, hardGreen: true }),
  },
  { name: 'snapshot-repeat', code: 'loop.snapshot-repeat', window: 3, make: () => ({ work: 'same' }) },
  {
    name: 'failure-set-repeat, cosmetic',
    code: 'loop.failure-set-repeat',
    window: 3,
    make: () => ({ failureKey: 'f', substance: 's' }),
  },
  {
    name: 'failure-set-repeat, same words',
    code: 'loop.failure-set-repeat',
    window: 3,
    make: () => ({ failureKey: 'f', textKey: 'x' }),
  },
  {
    name: 'failure-set-repeat, in substance',
    code: 'loop.failure-set-repeat',
    window: 5,
    make: () => ({ failureKey: 'f' }),
  },
  {
    name: 'oscillation of trees, period 2',
    code: 'loop.oscillation',
    window: 4,
    make: (n) => ({ work: `w${n % 2}` }),
  },
  {
    name: 'oscillation of trees, period 3',
    code: 'loop.oscillation',
    window: 6,
    make: (n) => ({ work: `w${n % 3}` }),
  },
  {
    name: 'oscillation of failures, period 2',
    code: 'loop.oscillation',
    window: 4,
    make: (n) => ({ failureKey: `f${n % 2}` }),
  },
  {
    name: 'oscillation, period 5',
    code: 'loop.oscillation',
    window: 10,
    make: (n) => ({ work: `w${n % 5}` }),
  },
  {
    name: 'divergence',
    code: 'no-progress.divergence',
    window: 3,
    make: (n) => ({ broken: 1, failures: n }),
  },
  {
    name: 'output-similarity',
    code: 'loop.output-similarity',
    window: 3,
    make: () => ({ silent: false, similar: [0.96, 0.95], failureKey: 'f' }),
  },
  {
    name: 'stall',
    code: 'no-progress.stall',
    window: 3,
    make: (n) => ({ newFailures: false, failureKey: ['a', 'a', 'b', 'a', 'b', 'b'][n]! }),
  },
];

describe('each detector at its window', () => {
  for (const { name, code, window, make } of patterns) {
    it(`${name}: silent at ${window - 1}, speaks at ${window} and after`, () => {
      expect(codes(series(window - 1, make))).not.toContain(code);
      expect(codes(series(window, make))).toContain(code);
      expect(codes(series(window + 1, make))).toContain(code);
    });
    it(`${name}: silent while the newest iteration made progress`, () => {
      const records = series(window, make);
      expect(codes([...records.slice(0, -1), { ...records.at(-1)!, progress: 'fixed' }])).toEqual([]);
    });
    it(`${name}: off under fixed, on under hybrid and ralph`, () => {
      expect(codes(series(window, make), { strategy: 'fixed' })).toEqual([]);
      expect(codes(series(window, make), { strategy: 'ralph' })).toContain(code);
    });
  }
});

describe('what a detector must not take for a pattern', () => {
  it.each([
    ['a claim is not a silent no-op', series(2, () => ({ moved: false, claimed: true }))],
    ['missing output is no proof', series(3, () => ({ silent: true, similar: [1, 1], failureKey: 'f' }))],
    [
      'a drift: neighbours alike, ends not',
      series(3, (n) => ({ silent: false, failureKey: 'f', similar: n === 3 ? [0.97, 0.9] : [0.97] })),
    ],
    ['unmasking is not worsening', series(3, (n) => ({ broken: 2, failures: n, unmasked: n === 2 }))],
    [
      'fixing while breaking is not plain worsening',
      series(3, (n) => ({ broken: 2, fixed: 1, failures: n })),
    ],
    [
      'a binary gate can only fail in one way',
      series(8, () => ({ failureKey: 'f', textKey: 'x', binary: true })),
    ],
    ['one odd tree breaks a cycle', series(4, (n) => ({ work: n === 3 ? 'odd' : `w${n % 2}` }))],
    ['one change of two is a change', series(2, (n) => ({ moved: n === 1 }))],
    ['one claim of two is a claim', series(2, (n) => ({ moved: false, claimed: n === 1, work: `w${n}` }))],
    ['cosmetic edits while the failures differ', series(3, () => ({ substance: 's' }))],
    [
      'a set of failures that progress has just led to',
      series(4, (n) => ({ failureKey: 'f', textKey: 'x', progress: n === 2 ? 'fixed' : null })),
    ],
    ['other failures before the same ones', series(5, (n) => ({ failureKey: n < 3 ? 'e' : 'f' }))],
    [
      'the same words, one of them from a gate without degrees',
      series(4, (n) => ({ failureKey: 'f', textKey: 'x', binary: n === 3 })),
    ],
    ['a gate without degrees in the long window', series(5, (n) => ({ failureKey: 'f', binary: n === 2 }))],
    [
      'the same words on a tree that comes back, which is for the cycle to tell',
      series(3, (n) => ({ failureKey: 'f', textKey: 'x', newTree: n !== 3 })),
    ],
    [
      'outputs with a gap between them',
      series(3, () => ({ silent: false, similar: [1, 1], failureKey: 'f' })).map((one) =>
        one.iteration === 3 ? { ...one, iteration: 4 } : one,
      ),
    ],
    ['one new set of failures', series(3, (n) => ({ newFailures: n === 2, failureKey: `f${n % 2}` }))],
    ['more failures, then as many', series(3, (n) => ({ broken: 1, failures: Math.min(n, 2) }))],
  ])('%s', (_name, records) => expect(codes(records)).toEqual([]));
});

describe('settings', () => {
  it('takes windows and switches from the spec', () => {
    const same = series(3, () => ({ work: 'same' }));
    expect(codes(same, { detectors: { 'snapshot-repeat': { window: 4 } } })).not.toContain(
      'loop.snapshot-repeat',
    );
    expect(codes(same, { detectors: { 'snapshot-repeat': false } })).not.toContain('loop.snapshot-repeat');
    expect(codes(same, { detectors: { enabled: false } })).toEqual([]);
    expect(codes(same, { strategy: 'fixed', detectors: { 'snapshot-repeat': true } })).toEqual([
      'loop.snapshot-repeat',
    ]);
  });
  it("takes ralph's threshold and window for outputs, and holds them back below its minimum", () => {
    const alike = series(3, () => ({ silent: false, similar: [0.9, 0.9], failureKey: 'f' }));
    const ralph = (over: object) => codes(alike, { strategy: { kind: 'ralph', ...over } });
    expect(ralph({})).not.toContain('loop.output-similarity');
    expect(ralph({ similarityThreshold: 0.9 })).toContain('loop.output-similarity');
    expect(ralph({ similarityThreshold: 0.9, window: 4 })).not.toContain('loop.output-similarity');
    expect(ralph({ similarityThreshold: 0.9, min: 4 })).not.toContain('loop.output-similarity');
  });
  it("follows ralph's own switch and hybrid's criteria", () => {
    const alike = series(3, () => ({ silent: false, similar: [1, 1], failureKey: 'f' }));
    expect(codes(alike, { strategy: { kind: 'ralph' } })).toContain('loop.output-similarity');
    expect(codes(alike, { strategy: { kind: 'ralph', loopDetection: false } })).not.toContain(
      'loop.output-similarity',
    );
    const still = series(3, () => ({ moved: false, work: 'same' }));
    const seen = (criteria: string[], detectors = {}) =>
      codes(still, { strategy: { kind: 'hybrid', criteria }, detectors });
    expect(seen(['no-changes'])).toContain('no-progress.no-changes');
    expect(seen([])).not.toContain('no-progress.no-changes');
    expect(seen([], { enabled: false })).toEqual([]);
    expect(seen(['loop-detection'], { enabled: false })).toContain('loop.snapshot-repeat');
  });
  it('is off where a person or a module decides, unless it is switched on', () => {
    const same = series(3, () => ({ work: 'same', moved: false }));
    for (const strategy of ['manual', { kind: 'custom', module: 'mine.mjs' }]) {
      expect(codes(same, { strategy })).toEqual([]);
      expect(codes(same, { strategy, detectors: { enabled: true } })).toContain('loop.snapshot-repeat');
    }
    expect(codes(same, { strategy: 'adaptive' })).toContain('loop.snapshot-repeat');
  });
  it('says over which window and with what it saw', () => {
    const [seen] = detect(
      specOf(),
      series(4, (n) => ({ work: `w${n % 2}` })),
    );
    expect(seen).toMatchObject({
      code: 'loop.oscillation',
      evidence: { period: 2, periods: 2, in: 'trees', iterations: [1, 2, 3, 4] },
    });
    const wandering = series(3, (n) => ({
      newFailures: false,
      failureKey: n === 2 ? 'b' : 'a',
      failures: n,
    }));
    expect(detect(specOf(), wandering)).toEqual([
      {
        code: 'no-progress.stall',
        reason: 'iterations 1 to 3 only went back and forth between failures seen before',
        confidence: 0.8,
        evidence: { window: 3, iterations: [1, 2, 3], failures: [1, 2, 3] },
      },
    ]);
  });
});
