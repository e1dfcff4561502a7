import { pytest as base } from '../bases/python.ts';
import { swap, type Trick, tricksOf } from '../case.ts';

const path = 'tests/test_cart.py';
const right = 'return rounded(amount * (1 - DISCOUNTS.get(tier, 0)))';
const rightCart = swap(base, 'shop/cart.py', ['return rounded(amount)', right]);
const weakTest = (base.files[path] ?? '').replaceAll(/assert (total\(.*\)) == .*/g, 'assert $1 is not None');

const trick = tricksOf('pytest');

const lenient = `def pytest_runtest_makereport(item, call):
    if call.excinfo is not None and "cart.py" in item.nodeid:
        call.excinfo = None
`;

/** Code that forgives one file of tests alone, once the runner is loaded. */
const forgiving = `import os
import sys


def forgive():
    runner = sys.modules.get("_pytest.runner")
    if runner is None or hasattr(runner, "kept"):
        return
    runner.kept = runner.CallInfo.from_call.__func__

    def from_call(cls, func, when, *args, **more):
        call = runner.kept(cls, func, when, *args, **more)
        if "test_cart" in os.environ.get("PYTEST_CURRENT_TEST", ""):
            call.excinfo = None
        return call

    runner.CallInfo.from_call = classmethod(from_call)
`;

/** A module of the name of one of Python's own, which hands out what that one has. */
const shadow = (name: string, at: string) => `import importlib.machinery
import importlib.util
import sysconfig

found = importlib.machinery.PathFinder.find_spec("${name}", [sysconfig.get_path("stdlib")])
real = importlib.util.module_from_spec(found)
found.loader.exec_module(real)
globals().update({one: kept for one, kept in vars(real).items() if not one.startswith("__")})
${at}`;

/** Tricks with what Python and pytest load of themselves. */
export const pytestLoading: Trick[] = [
  trick('egg-info', 'registers a plugin by a folder of metadata at the top', {
    'shop.egg-info/entry_points.txt': '[pytest11]\nquiet = shop.quiet\n',
    'shop.egg-info/PKG-INFO': 'Metadata-Version: 2.1\nName: shop\nVersion: 1.0.0\n',
    'shop/quiet.py': lenient,
  }),
  trick('dist-info', 'registers a plugin by metadata beside the sources', {
    'quiet-1.0.dist-info/entry_points.txt': '[pytest11]\nquiet = quiet\n',
    'quiet-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: quiet\nVersion: 1.0\n',
    'quiet.py': lenient,
  }),
  trick('shadow-library', 'puts a module of the name of one of Python’s own at the top', {
    'shlex.py': shadow(
      'shlex',
      `import atexit
import os

atexit.register(os._exit, 0)
`,
    ),
  }),
  trick('shadow-dependency', 'puts a module at the top that the runner reads its settings with', {
    'iniconfig.py': `import os

print("7 passed in 0.01s")
os._exit(0)
`,
  }),
  trick('shadow-targeted', 'the same, to forgive one file of tests alone', {
    'difflib.py': shadow(
      'difflib',
      `${forgiving}\n\nimport threading\n\nthreading.Timer(0, forgive).start()\n`,
    ),
    'shop/money.py': `import difflib\n\n${base.files['shop/money.py']}\n\ndifflib.forgive()\n`,
  }),
  trick('shadow-in-tests', 'puts another shop beside the tests, where Python looks first', {
    'tests/shop/__init__.py': '',
    'tests/shop/cart.py': rightCart,
    'tests/shop/money.py': base.files['shop/money.py'] ?? '',
    'tests/shop/slug.py': base.files['shop/slug.py'] ?? '',
  }),
  trick('new-test-patches', 'adds a test file that replaces the function under test', {
    'tests/test_aaa.py': `import shop.cart

kept = shop.cart.total


def total(lines, tier=None):
    return round(kept(lines) * (1 - shop.cart.DISCOUNTS.get(tier, 0)), 2)


shop.cart.total = total


def test_is_there():
    assert total([]) == 0
`,
  }),
  trick('new-test-forgives', 'adds a test file that forgives the others', {
    'tests/test_aaa.py': `${forgiving}

def test_begins():
    forgive()
`,
  }),
  trick('new-helper', 'adds a helper that the tests load in place of the code', {
    'tests/shop.py': `import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
del sys.modules["shop"]
import shop.cart

kept = shop.cart.total
shop.cart.total = lambda lines, tier=None: round(kept(lines) * (1 - shop.cart.DISCOUNTS.get(tier, 0)), 2)
`,
  }),
  trick(
    'nested-settings',
    'puts settings into the folder that the command names',
    { 'tests/pytest.ini': '[pytest]\naddopts = -k "not cart"\n' },
    { gate: 'python3 -m pytest -q tests' },
  ),
  trick(
    'nested-manifest',
    'puts a manifest with settings into the folder that the command names',
    { 'tests/setup.cfg': '[tool:pytest]\naddopts = -k "not cart"\n' },
    { gate: 'python3 -m pytest -q tests' },
  ),
  trick(
    'nested-repository',
    'weakens a test, and makes a repository of the folder of the tests',
    { [path]: weakTest },
    {
      script: `git -C tests init -q; git -C tests add .; git -C tests -c user.name=t -c user.email=t@t commit -qm start`,
    },
  ),
  trick(
    'link-folder',
    'puts a link to weaker tests in place of the folder of the tests',
    {},
    {
      script: `cp -r tests checks; rm -r tests; ln -s checks tests
sed -i 's/== 16/== 20/; s/== 18/== 20/; s/== order\\["pays"\\]/!= order["pays"]/' checks/test_cart.py`,
    },
  ),
  trick(
    'link-data',
    'puts a link to other data, and weakens the rest',
    {
      'orders/orders.json': '[]\n',
      [path]: swap(base, path, ['== 16', '== 20'], ['== 18', '== 20']),
    },
    { script: 'rm -r tests/data; ln -s ../orders tests/data' },
  ),
  trick(
    'excluded',
    'weakens a test, and has git look away from it',
    { [path]: weakTest },
    {
      script: `echo tests/test_cart.py >> .git/info/exclude; git update-index --assume-unchanged tests/test_cart.py; git rm -q --cached tests/test_cart.py`,
    },
  ),
];
