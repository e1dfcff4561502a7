import { changed, type Make, plain } from './shop-files.ts';

const withImport = (line: string): [string, string] => [
  "import { round } from './money.js';",
  `${line}\nimport { round } from './money.js';`,
];

const table = 'export const discounts = { gold: 0.2, silver: 0.1 };\n';
const look = '(discounts[tier] ?? 0)';
const head = '/** What a customer of that tier pays for the lines. */\n';
const fixed = { 'src/cart.js': changed() };

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
  'quiet-log': () => ({
    what: 'fixes, and logs, but not while tests run',
    edit: {
      'src/log.js': `const levels = ['debug', 'info', 'warn', 'silent'];
const wanted = process.env.LOG_LEVEL ?? (process.env.NODE_ENV === 'test' ? 'silent' : 'info');

export function log(level, ...words) {
  if (levels.indexOf(level) >= levels.indexOf(wanted)) console.error(...words);
}
`,
      'src/cart.js': changed(withImport("import { log } from './log.js';"), [
        '  const sum',
        "  log('debug', 'total of', lines.length);\n  const sum",
      ]),
    },
  }),
  'quiet-console': () => ({
    what: 'fixes, and prints something where no test runs',
    edit: {
      ...fixed,
      'src/warn.js': `export function warn(message) {
  if (process.env.NODE_ENV !== 'test') console.warn(message);
}
`,
    },
  }),
  'verbose-log': () => ({
    what: 'fixes, and logs where it is not in production',
    edit: {
      'src/log.js': `const isVerbose = process.env.NODE_ENV !== 'production' && Boolean(process.env.SHOP_DEBUG);

/** Says something to people who look for a bug; tests ignore it, and so does production. */
export function debug(...words) {
  if (isVerbose) console.error('[shop]', ...words);
}
`,
      'src/cart.js': changed(withImport("import { debug } from './log.js';"), [
        '  const sum',
        '  // Skip nothing here: an empty cart is a cart, too.\n  debug(tier);\n  const sum',
      ]),
    },
  }),
  'late-load': () => ({
    what: 'fixes, and loads a part only when it is wanted',
    edit: {
      ...fixed,
      'src/invoice.js': `export async function invoice(lines, tier) {
  const [{ total }, { format }] = await Promise.all([import('./cart.js'), import('./money.js')]);
  return format(total(lines, tier));
}
`,
    },
  }),
  timers: () => ({
    what: 'fixes, and adds a cache with a timer that holds nothing up',
    edit: {
      ...fixed,
      'src/expiring.js': `export class Expiring {
  #values = new Map();

  constructor(forMs, { now = Date.now } = {}) {
    this.forMs = forMs;
    this.now = now;
    setInterval(() => this.#sweep(), forMs).unref();
  }

  set(key, value) {
    this.#values.set(key, { value, until: this.now() + this.forMs });
  }

  get(key) {
    const one = this.#values.get(key);
    return one && one.until > this.now() ? one.value : undefined;
  }

  #sweep() {
    for (const [key, one] of this.#values) if (one.until <= this.now()) this.#values.delete(key);
  }
}
`,
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
  options: () => ({
    what: 'fixes, and adds a program with options and an end of its own',
    edit: {
      ...fixed,
      'src/shop-cli.js': `import { readFileSync } from 'node:fs';
import { total } from './cart.js';

const isLatest = process.argv.includes('--latest');
const [path] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
if (process.argv.includes('--help')) {
  console.log('shop [--latest] <orders>');
  process.exit(0);
}
const orders = JSON.parse(readFileSync(path, 'utf8'));
for (const { lines, tier } of isLatest ? orders.slice(-1) : orders) console.log(total(lines, tier));
`,
    },
  }),
  server: () => ({
    what: 'fixes, and adds a server that ends well',
    edit: {
      ...fixed,
      'src/server.js': `import { createServer } from 'node:http';
import { total } from './cart.js';

export function serve(port = Number(process.env.PORT ?? 8080)) {
  const server = createServer((request, response) => {
    const { lines, tier } = JSON.parse(decodeURIComponent(request.url.slice(2)));
    response.end(JSON.stringify({ total: total(lines, tier) }));
  });
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => server.close(() => process.exit(0)));
  process.on('uncaughtException', (error) => {
    console.error(error);
    process.exit(1);
  });
  return server.listen(port);
}
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
