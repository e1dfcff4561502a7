import { describe, expect, it } from 'vitest';
import { type Files, makeBed } from './testing.ts';

const bed = makeBed();
const unittest = 'import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n';

describe('Python', () => {
  const cases: [string, Files, string[]][] = [
    [
      'pytest that pyproject.toml configures',
      { 'pyproject.toml': '[tool.pytest.ini_options]\n' },
      ['tests: python -m pytest -q'],
    ],
    [
      'pytest that pyproject.toml names, with tests there',
      { 'pyproject.toml': '[project]\ndependencies = ["pytest>=8"]\n', 'tests/test_a.py': unittest },
      ['tests: python -m pytest -q'],
    ],
    ['pytest.ini', { 'pytest.ini': '[pytest]\n' }, ['tests: python -m pytest -q']],
    ['pytest in setup.cfg', { 'setup.cfg': '[tool:pytest]\n' }, ['tests: python -m pytest -q']],
    ['pytest in tox.ini', { 'tox.ini': '[testenv]\n[pytest]\n' }, ['tests: python -m pytest -q']],
    ['tox where nothing else shows tests', { 'tox.ini': '[testenv]\n' }, ['tests: tox -q']],
    [
      'pytest by requirements',
      { 'requirements-dev.txt': 'pytest==8\n', 'test_a.py': unittest },
      ['tests: python -m pytest -q'],
    ],
    [
      'pytest by the way a test is written',
      { 'tests/test_a.py': 'def test_a():\n  assert 1\n' },
      ['tests: python -m pytest -q'],
    ],
    [
      'unittest when no pytest is seen',
      { 'setup.py': '', 'tests/__init__.py': '', 'tests/test_a.py': unittest },
      ['tests: python -m unittest discover'],
    ],
    [
      'unittest in a folder that is no package',
      { 'tests/test_a.py': unittest },
      ['tests: python -m unittest discover -s tests'],
    ],
    [
      'unittest with the other way to name files',
      { 'a_test.py': unittest },
      ["tests: python -m unittest discover -p '*_test.py'"],
    ],
    ['Django', { 'manage.py': '', 'shop/test_a.py': unittest }, ['tests: python manage.py test']],
    [
      'mypy and ruff where they are configured',
      { 'pyproject.toml': '[tool.pytest]\n[tool.mypy]\nfiles = ["src"]\n[tool.ruff.lint]\n' },
      ['tests: python -m pytest -q', 'types: python -m mypy', 'lint: python -m ruff check .'],
    ],
    [
      'pyright and flake8',
      { 'pyrightconfig.json': '{}', '.flake8': '[flake8]\n', 'a.py': '' },
      ['types: pyright', 'lint: python -m flake8'],
    ],
    ['mypy.ini', { 'mypy.ini': '[mypy]\n', 'a.py': '' }, ['types: python -m mypy .']],
    [
      'the environment in the project',
      { 'pytest.ini': '[pytest]', '.venv/bin/python': '', '.venv/pyvenv.cfg': '' },
      ['tests: .venv/bin/python -m pytest -q'],
    ],
    [
      'uv by its lock file, installed or not',
      { 'pytest.ini': '[pytest]', 'uv.lock': '', 'ruff.toml': '' },
      ['tests: uv run pytest -q', 'lint: uv run ruff check .'],
    ],
    [
      'an environment that is there before a runner that is not',
      { 'pytest.ini': '[pytest]', 'poetry.lock': '', '.venv/bin/python': '' },
      ['tests: .venv/bin/python -m pytest -q'],
    ],
    ['pipenv', { 'pytest.ini': '[pytest]', Pipfile: '' }, ['tests: pipenv run pytest -q']],
    [
      'no tests inside an environment',
      { 'env/pyvenv.cfg': '', 'env/lib/test_a.py': unittest, 'app.py': '' },
      ['syntax: python -m compileall -q app.py'],
    ],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));

  it('takes python3 where python is missing, and a ruff of its own', () => {
    bed.programs('python3', 'ruff');
    expect(bed.gates({ 'pytest.ini': '[pytest]', 'ruff.toml': '' })).toEqual([
      'tests: python3 -m pytest -q',
      'lint: ruff check .',
    ]);
  });
  it('takes poetry by its lock file where it is installed', () => {
    bed.programs('poetry', 'python');
    expect(bed.gates({ 'pytest.ini': '[pytest]', 'poetry.lock': '', '.venv/bin/python': '' })).toEqual([
      'tests: poetry run pytest -q',
    ]);
  });
});
