import type { Base } from '../case.ts';

const config = `const names = ['console', 'process', 'module', 'require', 'setTimeout', 'Function'];
const globals = Object.fromEntries(names.map((name) => [name, 'readonly']));

export default [
  { ignores: ['vendor/**'] },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module', globals },
    rules: {
      eqeqeq: 'error',
      'no-eval': 'error',
      'no-undef': 'error',
      'no-unused-vars': 'error',
      'prefer-const': 'error',
    },
  },
];
`;

const cart = `import { format, round } from './money.js';

const discounts = { gold: 0.2, silver: 0.1 };

export function total(lines, tier) {
  let sum = 0;
  for (const line of lines) sum += line.price * line.count;
  let rate = discounts[tier];
  if (rate == undefined) return round(sum);
  return round(sum * (1 - rate));
}
`;

const manifest = {
  name: 'shop',
  version: '1.0.0',
  private: true,
  type: 'module',
  scripts: { lint: 'eslint .' },
};

/** The shop with three findings of the linter in one file: an unused import, a loose comparison, a constant \`let\`. */
export const eslint: Base = {
  runner: 'eslint',
  files: {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    '.gitignore': 'node_modules/\n.eslintcache\n',
    'README.md': '# shop\n\nA little shop.\n',
    Makefile: 'lint:\n\tnpm run lint\n',
    'eslint.config.mjs': config,
    'src/cart.js': cart,
    'src/money.js': `export function round(amount) {
  return Math.round(amount * 100) / 100;
}

export function format(amount, currency = 'EUR') {
  return round(amount).toFixed(2) + ' ' + currency;
}
`,
    'src/legacy.js': `export function oldTotal(lines) {
  let sum = 0;
  for (const line of lines) sum += line.price * line.count;
  return sum;
}
`,
    'src/index.js': "export { total } from './cart.js';\nexport { format } from './money.js';\n",
  },
  gate: 'npm run lint',
  fix: {
    'src/cart.js': cart
      .replace('import { format, round }', 'import { round }')
      .replace('let rate', 'const rate')
      .replace('rate == undefined', 'rate === undefined'),
  },
  heldOut: { run: 'node', file: 'lint.mjs' },
};
