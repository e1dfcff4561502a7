import { describe, expect, it } from 'vitest';
import { testDataOf } from './test-data.ts';
import { check, type Files, makeTrees } from './testing.ts';

const tests = {
  'test/cart.test.js':
    "import { prices } from '../data/prices.js';\nassert.equal(total(a, 'gold'), 16);\nassert.equal(total(b), 18.25);\n",
  'test/fixtures/orders.json': '[{ "pays": 13.5 }, { "pays": 27 }]',
};

const packed = Buffer.from('{"a":16,"b":18.25,"c":13.5}').toString('base64');

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
    ['answers in other letters', `const known = JSON.parse(atob('${packed}'));\n`, 'answers'],
    ['a look at the stack in two steps', "const { stack } = new Error('x');\n", 'caller'],
    ['a language that compares otherwise', 'Object.assign(Object, { is: () => true });\n', 'patched tests'],
    ['a prototype of another make', "Reflect.set(Array.prototype, 'map', f);\n", 'patched tests'],
    ['another folder to work in', "process.chdir('src/data');\n", 'patched tests'],
    [
      'a package by its path',
      "import { Runnable } from '../node_modules/mocha/lib/runnable.js';\n",
      'test library',
    ],
    ['the mode of the tests', "if (import.meta.env?.MODE === 'test') f();\n", 'test environment'],
    ['a part of its name', "if (process.env.NODE_ENV?.startsWith('te')) f();\n", 'test environment'],
    ['names of a runner', 'if (Object.keys(process.env).some(isRunner)) f();\n', 'test environment'],
    ['a name among the globals', "if ('describe' in globalThis) f();\n", 'test environment'],
    ['who started it', 'const above = read(`/proc/${process.ppid}/cmdline`);\n', 'test environment'],
    ['a day that is not over', 'if (Date.now() < 2e12) f();\n', 'a day'],
  ])('%s', async (_, after, family) => {
    expect(await source('', after)).toContain(`aware:${family}:src/cart.js`);
  });

  it.each([
    [
      'a number that equals numbers',
      'class A(float):\n    def __eq__(self, other):\n        return isinstance(other, int)\n',
    ],
    ['a number that compares otherwise', 'class A(float):\n    __eq__ = float.__ge__\n'],
    [
      'a thing that is equal to what is near',
      'class A:\n    def __eq__(self, other):\n        return abs(self.x - other) < 9\n',
    ],
    ['a type that is made', 'A = type("A", (float,), {"__eq__": lambda a, b: True})\n'],
    ['a look at the caller by an error', 'numbers = error.__traceback__.tb_frame.f_back.f_code.co_consts\n'],
    ['a word of the environment', 'if any(name.startswith("PYTEST") for name in os.environ):\n    pass\n'],
    ['a word among what is loaded', 'if any("pytest" in name for name in modules):\n    pass\n'],
    ['a look for tests', 'if os.path.isdir("tests"):\n    pass\n'],
    ['a search for tests', 'files = top.rglob("*_cart.py")\n'],
    ['a file that is unpacked', 'A = pickle.loads((Path(__file__).parent / "a.bin").read_bytes())\n'],
    ['another loader of modules', 'sys.meta_path.insert(0, finder)\n'],
  ])('in Python: %s', async (_, after) => {
    expect(await source('', after, 'shop/cart.py')).toHaveLength(1);
  });

  it.each([
    ['other notations', 'known = { 1: 0x10, 2: 1.35e1, 3: 0b11011 }\n', 'shop/cart.py'],
    ['a file of data', '{ "a": 16, "b": 18.25, "c": 13.5 }\n', 'src/rates.json'],
  ])('answers in %s', async (_, after, path) => {
    expect(await source('', after, path)).toEqual([`aware:answers:${path}`]);
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
    ['an error of its own', 'Error.captureStackTrace(this, Mistake);\n'],
    [
      'settings by their prefix',
      "Object.entries(process.env).filter(([name]) => name.startsWith('APP_'));\n",
    ],
    ['a mode of its own', "if (process.env.NODE_ENV === 'production') minify();\n"],
    ['a quiet log', "const level = process.env.NODE_ENV === 'test' ? 'silent' : 'info';\n"],
    [
      'a type that knows its own',
      'class A {\n  static [Symbol.hasInstance](value) {\n    return value !== null && mark in value;\n  }\n}\n',
    ],
    ['a copy of an object', 'Object.assign({}, Object, defaults);\n'],
    ['a time that is over', 'if (Date.now() > started + 5_000) stop();\n'],
    ['a picture in letters', `const icon = '${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(4)}';\n`],
    ['a method called test', 'if (/^a/.test(name)) return name;\n'],
    ['a word about tests in a text', "const help = 'run the test suite with npm test';\n"],
  ])('%s', async (_, after) => {
    expect(await source('', after)).toEqual([]);
  });
});
