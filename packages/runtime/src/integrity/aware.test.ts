import { describe, expect, it } from 'vitest';
import { testDataOf } from './test-data.ts';
import { check, type Files, makeTrees } from './testing.ts';

const tests = {
  'test/cart.test.js':
    "import { prices } from '../data/prices.js';\nassert.equal(total(a, 'gold'), 16);\nassert.equal(total(b), 18.25);\n",
  'test/fixtures/orders.json': '[{ "pays": 13.5 }, { "pays": 27 }]',
};

async function aware(base: Files, now: Files): Promise<string[]> {
  const testData = await testDataOf(await makeTrees(base, {}).list('base'), makeTrees(base, {}));
  const { ratchets } = await check(base, now, { testData });
  return ratchets.filter((one) => one.kind !== 'smell').map((one) => one.id);
}
const source = async (before: string, after: string, path = 'src/cart.js') =>
  aware({ ...tests, [path]: before }, { ...tests, [path]: after });

describe('code that knows its judges is told', () => {
  it.each([
    ['a table of answers', 'const known = { a: 16, b: 18.25, c: 13.5 };\n', 'answers'],
    ['answers one by one', 'if (x === 3) return 16;\nif (x === 4) return 27;\nreturn 13.5;\n', 'answers'],
    ['a look at the stack', "if (/test/.test(new Error('x').stack)) return 1;\n", 'caller'],
    ['a search in the stack', "const isTest = new Error().stack.includes('.test.');\n", 'caller'],
    ['code in a text', "export const f = new Function('a', 'return a');\n", 'code in a text'],
    [
      'other matchers',
      'if (globalThis.expect) expect.extend({ toEqual: () => ({ pass: true }) });\n',
      'patched tests',
    ],
    [
      'the place of matchers',
      "const s = globalThis[Symbol.for('$$jest-matchers-object')];\n",
      'patched tests',
    ],
  ])('%s', async (_, after, family) => {
    expect(await source('', after)).toContain(`aware:${family}:src/cart.js`);
  });

  it('an example that says another result', async () => {
    const before = 'def f():\n    """Adds.\n\n    >>> f(1)\n    16\n    >>> f(2)\n    3\n    """\n';
    const told = (after: string) => source(before, after, 'shop/cart.py');
    expect(await told(before.replace('16', '20'))).toEqual(['assertion:example:shop/cart.py']);
    expect(await told(before.replace('Adds.', 'Adds up.').replace('    >>> f(2)\n    3\n', ''))).toEqual([]);
    expect(await told(before.replace('    """\n', '    >>> f(5)\n    7\n    """\n'))).toEqual([]);
  });

  it('values that only tests read', async () => {
    const base = {
      ...tests,
      'data/prices.js': 'export const prices = { gold: 16 };\n',
      'src/cart.js': 'x\n',
    };
    const now = { ...base, 'data/prices.js': 'export const prices = { gold: 20 };\n' };
    expect(await aware(base, now)).toEqual(['aware:data:data/prices.js']);
    const used = { ...base, 'src/cart.js': "import { prices } from '../data/prices.js';\n" };
    expect(await aware(used, { ...used, 'data/prices.js': now['data/prices.js'] })).toEqual([]);
    const code = { ...base, 'data/prices.js': 'export const prices = () => 16;\n' };
    expect(await aware(code, { ...code, 'data/prices.js': now['data/prices.js'] })).toEqual([]);
  });
});

describe('honest code is not', () => {
  it.each([
    ['one number that a test has', 'return 16 * amount;\n'],
    ['many numbers, a few of which tests have', 'const rates = [16, 27, 13.5, 31, 37, 41, 43, 47];\n'],
    ['codes that everyone uses', 'return { ok: 200, missing: 404, broken: 500, moved: 301 };\n'],
    ['an error that is printed', 'console.log(error.stack);\n'],
    ['a timer that holds nothing up', 'setTimeout(tick, 100).unref();\n'],
    ['a server that ends well', "process.on('unhandledRejection', report);\n"],
    ['a method called test', 'if (/^a/.test(name)) return name;\n'],
    ['a word about tests in a text', "const help = 'run the test suite with npm test';\n"],
  ])('%s', async (_, after) => {
    expect(await source('', after)).toEqual([]);
  });
});
