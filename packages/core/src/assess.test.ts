import { describe, expect, it } from 'vitest';
import { pathShape } from './assess.ts';
import { failureLabel } from './failure.ts';
import { effectiveLimit } from './effective-limit.ts';
import { withGrant } from './grant.ts';
import { specOf } from './testing/play.ts';

describe('the shape of a path', () => {
  it.each([
    ['out/report-1234.txt', 'out/report-#.txt'],
    ['coverage/tmp/coverage-9f8e7d6c.json', 'coverage/tmp/coverage-#.json'],
    ['src/facade.ts', 'src/facade.ts'],
    ['1.txt', '#.txt'],
    ['work.txt', 'work.txt'],
  ])('%s', (path, shape) => expect(pathShape(path)).toBe(shape));
});

it('names a failure without its hash', () => {
  expect(failureLabel('lint\u0000lint:no-var:a.js:0011aabb')).toBe('lint: no-var:a.js');
  expect(failureLabel('tests\u0000test:a.test.js > adds')).toBe('tests: a.test.js > adds');
});

describe('the iterations that bind', () => {
  it.each([
    [{}, { limit: 100, bound: 'limits.iterations' }],
    [{ strategy: 'fixed' }, { limit: 3, bound: 'strategy.iterations' }],
    [
      { strategy: 'ralph', limits: { iterations: 4 } },
      { limit: 4, bound: 'limits.iterations' },
    ],
    [
      { strategy: { kind: 'hybrid', base: 2, bonus: 2 } },
      { limit: 4, bound: 'strategy.base + strategy.bonus' },
    ],
  ])('%j', (fields, expected) =>
    expect(effectiveLimit({ spec: specOf(fields), granted: 0 })).toEqual(expected),
  );
  it('rise by a grant and by nothing else', () => {
    const spec = specOf({ strategy: 'fixed', limits: { iterations: 10, cost: '5usd' } });
    expect(effectiveLimit({ spec, granted: 2 })).toEqual({ limit: 5, bound: 'strategy.iterations' });
    const wide = specOf({ strategy: { kind: 'fixed', iterations: 10 }, limits: { iterations: 12 } });
    expect(effectiveLimit({ spec: wide, granted: 5 })).toEqual({ limit: 12, bound: 'limits.iterations' });
    expect(withGrant(spec, { iterations: 2, costUsd: 1, tokens: 7 }).limits).toMatchObject({
      iterations: 12,
      cost: 6,
    });
    expect(withGrant(spec, { tokens: 7 }).limits.tokens).toBeUndefined();
  });
});
