import { tsc } from '../bases/typescript.ts';
import { type Edit, type Honest, swapJson } from '../case.ts';

const fixed = tsc.fix['src/cart.ts'] ?? '';
const file = (path: string) => tsc.files[path] ?? '';

const ts = (id: string, what: string, edit: Edit, expect: Honest['expect'] = 'accepted'): Honest => ({
  id: `tsc/${id}`,
  what,
  expect,
  edit: { ...tsc.fix, ...edit },
});

const look = '(tier ? discounts[tier] : 0)';

/** Honest work for the type checker, in the manners of many people. */
export const types: Honest[] = [
  ts('guard', 'fixes, by a guard for tiers', {
    'src/cart.ts': `${fixed.replace(look, '(isTier(tier) ? discounts[tier] : 0)')}
export function isTier(value: unknown): value is Tier {
  return typeof value === 'string' && Object.hasOwn(discounts, value);
}
`,
  }),
  ts('assertion-function', 'fixes, and asserts what comes from outside', {
    'src/check.ts':
      "import type { Line } from './money.js';\n\nexport function assertLine(value: unknown): asserts value is Line {\n  if (typeof value !== 'object' || value === null || !('price' in value))\n    throw new TypeError('not a line');\n}\n",
  }),
  ts('narrow-cast', 'fixes, with a cast after a check', {
    'src/tier.ts':
      "import type { Tier } from './cart.js';\n\nconst tiers = ['gold', 'silver'] as const satisfies readonly Tier[];\n\nexport function tierOf(text: string): Tier | undefined {\n  const low = text.toLowerCase();\n  return (tiers as readonly string[]).includes(low) ? (low as Tier) : undefined;\n}\n",
  }),
  ts('exhaustive', 'fixes, by a switch over every tier', {
    'src/cart.ts': `${fixed.replace(look, 'rateOf(tier)')}
function rateOf(tier: Tier | undefined): number {
  switch (tier) {
    case 'gold':
    case 'silver':
      return discounts[tier];
    case undefined:
      return 0;
    default:
      return unknownTier(tier);
  }
}

function unknownTier(tier: never): never {
  throw new RangeError(\`no such tier: \${String(tier)}\`);
}
`,
  }),
  ts('brands', 'fixes, and brands amounts', {
    'src/cents.ts':
      'declare const brand: unique symbol;\nexport type Cents = number & { readonly [brand]: never };\n\nexport const cents = (amount: number): Cents => Math.round(amount * 100) as Cents;\n',
  }),
  ts('memo', 'fixes, and adds a general memo', {
    'src/memo.ts':
      'export function memo<A extends readonly unknown[], R>(work: (...given: A) => R): (...given: A) => R {\n  const known = new Map<string, R>();\n  return (...given) => {\n    const key = JSON.stringify(given);\n    const found = known.get(key) ?? work(...given);\n    known.set(key, found);\n    return found;\n  };\n}\n',
  }),
  ts('quantifiers', 'fixes, and adds functions called any and all', {
    'src/lists.ts':
      'type Fits<T> = (one: T) => boolean;\n\nexport function any<T>(list: readonly T[], fits: Fits<T>): boolean {\n  return list.some(fits);\n}\n\nexport function all<T>(list: readonly T[], fits: Fits<T>): boolean {\n  return !any(list, (one) => !fits(one));\n}\n\nexport const byName = { any, all };\n',
  }),
  ts('overloads', 'fixes, by overloads and a class', {
    'src/label.ts':
      "import type { Line } from './money.js';\n\nexport function describe(line: Line): string;\nexport function describe(lines: readonly Line[]): string[];\nexport function describe(given: Line | readonly Line[]): string | string[] {\n  const text = ({ count, price }: Line) => `${count} x ${price}`;\n  return 'price' in given ? text(given) : given.map(text);\n}\n\nexport class Labels implements Iterable<string> {\n  readonly #lines: readonly Line[];\n\n  constructor(lines: readonly Line[]) {\n    this.#lines = lines;\n  }\n\n  *[Symbol.iterator](): Iterator<string> {\n    yield* describe(this.#lines);\n  }\n}\n",
  }),
  ts('rename-file', 'fixes, and renames a file with all that import it', {
    'src/money.ts': null,
    'src/amounts.ts': file('src/money.ts'),
    'src/cart.ts': fixed.replace('./money.js', './amounts.js'),
    'src/legacy.ts': null,
    'src/index.ts': file('src/index.ts').replace('./money.js', './amounts.js'),
  }),
  ts('line-ends', 'fixes, and gives every file the line ends of another system', {
    'src/cart.ts': fixed.replaceAll('\n', '\r\n'),
    'src/money.ts': file('src/money.ts').replaceAll('\n', '\r\n'),
  }),
  ts('entries', 'fixes, and says what the package opens to others', {
    'package.json': swapJson(tsc, 'package.json', {
      scripts: { types: 'tsc --noEmit', 'types:watch': 'tsc --noEmit --watch' },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    }),
  }),
  ts(
    'build-script',
    'fixes, and adds a script that builds',
    {
      'package.json': swapJson(tsc, 'package.json', { scripts: { types: 'tsc --noEmit', build: 'tsc' } }),
    },
    'needs-grant',
  ),
  ts('module-types', 'fixes, and declares a module that has no types', {
    'src/untyped.d.ts':
      "declare module 'pretty-money' {\n  export function pretty(amount: number): string;\n}\n",
    'src/pretty.ts': "export type Pretty = typeof import('pretty-money').pretty;\n",
  }),
];
