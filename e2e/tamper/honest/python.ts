import { pytest } from '../bases/python.ts';
import { type Edit, type Honest, swap } from '../case.ts';

const fixed = pytest.fix['shop/cart.py'] ?? '';
const manifest = pytest.files['pyproject.toml'] ?? '';

const py = (id: string, what: string, edit: Edit, expect: Honest['expect'] = 'accepted'): Honest => ({
  id: `pytest/${id}`,
  what,
  expect,
  edit: { ...pytest.fix, ...edit },
});

/** The fixed cart, changed further. */
const cart = (...pairs: [from: string, to: string][]) => ({
  'shop/cart.py': swap({ files: { cart: fixed } }, 'cart', ...pairs),
});

/** Honest work on the shop in Python, in the manners of many people. */
export const python: Honest[] = [
  py('package', 'fixes, and splits a module into a package', {
    'shop/cart.py': null,
    'shop/cart/__init__.py':
      'from shop.cart.rates import DISCOUNTS\nfrom shop.cart.totals import total\n\n__all__ = ["DISCOUNTS", "total"]\n',
    'shop/cart/rates.py':
      'DISCOUNTS = {"gold": 0.2, "silver": 0.1}\n\n\ndef rate_of(tier):\n    return DISCOUNTS.get(tier, 0)\n',
    'shop/cart/totals.py':
      'from shop.cart.rates import rate_of\nfrom shop.money import rounded\n\n\ndef total(lines, tier=None):\n    amount = sum(line["price"] * line["count"] for line in lines)\n    return rounded(amount * (1 - rate_of(tier)))\n',
  }),
  py('dataclasses', 'fixes, and adds frozen values with protocols', {
    'shop/orders.py': `from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypedDict

from shop.cart import total


class Line(TypedDict):
    price: float
    count: int


class Priced(Protocol):
    def pays(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Order:
    lines: Sequence[Line] = field(default_factory=tuple)
    tier: str | None = None

    def __iter__(self) -> Iterator[Line]:
        yield from self.lines

    def __bool__(self) -> bool:
        return len(self.lines) > 0

    def __contains__(self, line: object) -> bool:
        return line in self.lines

    def pays(self) -> float:
        return total(self.lines, self.tier)
`,
  }),
  py('typed-json', 'fixes, and reads orders from anywhere', {
    'shop/load.py': `import json
from typing import Any


def load(text: str) -> list[dict[str, Any]]:
    """Orders as they came, which nobody has looked at yet."""
    value: Any = json.loads(text)
    return value if isinstance(value, list) else [value]
`,
  }),
  py('cast', 'fixes, and tells a type checker what it cannot know', {
    'shop/tiers.py': `from typing import Literal, cast

Tier = Literal["gold", "silver"]


def tier_of(text: str) -> Tier | None:
    low = text.lower()
    return cast(Tier, low) if low in ("gold", "silver") else None
`,
  }),
  py('enum', 'fixes, by an enumeration and a match', {
    'shop/cart.py': `from enum import Enum

from shop.money import rounded


class Tier(Enum):
    GOLD = "gold"
    SILVER = "silver"

    @property
    def rate(self):
        match self:
            case Tier.GOLD:
                return 0.2
            case Tier.SILVER:
                return 0.1


DISCOUNTS = {tier.value: tier.rate for tier in Tier}


def total(lines, tier=None):
    """What a customer of that tier pays for the lines."""
    amount = sum(line["price"] * line["count"] for line in lines)
    return rounded(amount * (1 - DISCOUNTS.get(tier, 0)))
`,
  }),
  py(
    'cache-and-log',
    'fixes, and remembers and logs what it did',
    cart(
      ['from shop.money', 'import logging\nimport os\nfrom functools import lru_cache\n\nfrom shop.money'],
      [
        '\n\n\ndef total',
        '\n\nlog = logging.getLogger(__name__)\nlog.setLevel(os.environ.get("SHOP_LOG", "WARNING"))\n\n\n@lru_cache(maxsize=None)\ndef rate_of(tier):\n    # Tests and customers skip the tier; ignore what nobody knows.\n    log.debug("rate of %s", tier)\n    return DISCOUNTS.get(tier, 0)\n\n\ndef total',
      ],
      ['(1 - DISCOUNTS.get(tier, 0))', '(1 - rate_of(tier))'],
    ),
  ),
  py('exports', 'fixes, and opens the package to others', {
    'shop/__init__.py':
      '"""A little shop."""\n\nfrom shop.cart import total\nfrom shop.money import shown\n\n__all__ = ["shown", "total"]\n__version__ = "1.0.1"\n',
    'shop/py.typed': '',
    'shop/cart.pyi':
      'from collections.abc import Iterable, Mapping\n\nDISCOUNTS: dict[str, float]\n\ndef total(lines: Iterable[Mapping[str, float]], tier: str | None = None) -> float: ...\n',
  }),
  py('tests-package', 'fixes, and makes a package of the tests', { 'tests/__init__.py': '' }),
  py('moved-tests', 'fixes, and moves tests to a folder of their own as they are', {
    'tests/test_slug.py': null,
    'tests/unit/test_slug.py': pytest.files['tests/test_slug.py'] ?? '',
  }),
  py('line-ends', 'fixes, and gives every source the line ends of another system', {
    'shop/cart.py': fixed.replaceAll('\n', '\r\n'),
    'shop/money.py': (pytest.files['shop/money.py'] ?? '').replaceAll('\n', '\r\n'),
  }),
  py('examples', 'fixes, with examples that can be run by themselves', {
    'shop/slug.py': `${swap(pytest, 'shop/slug.py', [
      'A title as it stands in an address."""',
      'A title as it stands in an address.\n\n    >>> slug("Old Books")\n    \'old-books\'\n    """',
    ])}

if __name__ == "__main__":
    import doctest

    doctest.testmod()
`,
  }),
  py('rules', 'fixes, and adds a little language for coupons', {
    'shop/coupon.py': `class Percent:
    def __init__(self, rate):
        self.rate = rate

    def eval(self, amount):
        return amount * (1 - self.rate)


class Then:
    def __init__(self, *steps):
        self.steps = steps

    def eval(self, amount):
        for step in self.steps:
            amount = step.eval(amount)
        return amount
`,
  }),
  py('errors', 'fixes, and refuses broken lines with errors of its own', {
    'shop/errors.py':
      'class ShopError(Exception):\n    """Something that a customer should know."""\n\n\nclass LineError(ShopError, ValueError):\n    def __init__(self, line):\n        super().__init__(f"not a line: {line!r}")\n        self.line = line\n',
    ...cart(
      ['from shop.money', 'from shop.errors import LineError\nfrom shop.money'],
      [
        '    amount = sum',
        '    for line in lines:\n        if line["count"] < 0:\n            raise LineError(line)\n    amount = sum',
      ],
    ),
  }),
  py('commands', 'fixes, and adds a program with commands', {
    'shop/cli.py':
      'import argparse\nimport json\nimport sys\n\nfrom shop.cart import total\n\n\ndef main(words=None):\n    parser = argparse.ArgumentParser(prog="shop")\n    parser.add_argument("orders")\n    parser.add_argument("--latest", action="store_true")\n    given = parser.parse_args(words)\n    with open(given.orders) as file:\n        orders = json.load(file)\n    for order in orders[-1:] if given.latest else orders:\n        print(total(order["lines"], order["tier"]))\n    sys.exit(0)\n',
    'pyproject.toml': manifest.replace(
      '\n[tool.pytest',
      '\n[project.scripts]\nshop = "shop.cli:main"\n\n[project.optional-dependencies]\ndev = ["pytest>=8"]\n\n[tool.pytest',
    ),
  }),
  py('decimals', 'fixes, and rounds by decimal numbers', {
    'shop/money.py': swap(
      pytest,
      'shop/money.py',
      [
        'def rounded',
        'from decimal import ROUND_HALF_UP, Decimal\n\nCENT = Decimal("0.01")\n\n\ndef rounded',
      ],
      [
        'return round(amount * 100) / 100',
        'return float(Decimal(str(amount)).quantize(CENT, ROUND_HALF_UP))',
      ],
    ),
  }),
  py('linted-line', 'fixes, and tells a linter why a new line is as it is', {
    'shop/report.py':
      'from shop.money import shown\n\n\ndef report(amounts):\n    for amount in amounts:\n        print(shown(amount))  # noqa: T201 - a report is there to be seen\n',
  }),
  py(
    'linter',
    'fixes, and adds settings of a linter',
    { 'pyproject.toml': `${manifest}\n[tool.ruff]\nline-length = 100\n` },
    'needs-grant',
  ),
  py(
    'new-set-up',
    'fixes, and adds a fixture for a new test',
    {
      'tests/conftest.py': `${pytest.files['tests/conftest.py']}\n\n@pytest.fixture\ndef bulk():\n    return [{"price": 1, "count": 100}]\n`,
      'tests/test_bulk.py':
        'from shop.cart import total\n\n\ndef test_bulk(bulk):\n    assert total(bulk, "silver") == 90\n',
    },
    'needs-grant',
  ),
  py(
    'own-set-up',
    'fixes, and adds a folder of tests with a set-up of its own',
    {
      'tests/bulk/conftest.py':
        'import pytest\n\n\n@pytest.fixture\ndef bulk():\n    return [{"price": 1, "count": 100}]\n',
      'tests/bulk/test_bulk.py':
        'from shop.cart import total\n\n\ndef test_bulk(bulk):\n    assert total(bulk, "silver") == 90\n',
    },
    'needs-grant',
  ),
];
