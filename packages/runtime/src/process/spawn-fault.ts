import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Fault, fault } from '@agentgate/core';
import type { ProcessRequest } from './request.ts';

/** Says why a program did not start: the system has one code for several reasons. */
export function makeSpawnFault(error: unknown, request: ProcessRequest): Fault {
  const { argv, cwd } = request;
  const program = argv[0];
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!isFolder(cwd)) {
    return fault('workspace.gone', `cannot start ${program}: the folder ${cwd} does not exist`, error);
  }
  if (!isEnterable(cwd)) {
    return fault('process.unable', `cannot start ${program}: no permission to enter ${cwd}`, error);
  }
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return makeMissingFault(program, cwd, error);
    case 'EACCES':
      return fault(
        'program.not-executable',
        `cannot start ${program}: it is not executable; allow it with chmod +x, or name its interpreter`,
        error,
      );
    case 'E2BIG':
      return fault(
        'process.unable',
        `cannot start ${program}: its arguments and environment (${countBytes(request)} bytes) are larger than the system allows; pass long text by stdin or in a file`,
        error,
      );
    case 'EAGAIN':
    case 'EMFILE':
    case 'ENFILE':
    case 'ENOMEM':
    case 'ETXTBSY':
      return fault(
        'process.unable',
        `cannot start ${program} now: the system is short of resources (${code})`,
        error,
        {
          afterMs: 1_000,
        },
      );
    default:
      return fault('process.unable', `cannot start ${program}${code === '' ? '' : ` (${code})`}`, error);
  }
}

function makeMissingFault(program: string, cwd: string, error: unknown): Fault {
  if (!program.includes('/')) {
    return fault(
      'program.missing',
      `cannot start ${program}: it is not in PATH; install it, or give its full path`,
      error,
    );
  }
  if (existsSync(resolve(cwd, program))) {
    return fault(
      'program.not-executable',
      `cannot start ${program}: the interpreter that it names is missing`,
      error,
    );
  }
  return fault(
    'program.missing',
    `cannot start ${program}: there is no such file (looked from ${cwd})`,
    error,
  );
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isEnterable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // The answer itself: access reports a refusal only by throwing.
    return false;
  }
}

function countBytes({ argv, env }: ProcessRequest): number {
  const lengths = [...argv, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)].map((text) =>
    Buffer.byteLength(text),
  );
  return lengths.reduce((sum, length) => sum + length + 1, 0);
}
