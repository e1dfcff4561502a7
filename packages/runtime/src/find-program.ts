import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';

/** The path of a program as a shell in `cwd` would find it; null when there is none that may be run. */
export function findProgram(
  program: string,
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string | null {
  if (program.includes('/')) {
    const path = isAbsolute(program) ? program : resolve(cwd, program);
    return isExecutable(path) ? path : null;
  }
  const dirs = (env['PATH'] ?? '').split(delimiter).filter((dir) => dir !== '');
  return dirs.map((dir) => join(resolve(cwd, dir), program)).find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not ours to run: either way it is not the program.
    return false;
  }
}
