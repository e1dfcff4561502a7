import { describe, expect, it } from 'vitest';
import { checkIntegrity } from './check.ts';
import { type Files, makeTrees, noRules, told } from './testing.ts';

const lines = Array.from({ length: 10 }, (_, at) => `export const value${at} = ${at} * rate;`).join('\n');
const base: Files = { 'src/a.js': lines, 'src/b.js': 'export {};\n' };
const silent = `/* eslint-disable */\n${lines}`;

describe('work is counted wherever it went', () => {
  it.each([
    ['somebody else’s code', 'src/third_party/a.js'],
    ['fixtures', 'src/fixtures/a.js'],
    ['helpers of tests', 'src/test-utils/a.js'],
    ['what is minified', 'src/a.min.js'],
  ])('and left a stub: among %s', async (_, path) => {
    const from = path.replace('src/', './');
    const now = { ...base, [path]: silent, 'src/a.js': `export * from '${from}';\n` };
    expect(await told(base, now)).toEqual([`suppression ${path} 0 → 1`]);
  });

  it('and was moved', async () => {
    const now = { 'src/a.min.js': silent, 'src/b.js': 'export {};\n' };
    expect(await told(base, now)).toContain('suppression src/a.min.js 0 → 1');
  });

  it('but what is somebody else’s, and a fixture that only tests load, is not', async () => {
    const now = {
      ...base,
      'vendor/big.js': '/* eslint-disable */\nexport const big = 1;\n',
      'test/fixtures/a.js': silent,
      'src/b.js': "export { big } from '../vendor/big.js';\n",
    };
    expect(await told(base, now)).toEqual([]);
  });
});

describe('a stub', () => {
  const stubs = async (now: Files) =>
    (await checkIntegrity('base', 'now', makeTrees(base, now), noRules)).stubs.map(({ from, to }) => [
      from,
      to,
    ]);

  it('is a file that left most of its lines to a new one', async () => {
    expect(await stubs({ ...base, 'src/a.js': "export * from './c.jsx';\n", 'src/c.jsx': lines })).toEqual([
      ['src/a.js', 'src/c.jsx'],
    ]);
  });

  it('is none that kept them, lost them, or left data alone', async () => {
    expect(await stubs({ ...base, 'src/a.js': `${lines}\nmore();\n`, 'src/c.js': lines })).toEqual([]);
    expect(await stubs({ ...base, 'src/a.js': '', 'src/c.js': 'new code;\nof its own;\n' })).toEqual([]);
    expect(await stubs({ ...base, 'src/a.js': '', 'src/c.json': lines })).toEqual([]);
  });
});

it('a source that was emptied is told, one that was split is not', async () => {
  const empty = 'export const value0 = 0;\n';
  expect(await told(base, { ...base, 'src/a.js': empty })).toContain('doubt src/a.js 10 → 1');
  const split = lines.replaceAll('rate', 'share');
  expect(await told(base, { ...base, 'src/a.js': empty, 'src/c.js': split })).toEqual([]);
});

it('types that are only said are told', async () => {
  const now = { ...base, 'src/c.mjs': 'export const c = 1;\n', 'src/c.d.mts': 'export const c: string;\n' };
  expect(await told(base, now)).toEqual(['type-escape src/c.mjs 0 → 1']);
});
