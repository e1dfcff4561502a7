import { describe, expect, it } from 'vitest';
import { parseSpec, showPath } from './parse-spec.ts';
import {
  parseCount,
  parseBytes,
  parseDuration,
  parseMoney,
  showBytes,
  showCount,
  showDuration,
  showMoney,
} from './quantity.ts';

const without = null;

describe('a duration', () => {
  it.each([
    ['90s', 90_000],
    ['1.5h', 5_400_000],
    ['1h30m', 5_400_000],
    ['1 h 30 m', 5_400_000],
    [' 250ms ', 250],
    ['2d', 172_800_000],
    ['0.25s', 250],
    ['90', without],
    ['', without],
    ['-5m', without],
    ['.5h', without],
    ['1.h', without],
    ['5M', without],
    ['5min', without],
    ['5m or so', without],
    ['about 5m', without],
    ['5m,10s', without],
  ])('%j is %j milliseconds', (text, ms) => expect(parseDuration(text)).toBe(ms));
});

describe('an amount of money', () => {
  it.each([
    ['5usd', 5],
    ['12.75 USD', 12.75],
    ['$2.50', 2.5],
    ['$ 40', 40],
    ['40$', 40],
    [' 0.125 ', 0.125],
    ['150', 150],
    ['', without],
    ['usd', without],
    ['5 eur', without],
    ['5usd each', without],
    ['up to 5usd', without],
    ['up to $5', without],
    ['$5 a day', without],
    ['-5usd', without],
    ['1.', without],
    ['1,50', without],
    ['5 000', without],
  ])('%j is %j dollars', (text, usd) => expect(parseMoney(text)).toBe(usd));
});

describe('a count', () => {
  it.each([
    ['200000', 200_000],
    ['500k', 500_000],
    ['500 K', 500_000],
    ['2M', 2_000_000],
    ['2m', 2_000_000],
    ['1.25k', 1_250],
    [' 7 ', 7],
    ['1.2345k', 1_235],
    ['', without],
    ['k', without],
    ['1g', without],
    ['1kk', without],
    ['2M tokens', without],
    ['at most 2M', without],
    ['-1', without],
    ['1.', without],
    ['1.x', without],
  ])('%j is %j', (text, count) => expect(parseCount(text)).toBe(count));
});

describe('in a spec', () => {
  const problems = (limits: Record<string, unknown>) => {
    const parsed = parseSpec({ task: 'do it', agent: ['true'], gates: { tests: 'x' }, limits });
    if (parsed.kind === 'spec') return [];
    return parsed.problems.map((one) => `${showPath(one.path)}: ${one.message}`);
  };
  const wanted = {
    wallClock: 'a duration with its unit, such as 90s, 5m or 1h',
    cost: 'an amount of money such as 5usd or $2.50',
    tokens: 'a number such as 200000, 500k or 2M',
  };

  it.each([
    ['wallClock', '0s', '"0s"'],
    ['wallClock', '', '""'],
    ['cost', 0, '0'],
    ['cost', '0usd', '"0usd"'],
    ['cost', -1, '-1'],
    ['cost', '9'.repeat(400), `"${'9'.repeat(56)}..."`],
    ['tokens', 0, '0'],
    ['tokens', '0.4', '"0.4"'],
    ['tokens', 'lots', '"lots"'],
  ] as const)('%s: %j is refused with an example of what is meant', (name, value, found) => {
    expect(problems({ [name]: value })).toEqual([`limits.${name}: expected ${wanted[name]}, found ${found}`]);
  });

  it('what is neither text nor number is refused as well', () => {
    expect(problems({ cost: true })).toEqual(['limits.cost: expected an amount of money, found true']);
    expect(problems({ tokens: true })).toEqual(['limits.tokens: expected a number, found true']);
  });

  it('money and counts may be bare numbers, a duration may not', () => {
    expect(problems({ cost: 0.01, tokens: 1 })).toEqual([]);
    expect(problems({ wallClock: 90 })).toHaveLength(1);
  });
});

describe('shown to people', () => {
  it.each([
    [0, '0ms'],
    [0.4, '0ms'],
    [12.6, '13ms'],
    [999, '999ms'],
    [1_000, '1.0s'],
    [3_449, '3.4s'],
    [10_000, '10s'],
    [59_499, '59s'],
    [59_500, '1m'],
    [60_000, '1m'],
    [372_000, '6m 12s'],
    [3_600_000, '1h'],
    [3_605_000, '1h'],
    [3_900_000, '1h 5m'],
    [86_400_000, '1d'],
    [93_600_000, '1d 2h'],
    [86_460_000, '1d'],
    [864_000_000, '10d'],
  ])('%d milliseconds are %s', (ms, text) => expect(showDuration(ms)).toBe(text));

  it.each([
    [0, '0'],
    [9_999, '9999'],
    [10_000, '10k'],
    [12_500, '13k'],
    [999_499, '999k'],
    [1_000_000, '1M'],
    [1_250_000, '1.3M'],
    [20_000_000, '20M'],
  ])('%d tokens are %s', (count, text) => expect(showCount(count)).toBe(text));

  it.each([
    [0, '$0.00'],
    [2.5, '$2.50'],
    [0.126, '$0.13'],
    [1200, '$1200.00'],
  ])('%d dollars are %s', (usd, text) => expect(showMoney(usd)).toBe(text));

  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [3_449_000, '3.4 MB'],
    [12_600_000_000, '13 GB'],
    [2e15, '2000 TB'],
  ])('%d bytes are %s', (bytes, text) => expect(showBytes(bytes)).toBe(text));
});

describe('an amount of bytes', () => {
  it.each([
    ['512B', 512],
    ['2GB', 2_000_000_000],
    ['1.5 mb', 1_500_000],
    ['1GiB', 1_073_741_824],
    ['3KiB', 3_072],
    ['2', null],
    ['GB', null],
    ['2iB', null],
    ['-2GB', null],
    ['2 potatoes', null],
  ])('%s is %s', (text, bytes) => expect(parseBytes(text)).toBe(bytes));
});
