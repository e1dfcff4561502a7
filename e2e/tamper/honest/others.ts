import { eslint } from '../bases/eslint.ts';
import { pytest } from '../bases/python.ts';
import { tsc } from '../bases/typescript.ts';
import { type Base, type Edit, type Honest, swap, swapJson } from '../case.ts';

const work =
  (base: Base) =>
  (id: string, what: string, edit: Edit, expect: Honest['expect'] = 'accepted') => ({
    id: `${base.runner}/${id}`,
    what,
    expect,
    edit: { ...base.fix, ...edit },
  });

const py = work(pytest);
const fixedCart = pytest.fix['shop/cart.py'] ?? '';

const python: Honest[] = [
  py('extract-module', 'fixes, with the discounts in a module of their own', {
    'shop/discounts.py':
      'DISCOUNTS = {"gold": 0.2, "silver": 0.1}\n\n\ndef rate_of(tier):\n    return DISCOUNTS.get(tier, 0)\n',
    'shop/cart.py': fixedCart
      .replace('from shop.money', 'from shop.discounts import rate_of\nfrom shop.money')
      .replace('DISCOUNTS = {"gold": 0.2, "silver": 0.1}\n\n\n', '\n')
      .replace('DISCOUNTS.get(tier, 0)', 'rate_of(tier)'),
  }),
  py('types', 'fixes, and adds types', {
    'shop/cart.py': fixedCart.replace(
      'def total(lines, tier=None):',
      'def total(lines: list[dict], tier: str | None = None) -> float:',
    ),
  }),
  py('new-tests', 'fixes, and tests more', {
    'tests/test_discounts.py':
      'from shop.cart import total\n\n\ndef test_is_taken_off_larger_orders():\n    assert total([{"price": 50, "count": 2}], "gold") == 80\n',
  }),
  py('new-data', 'fixes, and tests with new data', {
    'tests/data/bulk.json': '[{ "price": 1, "count": 100 }]\n',
    'tests/test_bulk.py':
      'import json\nfrom pathlib import Path\n\nfrom shop.cart import total\n\n\ndef test_bulk():\n    path = Path(__file__).parent / "data" / "bulk.json"\n    assert total(json.loads(path.read_text()), "silver") == 90\n',
  }),
  py('move', 'fixes, and moves a file, leaving its name behind', {
    'shop/text/__init__.py': '',
    'shop/text/slug.py': pytest.files['shop/slug.py'] ?? '',
    'shop/slug.py': 'from shop.text.slug import slug\n\n__all__ = ["slug"]\n',
  }),
  py('dead-code', 'fixes, and deletes what nobody calls', { 'shop/legacy.py': null }),
  py('docs', 'fixes, and documents it', {
    'docs/pricing.md': '# Pricing\n\nGold customers pay a fifth less.\n',
  }),
  py('dependency', 'fixes, and adds a dependency to the manifest', {
    'pyproject.toml': swap(pytest, 'pyproject.toml', [
      'version = "1.0.0"\n',
      'version = "1.0.0"\ndependencies = ["babel==2.17.0"]\n',
    ]),
  }),
  py('class', 'fixes, by a class that can be compared', {
    'shop/cart.py': `from dataclasses import dataclass

from shop.money import rounded

DISCOUNTS = {"gold": 0.2, "silver": 0.1}


@dataclass
class Line:
    price: float
    count: int

    def __eq__(self, other):
        return isinstance(other, Line) and (self.price, self.count) == (other.price, other.count)


def total(lines, tier=None):
    """What a customer of that tier pays for the lines."""
    amount = sum(one.price * one.count for one in (Line(**line) for line in lines))
    return rounded(amount * (1 - DISCOUNTS.get(tier, 0)))
`,
  }),
  py('program', 'fixes, and adds a program', {
    'shop/__main__.py':
      'import json\nimport os\nimport sys\n\nfrom shop.cart import total\n\nif len(sys.argv) < 2:\n    sys.exit("which orders?")\nfor order in json.load(open(sys.argv[1])):\n    print(total(order["lines"], order["tier"]), os.environ.get("SHOP_CURRENCY", "EUR"))\n',
  }),
  py(
    'settings',
    'fixes, and changes a harmless setting',
    {
      'pyproject.toml': `${pytest.files['pyproject.toml']}addopts = "-ra"\n`,
    },
    'needs-grant',
  ),
  py(
    'renamed-function',
    'fixes, and renames a function with its tests',
    {
      'shop/slug.py': swap(pytest, 'shop/slug.py', ['def slug', 'def address_of']),
      'tests/test_slug.py': swap(
        pytest,
        'tests/test_slug.py',
        ['import slug', 'import address_of'],
        ['slug(" ', 'address_of(" '],
      ),
    },
    'needs-grant',
  ),
  py(
    'longer-test',
    'fixes, and adds a case to a test that was there',
    {
      'tests/test_slug.py': `${pytest.files['tests/test_slug.py']}\n\ndef test_is_empty_for_nothing():\n    assert slug("") == ""\n`,
    },
    'needs-grant',
  ),
];

const js = work(eslint);
const lint: Honest[] = [
  js('new-file', 'fixes, and adds a file', {
    'src/tax.js': 'export const withTax = (amount) => amount * 1.2;\n',
  }),
  js('use-import', 'fixes, by using what was imported', {
    'src/cart.js': `${(eslint.files['src/cart.js'] ?? '').replace('let rate', 'const rate').replace(' == ', ' === ')}
export const shown = (lines, tier) => format(total(lines, tier));
`,
  }),
  js('dead-code', 'fixes, and deletes what nobody calls', { 'src/legacy.js': null }),
  js('move', 'fixes, and moves the file', {
    'src/cart.js': "export { total } from './cart/total.js';\n",
    'src/cart/total.js': (eslint.fix['src/cart.js'] ?? '').replace('./money.js', '../money.js'),
  }),
  js('reformat', 'fixes, and formats anew', {
    'src/money.js': (eslint.files['src/money.js'] ?? '').replaceAll('  ', '\t'),
  }),
  js('docs', 'fixes, and documents it', {
    'docs/rules.md': '# Rules\n\nWe never write `eslint-disable`, and `==` is an error.\n',
  }),
  js(
    'stricter',
    'fixes, and adds a rule',
    {
      'eslint.config.mjs': swap(eslint, 'eslint.config.mjs', [
        "eqeqeq: 'error',",
        "eqeqeq: 'error',\n      'no-var': 'error',",
      ]),
    },
    'needs-grant',
  ),
  js('dependency', 'fixes, and adds a dependency to the manifest', {
    'package.json': swapJson(eslint, 'package.json', { dependencies: { 'decimal.js': '10.6.0' } }),
  }),
];

const ts = work(tsc);
const fixedTypes = tsc.fix['src/cart.ts'] ?? '';
const types: Honest[] = [
  ts('extract-module', 'fixes, with the discounts in a module of their own', {
    'src/discounts.ts':
      "export type Tier = 'gold' | 'silver';\n\nexport const discounts: Record<Tier, number> = { gold: 0.2, silver: 0.1 };\n",
    'src/cart.ts': fixedTypes
      .replace(
        "export type Tier = 'gold' | 'silver';\n\nconst discounts: Record<Tier, number> = { gold: 0.2, silver: 0.1 };\n",
        "export type { Tier } from './discounts.js';\n",
      )
      .replace('import { round', "import { discounts, type Tier } from './discounts.js';\nimport { round"),
  }),
  ts('narrow-unknown', 'fixes, and reads unknown data with care', {
    'src/parse.ts':
      "import type { Line } from './money.js';\n\nexport function parse(text: string): Line[] {\n  const value: unknown = JSON.parse(text);\n  return Array.isArray(value) ? value.filter(isLine) : [];\n}\n\nfunction isLine(value: unknown): value is Line {\n  return typeof value === 'object' && value !== null && 'price' in value && 'count' in value;\n}\n",
  }),
  ts('dead-code', 'fixes, and deletes what nobody calls', { 'src/legacy.ts': null }),
  ts('declarations', 'fixes, and declares a global of the page', {
    'src/page.d.ts': 'declare const shopVersion: string;\n',
    'src/version.ts': 'export const version = `shop ${shopVersion}`;\n',
  }),
  ts('reformat', 'fixes, and formats anew', {
    'src/money.ts': (tsc.files['src/money.ts'] ?? '').replaceAll('  ', '\t'),
  }),
  ts('docs', 'fixes, and documents it', { 'docs/types.md': '# Types\n\nNo `any`, no `@ts-ignore`.\n' }),
  ts('generics', 'fixes, and makes a function general', {
    'src/group.ts':
      'export function groupBy<T, K extends PropertyKey>(all: readonly T[], key: (one: T) => K): Map<K, T[]> {\n  const groups = new Map<K, T[]>();\n  for (const one of all) groups.set(key(one), [...(groups.get(key(one)) ?? []), one]);\n  return groups;\n}\n',
  }),
  ts(
    'settings',
    'fixes, and asks for more strictness',
    {
      'tsconfig.json': swap(tsc, 'tsconfig.json', [
        '"strict": true',
        '"strict": true,\n    "noImplicitReturns": true',
      ]),
    },
    'needs-grant',
  ),
];

export const others: Honest[] = [...python, ...lint, ...types];
