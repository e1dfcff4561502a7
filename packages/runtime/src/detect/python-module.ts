import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { gateEnvironment, supervise } from '../process/index.ts';

/** Whether an interpreter has a module. Only a clear no is false. */
export async function hasModule(python: string, module: string, cwd: string): Promise<boolean> {
  if (!/^\w+$/.test(module)) return true;
  return python.includes('/') ? inEnvironment(resolve(cwd, python), module) : inSystem(python, module);
}

/** An interpreter that lies in the project is looked at and not started: looking must not run a stranger's code. */
function inEnvironment(python: string, module: string): boolean {
  const lib = join(dirname(dirname(python)), 'lib');
  const packages = namesIn(lib).map((name) => join(lib, name, 'site-packages'));
  if (!packages.some((dir) => existsSync(dir))) return true;
  return packages.some((dir) => existsSync(join(dir, module)) || existsSync(join(dir, `${module}.py`)));
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir).filter((name) => name.startsWith('python'));
  } catch {
    // No such folder: nothing can be told.
    return [];
  }
}

/** An exit code that Python does not use by itself. */
const missing = 86;

async function inSystem(python: string, module: string): Promise<boolean> {
  const { end } = await supervise({
    argv: [
      python,
      '-c',
      `import importlib.util as u, sys; sys.exit(0 if u.find_spec('${module}') else ${missing})`,
    ],
    // Not in the project, whose files would be found as modules.
    cwd: '/',
    env: gateEnvironment(process.env),
    marker: `agentgate-look-${randomBytes(6).toString('hex')}`,
    timeoutMs: 5_000,
    graceMs: 500,
  });
  return end.kind !== 'exited' || end.code !== missing;
}
