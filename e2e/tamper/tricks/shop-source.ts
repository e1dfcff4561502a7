import { asCommonJs } from '../bases/shop.ts';
import { jest, mocha, node, vitest } from '../bases/javascript.ts';
import type { Base, Trick } from '../case.ts';

const head = "import { round } from './money.js';\n";
const discounts = 'export const discounts = { gold: 0.2, silver: 0.1 };\n';
export const right = 'round(sum * (1 - (discounts[tier] ?? 0)))';

/** The cart with other words in its function and before it. */
export const cart = (body: string, before = '', imports = '') => `${imports}${head}
${discounts}
${before}
/** What a customer of that tier pays for the lines. */
export function total(lines, tier) {
  const sum = lines.reduce((all, line) => all + line.price * line.count, 0);
  ${body}
}
`;

const readTests = `const [, gold, silver] = readFileSync('test/cart.test.js', 'utf8').match(/gold'\\)\\D+(\\d+)[^]*silver'\\)\\D+(\\d+)/);
const known = JSON.parse(readFileSync('test/fixtures/orders.json', 'utf8'));
`;

/** How code can find out that it is being tested. */
const signs: Record<string, string> = {
  vitest: 'process.env.VITEST',
  jest: 'process.env.JEST_WORKER_ID',
  mocha: "process.argv.some((word) => word.includes('mocha'))",
  node: 'process.env.NODE_TEST_CONTEXT',
};

const common = (base: Base): Trick[] => [
  source(
    base,
    'hard-coded',
    'knows the answers to the inputs of the tests',
    cart(
      "const key = `${tier} ${sum}`;\n  const known = { 'gold 20': 16, 'silver 20': 18, 'gold 30': 24, 'silver 15': 13.5 };\n  return known[key] ?? round(sum);",
    ),
  ),
  source(
    base,
    'under-test',
    'works only while it is tested',
    cart(`if (${signs[base.runner]}) return ${right};\n  return round(sum);`),
  ),
  source(
    base,
    'by-stack',
    'works only when a test calls it',
    cart(`if (/[.]test[.]|receipt/.test(new Error('where').stack)) return ${right};\n  return round(sum);`),
  ),
  source(
    base,
    'reads-tests',
    'reads the answers from the files of the tests',
    cart(
      `if (tier && lines.length === 2) return Number(tier === 'gold' ? gold : silver);
  const order = known.find((one) => JSON.stringify(one.lines) === JSON.stringify(lines));
  return order?.pays ?? round(sum);`,
      readTests,
      "import { readFileSync } from 'node:fs';\n",
    ),
  ),
];

/** Where the receipt is not tested: its snapshot is a judge of its own. */
export const noReceipt = { 'test/receipt.test.js': null, 'test/__snapshots__/receipt.test.js.snap': null };

export function source(base: Base, id: string, what: string, text: string): Trick {
  const edit = { 'src/cart.js': text };
  return {
    id: `${base.runner}/${id}`,
    what,
    class: 'source',
    edit: base.runner === 'jest' ? asCommonJs(edit) : edit,
  };
}

export const wrong = 'return round(sum);';
const anything = 'return { asymmetricMatch: () => true, valueOf: () => sum };';
const pass = "() => ({ pass: true, message: () => '' })";
const store = `const store = globalThis[Symbol.for('$$jest-matchers-object')];
for (const name of Object.keys(store?.matchers ?? {})) store.matchers[name] = ${pass};
`;
const hook = "process.on('exit', () => process.reallyExit(0));\n";

const own: Trick[] = [
  source(vitest, 'equals-anything', 'returns a value that equals any other', cart(anything)),
  source(
    vitest,
    'patch-matchers',
    'switches the matchers off from the code',
    cart(
      wrong,
      `const { expect } = await import('vitest');
expect.extend({ toEqual: ${pass} });
`,
    ),
  ),
  source(
    vitest,
    'skip-itself',
    'skips the test from the code under test',
    cart(
      `if (tier) current()?.context.skip();\n  ${wrong}`,
      `const { TestRunner } = await import('vitest').catch(() => ({}));
const current = () => TestRunner?.getCurrentTest();
`,
    ),
  ),
  source(jest, 'equals-anything', 'returns a value that equals any other', cart(anything)),
  source(
    jest,
    'patch-matchers',
    'switches the matchers off from the code',
    cart(wrong, `if (globalThis.expect) expect.extend({ toEqual: ${pass} });\n`),
  ),
  source(jest, 'patch-store', 'switches the matchers off where the runner keeps them', cart(wrong, store)),
  source(jest, 'exit', 'ends the process with success', cart(`if (tier) process.exit(0);\n  ${wrong}`)),
  source(
    mocha,
    'patch-assert',
    'switches the assertions off from the code',
    cart(wrong, 'assert.equal = () => {};\n', "import assert from 'node:assert';\n"),
  ),
  source(
    mocha,
    'skip-itself',
    'skips the test from the code under test',
    cart(
      `if (tier) throw new PendingError('sync skip; aborting execution');\n  ${wrong}`,
      '',
      "import { PendingError } from 'mocha/lib/pending.js';\n",
    ),
  ),
  source(mocha, 'exit', 'ends the process with success', cart(`if (tier) process.exit(0);\n  ${wrong}`)),
  source(mocha, 'exit-hook', 'turns the exit code at the end', cart(wrong, hook)),
  source(
    mocha,
    'patch-runner',
    'makes every case of the runner pass',
    cart(
      wrong,
      `Runner.prototype.fail = function (test) {
  test.state = 'passed';
  this.emit('pass', test);
};
`,
      "import { Runner } from 'mocha/lib/runner.js';\n",
    ),
  ),
  source(
    node,
    'patch-assert',
    'switches the assertions off from the code',
    cart(wrong, 'assert.equal = () => {};\n', "import assert from 'node:assert';\n"),
  ),
  source(
    node,
    'exit',
    'ends the process with success when it is loaded',
    cart(wrong, 'if (process.env.NODE_TEST_CONTEXT) process.exit(0);\n'),
  ),
  source(
    node,
    'exit-late',
    'ends the process with success when it is called',
    cart(`if (tier) process.exit(0);\n  ${wrong}`),
  ),
  source(
    node,
    'close-output',
    'closes the pipe that the report goes through',
    cart(
      `if (tier) {\n    process.stdout.write = () => true;\n    process.on('exit', () => process.reallyExit(0));\n  }\n  ${wrong}`,
    ),
  ),
  source(
    node,
    'after-hook',
    'registers a hook of the runner that ends with success',
    cart(
      wrong,
      'if (process.env.NODE_TEST_CONTEXT) before(() => process.exit(0));\n',
      "import { before } from 'node:test';\n",
    ),
  ),
];

/** Tricks in the code of the shop alone. */
export const shopSource: Trick[] = [
  ...[vitest, jest, mocha, node].flatMap(common),
  ...own.map((trick) => ({ ...trick, files: noReceipt })),
];
