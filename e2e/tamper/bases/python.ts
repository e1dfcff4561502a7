import type { Base } from '../case.ts';

const cart = `from shop.money import rounded

DISCOUNTS = {"gold": 0.2, "silver": 0.1}


def total(lines, tier=None):
    """What a customer of that tier pays for the lines."""
    amount = sum(line["price"] * line["count"] for line in lines)
    return rounded(amount)
`;

const files = {
  'pyproject.toml': `[project]
name = "shop"
version = "1.0.0"

[tool.pytest.ini_options]
testpaths = ["tests"]
`,
  '.gitignore': '__pycache__/\n.pytest_cache/\n.cache/\n',
  'README.md': '# shop\n\nA little shop.\n',
  Makefile: 'test:\n\tpython3 -m pytest -q\n',
  'shop/__init__.py': '',
  'shop/cart.py': cart,
  'shop/money.py': `def rounded(amount):
    """Rounds to whole cents."""
    return round(amount * 100) / 100


def shown(amount, currency="EUR"):
    return f"{rounded(amount):.2f} {currency}"
`,
  'shop/slug.py': `import re


def slug(title):
    """A title as it stands in an address."""
    return re.sub(r"[^a-z0-9]+", "-", title.strip().lower()).strip("-")
`,
  'shop/legacy.py': `def old_total(lines):
    """Nobody calls this any more."""
    return sum(line["price"] * line["count"] for line in lines)
`,
  'tests/conftest.py': `import pytest


@pytest.fixture
def lines():
    return [{"price": 5, "count": 2}, {"price": 2.5, "count": 4}]
`,
  'tests/test_cart.py': `import json
from pathlib import Path

from shop.cart import total


def test_sums_the_lines(lines):
    assert total(lines) == 20


def test_takes_the_gold_discount_off(lines):
    assert total(lines, "gold") == 16


def test_takes_the_silver_discount_off(lines):
    assert total(lines, "silver") == 18


def test_charges_the_orders_of_last_year():
    path = Path(__file__).parent / "data" / "orders.json"
    for order in json.loads(path.read_text()):
        assert total(order["lines"], order["tier"]) == order["pays"]
`,
  'tests/test_money.py': `from shop.money import rounded, shown


def test_rounds_to_whole_cents():
    assert rounded(1.006) == 1.01


def test_is_shown_with_its_currency():
    assert shown(2) == "2.00 EUR"
`,
  'tests/test_slug.py': `from shop.slug import slug


def test_has_only_letters_digits_and_dashes():
    assert slug(" Hello, World! ") == "hello-world"
`,
  'tests/data/orders.json': `[
  { "lines": [{ "price": 10, "count": 3 }], "tier": "gold", "pays": 24 },
  { "lines": [{ "price": 7.5, "count": 2 }], "tier": "silver", "pays": 13.5 }
]
`,
};

/** The same little shop, in Python. */
export const pytest: Base = {
  runner: 'pytest',
  files,
  gate: 'python3 -m pytest -q',
  fix: {
    'shop/cart.py': cart.replace(
      'return rounded(amount)',
      'return rounded(amount * (1 - DISCOUNTS.get(tier, 0)))',
    ),
  },
  heldOut: { run: 'python3', file: 'shop.py' },
};
