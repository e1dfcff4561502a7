import { findProgram } from '../find-program.ts';
import type { Project } from './project.ts';

/** How this project starts Python and its tools. */
export interface PythonRunner {
  python: string;
  module(name: string): string;
  tool(name: string): string;
}

/**
 * The runner whose lock file is there, then the environment in the project, then the system's Python. A runner that
 * is not installed gives way to an environment that is there.
 */
export function pythonRunner(project: Project): PythonRunner {
  const locked = runners.find(([, ...files]) => project.has(...files))?.[0];
  const environment = ['.venv', 'venv', 'env']
    .map((dir) => `${dir}/bin/python`)
    .find((path) => project.has(path));
  if (locked && (findProgram(locked, project.root) || environment === undefined)) {
    return {
      python: `${locked} run python`,
      module: (name) => `${locked} run python -m ${name}`,
      tool: (name) => `${locked} run ${name}`,
    };
  }
  const python = environment ?? (findProgram('python', project.root) ? 'python' : 'python3');
  const module = (name: string) => `${python} -m ${name}`;
  return {
    python,
    module,
    tool: (name) => (environment === undefined && isStandalone(name, project.root) ? name : module(name)),
  };
}

const runners: readonly [string, ...string[]][] = [
  ['uv', 'uv.lock'],
  ['poetry', 'poetry.lock'],
  ['pdm', 'pdm.lock'],
  ['pipenv', 'Pipfile.lock', 'Pipfile'],
];

/** Tools that do not look into the environment they check are often installed once for all projects. */
function isStandalone(name: string, root: string): boolean {
  return name === 'pyright' || (name === 'ruff' && findProgram(name, root) !== null);
}
