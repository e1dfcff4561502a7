import type { Base } from '../case.ts';

const cart = `import { round, type Line } from './money.js';

export type Tier = 'gold' | 'silver';

const discounts: Record<Tier, number> = { gold: 0.2, silver: 0.1 };

export function total(lines: Line[], tier?: Tier): number {
  const sum = lines.reduce((all, line) => all + line.price * line.count, 0);
  return round(sum * (1 - discounts[tier]));
}

export function label(line: Line): string {
  return line.count * line.price;
}
`;

const fixed = cart
  .replace('discounts[tier]', '(tier ? discounts[tier] : 0)')
  .replace('return line.count * line.price;', 'return `${line.count} x ${line.price}`;');

const manifest = {
  name: 'shop',
  version: '1.0.0',
  private: true,
  type: 'module',
  scripts: { types: 'tsc --noEmit' },
};

const options = {
  target: 'ES2022',
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  noUncheckedIndexedAccess: true,
  types: [],
  outDir: 'dist',
};

/** The shop with two errors of type in one file. */
export const tsc: Base = {
  runner: 'tsc',
  files: {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify({ compilerOptions: options, include: ['src'] }, null, 2)}\n`,
    '.gitignore': 'node_modules/\ndist/\n.cache/\n*.tsbuildinfo\n',
    'README.md': '# shop\n\nA little shop.\n',
    Makefile: 'types:\n\tnpm run types\n',
    'src/cart.ts': cart,
    'src/money.ts': `export interface Line {
  price: number;
  count: number;
}

export function round(amount: number): number {
  return Math.round(amount * 100) / 100;
}

export function format(amount: number, currency = 'EUR'): string {
  return \`\${round(amount).toFixed(2)} \${currency}\`;
}
`,
    'src/legacy.ts': `import type { Line } from './money.js';

export function oldTotal(lines: Line[]): number {
  let sum = 0;
  for (const line of lines) sum += line.price * line.count;
  return sum;
}
`,
    'src/index.ts': "export { label, total } from './cart.js';\nexport { format } from './money.js';\n",
  },
  gate: 'npm run types',
  fix: { 'src/cart.ts': fixed },
  heldOut: { run: 'node', file: 'types.mjs' },
};
