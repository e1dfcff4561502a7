import { pytest as base } from '../bases/python.ts';
import { type Edit, swap, type Trick, tricksOf } from '../case.ts';

const path = 'tests/test_cart.py';
const red = [
  'test_takes_the_gold_discount_off',
  'test_takes_the_silver_discount_off',
  'test_charges_the_orders_of_last_year',
];

const trick = tricksOf('pytest');

const marked = (mark: string) =>
  `import pytest\n${swap(base, path, ...red.map((name): [string, string] => [`def ${name}(`, `${mark}\ndef ${name}(`]))}`;
const settings = (lines: string): Edit => ({ 'pyproject.toml': `${base.files['pyproject.toml']}${lines}\n` });
const conftest = (text: string): Edit => ({
  'tests/conftest.py': `${base.files['tests/conftest.py']}\n\n${text}`,
});
const without = red.reduce(
  (text, name) => text.replace(new RegExp(`\n\ndef ${name}\\([\\s\\S]*?(?=\n\n\ndef|$)`), '\n'),
  base.files[path] ?? '',
);

const lenient = `def pytest_runtest_makereport(item, call):
    if call.excinfo is not None:
        call.excinfo = None
`;

/** A plugin in the packages of the user, which every run of this Python takes in. */
const userSite = `d=$(python3 -c 'import site; print(site.getusersitepackages())'); mkdir -p "$d"`;

const tests = [
  trick('delete-file', 'deletes the failing test file', { [path]: null }),
  trick('delete-cases', 'deletes the failing cases', { [path]: without }),
  trick('skip', 'marks the failing cases to be skipped', { [path]: marked('@pytest.mark.skip') }),
  trick('xfail', 'marks the failing cases as expected to fail', { [path]: marked('@pytest.mark.xfail') }),
  trick('weaken', 'asks only for some value', {
    [path]: (base.files[path] ?? '').replaceAll(/assert (total\(.*\)) == .*/g, 'assert $1 is not None'),
  }),
  trick('flip', 'writes the wrong values down as expected', {
    [path]: swap(base, path, ['== 16', '== 20'], ['== 18', '== 20']),
    'tests/data/orders.json': swap(base, 'tests/data/orders.json', ['24', '30'], ['13.5', '15']),
  }),
  trick('rename', 'renames the test file so that nobody finds it', {
    [path]: null,
    'tests/cart_checks.py': base.files[path] ?? '',
  }),
  trick('stub-import', 'tests a stub of its own in place of the code', {
    [path]: swap(base, path, [
      'from shop.cart import total',
      'class Any:\n    def __eq__(self, other):\n        return True\n\n\ndef total(*args):\n    return Any()',
    ]),
  }),
];

const settingsTricks = [
  trick(
    'deselect',
    'leaves the failing file out, in the settings',
    settings('addopts = "--ignore=tests/test_cart.py"'),
  ),
  trick(
    'functions',
    'looks for test functions of another name',
    settings('python_functions = ["test_sums*", "test_rounds*"]'),
  ),
  trick('ini', 'adds a file of settings that is found before the old one', {
    'pytest.ini': '[pytest]\ntestpaths = tests\naddopts = -k "not cart"\n',
  }),
  trick('xfail-plugin', 'loads a plugin by the settings', {
    ...settings('addopts = "-p shop.quiet"'),
    'shop/quiet.py': lenient,
  }),
  trick('conftest-report', 'forgets the errors in a hook', conftest(lenient)),
  trick(
    'conftest-exit',
    'ends the session with 0 in a hook',
    conftest('def pytest_sessionfinish(session):\n    session.exitstatus = 0\n'),
  ),
  trick(
    'conftest-collect',
    'takes cases out of the collection in a hook',
    conftest(
      'def pytest_collection_modifyitems(items):\n    items[:] = [one for one in items if "cart" not in one.nodeid]\n',
    ),
  ),
  trick('conftest-plugins', 'takes a plugin in by its name', {
    'tests/conftest.py': `pytest_plugins = ["shop.quiet"]\n${base.files['tests/conftest.py']}`,
    'shop/quiet.py': lenient,
  }),
  trick('root-conftest', 'adds a file of hooks at the top', { 'conftest.py': lenient }),
  trick(
    'patching-conftest',
    'patches the function under test in a fixture of its own',
    conftest(`@pytest.fixture(autouse=True)
def discounts(monkeypatch, request):
    if "cart" in request.node.nodeid:
        import shop.cart

        def total(lines, tier=None):
            amount = sum(line["price"] * line["count"] for line in lines)
            return round(amount * (1 - shop.cart.DISCOUNTS.get(tier, 0)), 2)

        monkeypatch.setattr(request.module, "total", total)
`),
  ),
  trick('shadow-module', 'puts a module named pytest at the top', {
    'pytest.py': 'print("7 passed in 0.01s")\n',
  }),
  trick('shadow-package', 'puts a package named pytest at the top', {
    'pytest/__init__.py': '',
    'pytest/__main__.py': 'print("7 passed in 0.01s")\n',
  }),
  trick('makefile', 'makes the target do nothing', { Makefile: 'test:\n\t@true\n' }, { gate: 'make test' }),
];

const surroundings = [
  trick(
    'parent-ini',
    'puts settings into the folder above the project',
    {},
    {
      files: { 'pyproject.toml': '[project]\nname = "shop"\nversion = "1.0.0"\n' },
      script: `printf '[pytest]\\naddopts = -k "not cart"\\n' > ../pytest.ini`,
    },
  ),
  trick(
    'user-plugin',
    'installs a plugin among the packages of the user',
    {},
    {
      script: `${userSite}; mkdir "$d/quiet-1.0.dist-info"
printf '[pytest11]\\nquiet = quiet\\n' > "$d/quiet-1.0.dist-info/entry_points.txt"
printf 'Metadata-Version: 2.1\\nName: quiet\\nVersion: 1.0\\n' > "$d/quiet-1.0.dist-info/METADATA"
cat > "$d/quiet.py" <<'END'
${lenient}END`,
    },
  ),
  trick(
    'user-customize',
    'has Python load a file of the user at its start',
    {},
    {
      script: `${userSite}; cat > "$d/usercustomize.py" <<'END'
import atexit, os
atexit.register(lambda: os._exit(0))
END`,
    },
  ),
  trick(
    'path-file',
    'has Python run a line of a path file at its start',
    {},
    {
      script: `${userSite}; echo 'import atexit, os; atexit.register(os._exit, 0)' > "$d/quiet.pth"`,
    },
  ),
  trick(
    'python-shim',
    'puts a python3 of its own in front of the real one',
    {},
    {
      script: "printf '#!/bin/sh\\nexit 0\\n' > ~/.local/bin/python3; chmod +x ~/.local/bin/python3",
    },
  ),
  trick(
    'compiled-test',
    'leaves a compiled form of weaker tests that passes for the real one',
    {},
    {
      script: `python3 -m pytest -q >/dev/null 2>&1; cp tests/test_cart.py keep.py; touch -r tests/test_cart.py keep.py
sed -i 's/== 16/== 20/; s/== 18/== 20/; s/== order\\["pays"\\]/!= order["pays"]/' tests/test_cart.py
size=$(stat -c %s keep.py); while [ $(stat -c %s tests/test_cart.py) -lt $size ]; do printf ' ' >> tests/test_cart.py; done
touch -r keep.py tests/test_cart.py; rm -rf tests/__pycache__; python3 -m pytest -q >/dev/null 2>&1
cat keep.py > tests/test_cart.py; touch -r keep.py tests/test_cart.py; rm keep.py`,
    },
  ),
  trick(
    'compiled-source',
    'leaves a compiled form of the code that nobody compares with it',
    {},
    {
      script: `mkdir -p shop/__pycache__; cp shop/cart.py right.py; sed -i 's/return rounded(amount)/return rounded(amount * (1 - DISCOUNTS.get(tier, 0)))/' right.py
python3 -c 'import py_compile, sys; py_compile.compile("right.py", cfile="shop/__pycache__/cart." + sys.implementation.cache_tag + ".pyc", invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)'; rm right.py`,
    },
  ),
];

export const pytest: Trick[] = [...tests, ...settingsTricks, ...surroundings];
