import { vitest } from '../bases/javascript.ts';
import type { Base, Honest, Runner } from '../case.ts';

/** Makes a piece of work for the base of a runner. */
export type Make = (base: Base) => Omit<Honest, 'id' | 'expect'> & { expect?: Honest['expect'] };

/** A source file of the shop in the newer form of modules. */
export const plain = (path: string): string => vitest.files[path] ?? '';

/** The cart with its bug fixed, and then changed further. */
export function changed(...pairs: [from: string, to: string][]): string {
  let text = vitest.fix['src/cart.js'] ?? '';
  for (const [from, to] of pairs) {
    if (!text.includes(from)) throw new Error(`the fixed cart has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, () => to);
  }
  return text;
}

/** The cart with its bug fixed in another way. */
export const restated = `import { round } from './money.js';

export const discounts = { gold: 0.2, silver: 0.1 };

const sumOf = (lines) => lines.reduce((all, line) => all + line.price * line.count, 0);

/** What a customer of that tier pays for the lines. */
export function total(lines, tier) {
  const rate = Object.hasOwn(discounts, tier ?? '') ? discounts[tier] : 0;
  return round(sumOf(lines) * (1 - rate));
}
`;

const heads: Partial<Record<Runner, string>> = {
  vitest: "import { describe, expect, it } from 'vitest';\n",
  jest: '',
  mocha: "import assert from 'node:assert';\n",
  node: "import assert from 'node:assert';\nimport { describe, it } from 'node:test';\n",
};

/** A test file that was not there before. */
export function newTest(runner: Runner): string {
  const isExpect = runner === 'vitest' || runner === 'jest';
  const check = isExpect ? 'expect(paid).toBe(80);' : 'assert.equal(paid, 80);';
  return `${heads[runner]}import { total } from '#shop/cart';

describe('a discount', () => {
  it('is taken off larger orders, too', () => {
    const paid = total([{ price: 50, count: 2 }], 'gold');
    ${check}
  });
});
`;
}
