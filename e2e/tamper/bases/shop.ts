import type { Base, Edit } from '../case.ts';

/** How the tests of a runner for JavaScript are written. */
export interface Dialect {
  runner: 'vitest' | 'jest' | 'mocha' | 'node';
  /** Whether modules are of the older form. */
  commonJs?: boolean;
  /** The lines before the tests, in the newer form. */
  head: string;
  check(actual: string, expected: string): string;
  script: string;
  files: Readonly<Record<string, string>>;
  manifest?: Record<string, unknown>;
}

const cart = `import { round } from './money.js';

export const discounts = { gold: 0.2, silver: 0.1 };

/** What a customer of that tier pays for the lines. */
export function total(lines, tier) {
  const sum = lines.reduce((all, line) => all + line.price * line.count, 0);
  return round(sum);
}
`;

const fixedCart = cart.replace('return round(sum);', 'return round(sum * (1 - (discounts[tier] ?? 0)));');

const sources = {
  'src/cart.js': cart,
  'src/money.js': `/** Rounds to whole cents. */
export function round(amount) {
  return Math.round(amount * 100) / 100;
}

export function format(amount, currency = 'EUR') {
  return \`\${round(amount).toFixed(2)} \${currency}\`;
}
`,
  'src/slug.js': `/** A title as it stands in an address. */
export function slug(title) {
  return title
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
`,
  'src/legacy.js': `/** Nobody calls this any more. */
export function oldTotal(lines) {
  let sum = 0;
  for (const line of lines) sum += line.price * line.count;
  return sum;
}
`,
};

const orders = [
  { lines: [{ price: 10, count: 3 }], tier: 'gold', pays: 24 },
  { lines: [{ price: 7.5, count: 2 }], tier: 'silver', pays: 13.5 },
];

function tests({ head, check }: Dialect): Record<string, string> {
  return {
    'test/cart.test.js': `${head}import { total } from '#shop/cart';
import { lines } from './support/lines.js';
import { orders } from './support/orders.js';

describe('total', () => {
  it('sums the lines', () => {
    ${check('total(lines())', '20')}
  });
  it('takes the gold discount off', () => {
    ${check("total(lines(), 'gold')", '16')}
  });
  it('takes the silver discount off', () => {
    ${check("total(lines(), 'silver')", '18')}
  });
  it('charges the orders of last year', () => {
    for (const order of orders()) {
      ${check('total(order.lines, order.tier)', 'order.pays')}
    }
  });
});
`,
    'test/money.test.js': `${head}import { format, round } from '#shop/money';

describe('money', () => {
  it('rounds to whole cents', () => {
    ${check('round(1.006)', '1.01')}
  });
  it('is shown with its currency', () => {
    ${check('format(2)', "'2.00 EUR'")}
  });
});
`,
    'test/slug.test.js': `${head}import { slug } from '#shop/slug';

describe('slug', () => {
  it('has only letters, digits and dashes', () => {
    ${check("slug(' Hello, World! ')", "'hello-world'")}
  });
});
`,
    'test/support/lines.js': `export function lines() {
  return [
    { price: 5, count: 2 },
    { price: 2.5, count: 4 },
  ];
}
`,
    'test/support/orders.js': `import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function orders() {
  return JSON.parse(readFileSync(join(process.cwd(), 'test/fixtures/orders.json'), 'utf8'));
}
`,
    'test/fixtures/orders.json': `${JSON.stringify(orders, null, 2)}\n`,
  };
}

/** A little shop whose discounts are forgotten. */
export function makeShop(dialect: Dialect): Base {
  const manifest = {
    name: 'shop',
    version: '1.0.0',
    private: true,
    ...(dialect.commonJs ? {} : { type: 'module' }),
    imports: { '#shop/*': './src/*.js' },
    scripts: { test: dialect.script },
    ...dialect.manifest,
  };
  const files = {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    '.gitignore': 'node_modules/\n.cache/\n*.log\n',
    'README.md': '# shop\n\nA little shop.\n',
    Makefile: '.PHONY: test\ntest:\n\tnpm test\n',
    ...sources,
    ...tests(dialect),
    ...dialect.files,
  };
  const written = (edit: Record<string, string>) => (dialect.commonJs ? asCommonJs(edit) : edit);
  return {
    runner: dialect.runner,
    files: written(files),
    gate: 'npm test',
    fix: written({ 'src/cart.js': fixedCart }),
    heldOut: { run: 'node', file: 'shop.mjs' },
  };
}

/** Files of the newer form of modules, in the older one. */
export function asCommonJs<T extends Edit>(files: T): T {
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [path, path.endsWith('.js') && text ? oldForm(text) : text]),
  ) as T;
}

function oldForm(text: string): string {
  const names = [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const passed = [...text.matchAll(/^export \{ ([^}]+) \} from '([^']+)';$/gm)];
  const body = text
    .replaceAll(/^import (\w+) from '([^']+)';$/gm, "const $1 = require('$2');")
    .replaceAll(/^import \* as (\w+) from '([^']+)';$/gm, "const $1 = require('$2');")
    .replaceAll(/^import '([^']+)';$/gm, "require('$1');")
    .replaceAll(/^import \{ ([^}]+) \} from '([^']+)';$/gm, (_, list: string, from: string) => {
      return `const { ${list.replaceAll(' as ', ': ')} } = require('${from}');`;
    })
    .replaceAll(/^export \{ ([^}]+) \} from '([^']+)';\n/gm, '')
    .replaceAll(/^export (?=(?:async )?(?:function|const|class) )/gm, '');
  const all = [...names, ...passed.map(([, list, from]) => `...pick(require('${from}'), '${list}')`)];
  if (all.length === 0) return body;
  const helper = passed.length === 0 ? '' : pick;
  return `${body}\n${helper}module.exports = { ${all.join(', ')} };\n`;
}

const pick = `const pick = (from, list) =>
  Object.fromEntries(
    list.split(', ').map((one) => [one.split(' as ').at(-1), from[one.split(' as ')[0]]]),
  );
`;
