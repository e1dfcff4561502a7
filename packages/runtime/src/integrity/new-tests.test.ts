import { expect, it } from 'vitest';
import { checkIntegrity } from './index.ts';
import { type Files, makeTrees, noRules } from './testing.ts';

const base: Files = { 'src/a.js': 'a();\n', 'test/a.test.js': "it('a', f);\nit('b', g);\n" };
const found = async (now: Files) =>
  [...(await checkIntegrity('base', 'now', makeTrees(base, now), noRules)).newTests].sort();

it('new tests are those that were not there, with what helps them', async () => {
  const now = {
    ...base,
    'test/b.test.js': 'x',
    'test/support/b.js': 'y',
    'src/b.js': 'z',
    'src/c.spec.ts': 'w',
    'test/__snapshots__/b.test.js.snap': 'v',
  };
  expect(await found(now)).toEqual([
    'src/c.spec.ts',
    'test/__snapshots__/b.test.js.snap',
    'test/b.test.js',
    'test/support/b.js',
  ]);
});

it('a test that was moved or changed is not new', async () => {
  const { 'test/a.test.js': text = '', ...rest } = base;
  expect(await found({ ...rest, 'test/unit/a.test.js': text })).toEqual([]);
  expect(await found({ ...base, 'test/a.test.js': 'x' })).toEqual([]);
});

it.each([
  ['src/a.js', "import { split } from './ab-test.js';\n", 'src/ab-test.js'],
  ['src/a.js', "const { split } = require('./ab-test');\n", 'src/ab-test.js'],
  ['src/a.py', 'from . import ab, split_test\n', 'src/split_test.py'],
])('a source that is called like a test is none: %s %j', async (path, text, source) => {
  expect(await found({ ...base, [path]: text, [source]: 'x' })).toEqual([]);
  expect(await found({ ...base, [source]: 'x' })).toEqual([source]);
});
