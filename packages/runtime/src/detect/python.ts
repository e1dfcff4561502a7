import type { Ecosystem } from './ecosystem.ts';
import type { Project } from './project.ts';
import { commandGate, type ProposedGate } from './proposed-gate.ts';
import { pythonRunner, type PythonRunner } from './python-runner.ts';

/** Python: pytest or unittest, and the type checker and linter that are configured. */
export const python: Ecosystem = {
  name: 'python',
  look(project) {
    const files = project.files().filter((path) => path.endsWith('.py'));
    const declared = project.has(
      'pyproject.toml',
      'setup.py',
      'setup.cfg',
      'tox.ini',
      'pytest.ini',
      'Pipfile',
    );
    if (!declared && files.length === 0) return null;
    const runner = pythonRunner(project);
    return [...tests(project, files, runner), ...types(project, runner), ...lint(project, runner)];
  },
  lookWithoutTests(project, gates) {
    // A script or two beside another language is no reason to judge them.
    if (gates.length > 0) return [];
    const files = project.files().filter((path) => path.endsWith('.py'));
    const tops = [...new Set(files.map((path) => path.split('/')[0]!))].filter((top) =>
      /^\w[\w.-]*$/.test(top),
    );
    if (tops.length === 0) return [];
    const { module } = pythonRunner(project);
    return [commandGate('syntax', `${module('compileall')} -q ${tops.join(' ')}`, 'nothing else was found')];
  },
  firstTest:
    'pip install pytest, and write tests/test_first.py with a function test_first that asserts something',
};

function tests(project: Project, files: readonly string[], runner: PythonRunner): ProposedGate[] {
  const test = files.find((path) => /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path));
  const configured = pytestConfigured(project);
  if (configured !== null && (test !== undefined || configured.strong)) {
    return [commandGate('tests', `${runner.tool('pytest')} -q`, configured.because)];
  }
  if (test === undefined) return toxTests(project);
  if (/^\s*(import|from) pytest\b/m.test(project.read(test)) || /^def test_/m.test(project.read(test))) {
    return [commandGate('tests', `${runner.tool('pytest')} -q`, `${test} is a test of pytest`)];
  }
  if (project.has('manage.py')) {
    return [commandGate('tests', `${runner.python} manage.py test`, `manage.py and ${test} are there`)];
  }
  return [commandGate('tests', unittest(project, test, runner), `${test} is there, and no pytest was seen`)];
}

/** Discovery goes only into packages, so a folder of tests that is none has to be named. */
function unittest(project: Project, test: string, { module }: PythonRunner): string {
  const dir = test.split('/').slice(0, -1).join('/');
  const start = dir === '' || project.has(`${dir}/__init__.py`) ? '' : ` -s ${dir}`;
  const pattern = /(^|\/)test_[^/]*$/.test(test) ? '' : ` -p '*_test.py'`;
  return `${module('unittest')} discover${start}${pattern}`;
}

function toxTests(project: Project): ProposedGate[] {
  return /^\[testenv/m.test(project.read('tox.ini'))
    ? [commandGate('tests', 'tox -q', 'tox.ini has a test environment')]
    : [];
}

function pytestConfigured(project: Project): { because: string; strong: boolean } | null {
  const sections: [string, RegExp][] = [
    ['pytest.ini', /^\[pytest\]/m],
    ['pyproject.toml', /^\[tool\.pytest\b/m],
    ['tox.ini', /^\[pytest\]/m],
    ['setup.cfg', /^\[tool:pytest\]/m],
  ];
  const section = sections.find(([file, mark]) => mark.test(project.read(file)));
  if (section) return { because: `${section[0]} configures pytest`, strong: true };
  const named = [
    ...manifests,
    ...project.files().filter((path) => /^requirements[^/]*\.(txt|in)$/.test(path)),
  ];
  const file = named.find((path) => /(^|[\s"'[{,])pytest\b/m.test(project.read(path)));
  if (file) return { because: `${file} names pytest`, strong: false };
  return project.has('conftest.py', 'tests/conftest.py')
    ? { because: 'conftest.py is there', strong: false }
    : null;
}

const manifests = ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'Pipfile', 'requirements/dev.txt'];

function types(project: Project, { tool }: PythonRunner): ProposedGate[] {
  const mypy = project.first('mypy.ini', '.mypy.ini') ?? sectionIn(project, 'mypy');
  if (mypy) {
    const scoped = /^(files|packages|modules)\s*=/m.test(project.read(mypy));
    return [commandGate('types', `${tool('mypy')}${scoped ? '' : ' .'}`, `${mypy} configures mypy`)];
  }
  const pyright = project.first('pyrightconfig.json') ?? sectionIn(project, 'pyright');
  return pyright ? [commandGate('types', tool('pyright'), `${pyright} configures pyright`)] : [];
}

function lint(project: Project, { tool }: PythonRunner): ProposedGate[] {
  const ruff = project.first('ruff.toml', '.ruff.toml') ?? sectionIn(project, 'ruff');
  if (ruff) return [commandGate('lint', `${tool('ruff')} check .`, `${ruff} configures ruff`)];
  const flake8 = project.first('.flake8') ?? sectionIn(project, 'flake8');
  return flake8 ? [commandGate('lint', tool('flake8'), `${flake8} configures flake8`)] : [];
}

/** The shared file that has a section for this tool. */
function sectionIn(project: Project, tool: string): string | undefined {
  if (new RegExp(`^\\[tool\\.${tool}\\b`, 'm').test(project.read('pyproject.toml'))) return 'pyproject.toml';
  return ['setup.cfg', 'tox.ini'].find((file) => new RegExp(`^\\[${tool}\\]`, 'm').test(project.read(file)));
}
