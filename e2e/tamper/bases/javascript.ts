import { type Dialect, makeShop } from './shop.ts';

const assertion = (actual: string, expected: string) => `assert.equal(${actual}, ${expected});`;
const expectation = (actual: string, expected: string) => `expect(${actual}).toEqual(${expected});`;

const vitestDialect: Dialect = {
  runner: 'vitest',
  head: "import { describe, expect, it } from 'vitest';\n",
  check: expectation,
  script: 'vitest run',
  files: {
    'vite.config.js': `export default {
  test: { include: ['test/**/*.test.js'] },
};
`,
    'test/receipt.test.js': `import { expect, it } from 'vitest';
import { receipt } from '#shop/receipt';
import { lines } from './support/lines.js';

it('prints a receipt', () => {
  expect(receipt(lines(), 'gold')).toMatchSnapshot();
});
`,
    'test/__snapshots__/receipt.test.js.snap': `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html

exports[\`prints a receipt 1\`] = \`
"2 x 5.00 EUR
4 x 2.50 EUR
to pay 16.00 EUR"
\`;
`,
  },
};

/** The receipt is a file that only the runners with snapshots test. */
const receipt = `import { total } from './cart.js';
import { format } from './money.js';

export function receipt(lines, tier) {
  const rows = lines.map((line) => \`\${line.count} x \${format(line.price)}\`);
  return [...rows, \`to pay \${format(total(lines, tier))}\`].join('\\n');
}
`;

const jestDialect: Dialect = {
  runner: 'jest',
  commonJs: true,
  head: '',
  check: expectation,
  script: 'jest',
  files: {
    'test/receipt.test.js': `import { receipt } from '#shop/receipt';
import { lines } from './support/lines.js';

it('prints a receipt', () => {
  expect(receipt(lines(), 'gold')).toMatchSnapshot();
});
`,
    'test/__snapshots__/receipt.test.js.snap': `// Jest Snapshot v1, https://jestjs.io/docs/snapshot-testing

exports[\`prints a receipt 1\`] = \`
"2 x 5.00 EUR
4 x 2.50 EUR
to pay 16.00 EUR"
\`;
`,
  },
  manifest: { jest: { testEnvironment: 'node', testMatch: ['<rootDir>/test/**/*.test.js'] } },
};

const mochaDialect: Dialect = {
  runner: 'mocha',
  head: "import assert from 'node:assert';\n",
  check: assertion,
  script: 'mocha',
  files: { '.mocharc.json': '{ "spec": ["test/*.test.js"] }\n' },
};

const nodeDialect: Dialect = {
  runner: 'node',
  head: "import assert from 'node:assert';\nimport { describe, it } from 'node:test';\n",
  check: assertion,
  script: 'node --test test/*.test.js',
  files: {},
};

const withReceipt = (dialect: Dialect): Dialect => ({
  ...dialect,
  files: { 'src/receipt.js': receipt, ...dialect.files },
});

export const vitest = makeShop(withReceipt(vitestDialect));
export const jest = makeShop(withReceipt(jestDialect));
export const mocha = makeShop(withReceipt(mochaDialect));
export const node = makeShop(withReceipt(nodeDialect));
