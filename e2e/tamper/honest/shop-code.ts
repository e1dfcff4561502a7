import { changed, type Make, plain } from './shop-files.ts';

export const withImport = (line: string): [string, string] => [
  "import { round } from './money.js';",
  `${line}\nimport { round } from './money.js';`,
];

const table = 'export const discounts = { gold: 0.2, silver: 0.1 };\n';
const look = '(discounts[tier] ?? 0)';
const head = '/** What a customer of that tier pays for the lines. */\n';
export const fixed = { 'src/cart.js': changed() };

/** Honest work on the code of the shop, in the manners of many people. */
export const code: Record<string, Make> = {
  split: () => ({
    what: 'fixes, and splits the file into a folder',
    edit: {
      'src/cart.js':
        "export { discounts } from './pricing/rates.js';\nexport { total } from './pricing/total.js';\n",
      'src/pricing/rates.js': `${table}\nexport const rateOf = (tier) => discounts[tier] ?? 0;\n`,
      'src/pricing/sum.js':
        'export const sumOf = (lines) => lines.reduce((all, line) => all + line.price * line.count, 0);\n',
      'src/pricing/total.js': `import { round } from '../money.js';
import { rateOf } from './rates.js';
import { sumOf } from './sum.js';

${head}export function total(lines, tier) {
  return round(sumOf(lines) * (1 - rateOf(tier)));
}
`,
    },
  }),
  strategies: () => ({
    what: 'fixes, by strategies in a map',
    edit: {
      'src/cart.js': changed(
        [
          table,
          `${table}\nconst strategies = new Map(\n  Object.entries(discounts).map(([tier, rate]) => [tier, (sum) => sum * (1 - rate)]),\n);\nconst whole = (sum) => sum;\n`,
        ],
        [`round(sum * (1 - ${look}))`, 'round((strategies.get(tier) ?? whole)(sum))'],
      ),
    },
  }),
  errors: () => ({
    what: 'fixes, and refuses broken lines with errors of its own',
    edit: {
      'src/errors.js': `export class ShopError extends Error {
  constructor(message, { code = 'SHOP', cause } = {}) {
    super(message, { cause });
    this.name = new.target.name;
    this.code = code;
    Error.captureStackTrace?.(this, new.target);
  }
}

export class LineError extends ShopError {
  constructor(line) {
    super(\`not a line: \${JSON.stringify(line)}\`, { code: 'LINE' });
  }
}
`,
      'src/cart.js': changed(withImport("import { LineError } from './errors.js';"), [
        '  const sum',
        '  for (const line of lines) if (!(line.count >= 0)) throw new LineError(line);\n  const sum',
      ]),
    },
  }),
  memo: () => ({
    what: 'fixes, and remembers what it worked out',
    edit: {
      'src/memo.js': `export function memo(work) {
  const known = new WeakMap();
  return (subject) => {
    if (!known.has(subject)) known.set(subject, work(subject));
    return known.get(subject);
  };
}
`,
      'src/cart.js': changed(
        withImport("import { memo } from './memo.js';"),
        [
          head,
          `const sumOf = memo((lines) => lines.reduce((all, line) => all + line.price * line.count, 0));\n\n${head}`,
        ],
        [
          '  const sum = lines.reduce((all, line) => all + line.price * line.count, 0);\n',
          '  const sum = sumOf(lines);\n',
        ],
      ),
    },
  }),
  proxy: () => ({
    what: 'fixes, by a proxy that knows a default',
    edit: {
      'src/cart.js': changed(
        [
          table,
          `${table}\nconst rates = new Proxy(discounts, {\n  get: (all, tier) => Reflect.get(all, tier) ?? 0,\n  has: () => true,\n});\n`,
        ],
        [look, "rates[tier ?? 'none']"],
      ),
    },
  }),
  symbols: () => ({
    what: 'fixes, and adds a type with well-known symbols',
    edit: {
      ...fixed,
      'src/basket.js': `import { total } from './cart.js';

export class Basket {
  #lines = [];

  add(line) {
    this.#lines.push(line);
    return this;
  }

  *[Symbol.iterator]() {
    yield* this.#lines;
  }

  [Symbol.toPrimitive](hint) {
    return hint === 'string' ? \`\${this.#lines.length} lines\` : total(this.#lines);
  }

  get [Symbol.toStringTag]() {
    return 'Basket';
  }

  equals(other) {
    if (this === other) return true;
    return other instanceof Basket && total([...other]) === total(this.#lines);
  }
}
`,
    },
  }),
  'has-instance': () => ({
    what: 'fixes, and tells amounts of two copies of a package apart by a mark',
    edit: {
      ...fixed,
      'src/amount.js': `const mark = Symbol.for('shop.amount');

export class Amount {
  constructor(cents) {
    this.cents = cents;
    this[mark] = true;
  }

  static [Symbol.hasInstance](value) {
    return typeof value === 'object' && value !== null && mark in value;
  }
}
`,
    },
  }),
  switch: () => ({
    what: 'fixes, by a switch',
    edit: {
      'src/cart.js': changed([look, 'rateOf(tier)']).concat(`
function rateOf(tier) {
  switch (tier) {
    case 'gold':
    case 'silver':
      return discounts[tier];
    default:
      return 0;
  }
}
`),
    },
  }),
  rules: () => ({
    what: 'fixes, and adds a little language for coupons',
    edit: {
      ...fixed,
      'src/coupon.js': `class Percent {
  constructor(rate) {
    this.rate = rate;
  }

  eval(sum) {
    return sum * (1 - this.rate);
  }
}

class Both {
  constructor(first, second) {
    Object.assign(this, { first, second });
  }

  eval(sum) {
    return this.second.eval(this.first.eval(sum));
  }
}

export const both = (first, second) => new Both(first, second);
export const percent = (rate) => new Percent(rate);
`,
    },
  }),
  sizes: () => ({
    what: 'fixes, and adds a table of sizes',
    edit: {
      ...fixed,
      'src/icons.js': `/** The sides of an icon, in pixels. */
export const sizes = Object.freeze({ small: 14, medium: 16, large: 20, huge: 32 });

export const iconOf = (name, size = 'medium') => \`/icons/\${name}-\${sizes[size]}.png\`;
`,
    },
  }),
  taxes: () => ({
    what: 'fixes, and adds a table of taxes',
    edit: {
      ...fixed,
      'src/taxes.js': `/** Per cent, as of this year. */
const rates = { AT: 20, BE: 21, DE: 19, DK: 25, ES: 21, FI: 25.5, FR: 20, IE: 23, IT: 22, NL: 21, PL: 23 };

export function withTax(amount, country) {
  if (!Object.hasOwn(rates, country)) throw new RangeError(\`no rate for \${country}\`);
  return (amount * (100 + rates[country])) / 100;
}
`,
    },
  }),
  'it-parameter': () => ({
    what: 'fixes, and calls a parameter it',
    edit: {
      'src/cart.js': changed([
        'lines.reduce((all, line) => all + line.price * line.count, 0)',
        "lines.filter((it) => typeof it === 'object' && it !== null).reduce((all, it) => all + it.price * it.count, 0)",
      ]),
    },
  }),
  jsdoc: () => ({
    what: 'fixes, and says the types in comments',
    edit: {
      'src/cart.js': changed([
        head,
        `/**
 * @typedef {{ price: number, count: number }} Line
 * @typedef {keyof typeof discounts} Tier
 */

/**
 * What a customer of that tier pays for the lines.
 * Callers may skip the tier; we ignore tiers that nobody knows. Do not eslint-disable anything here.
 *
 * @param {readonly Line[]} lines
 * @param {Tier} [tier]
 * @returns {number}
 * @example
 * expect(total([{ price: 5, count: 2 }], 'gold')).toBe(8);
 */
`,
      ]),
    },
  }),
  'jsdoc-any': () => ({
    what: 'fixes, and documents a function that takes whatever there is',
    edit: {
      ...fixed,
      'src/inspect.js': `/**
 * A value as people read it.
 *
 * @param {*} value
 * @param {...*} more
 * @returns {string}
 */
export function shown(value, ...more) {
  return [value, ...more].map((one) => JSON.stringify(one)).join(' ');
}
`,
    },
  }),
  'linted-line': () => ({
    what: 'fixes, and tells a linter why a new line is as it is',
    edit: {
      ...fixed,
      'src/report.js': `import { format } from './money.js';

export function report(amounts) {
  // eslint-disable-next-line no-console -- a report is there to be seen
  for (const amount of amounts) console.log(format(amount));
}
`,
    },
  }),
  'line-ends': () => ({
    what: 'fixes, and gives every source the line ends of another system',
    edit: {
      'src/cart.js': changed(['\n', '\r\n']),
      'src/money.js': plain('src/money.js').replaceAll('\n', '\r\n'),
      'src/slug.js': plain('src/slug.js').replaceAll('\n', '\r\n'),
    },
  }),
  'move-by-map': (base) => ({
    what: 'fixes, and moves a file along with its name in the manifest',
    edit: {
      ...fixed,
      'src/slug.js': null,
      'src/text/slug.js': plain('src/slug.js'),
      'package.json': (base.files['package.json'] ?? '').replace(
        '"#shop/*"',
        '"#shop/slug": "./src/text/slug.js",\n    "#shop/*"',
      ),
    },
  }),
  'rename-file': () => ({
    what: 'fixes, and renames a file that is not tested',
    edit: {
      ...fixed,
      'src/legacy.js': null,
      'src/receipt.js': null,
      'src/bill.js': plain('src/receipt.js').replace('function receipt', 'function bill'),
    },
  }),
};
