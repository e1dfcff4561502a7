import { realpath, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Failure } from './protocol.ts';

export type Located = { kind: 'found'; module: string; root: string } | { kind: 'failed'; failure: Failure };

/** Finds a module by its path in the project. Its links are followed, and what they lead to must lie in the project. */
export async function locateModule(root: string, path: string): Promise<Located> {
  try {
    const realRoot = await realpath(root);
    const module = await realpath(resolve(realRoot, path));
    if (!module.startsWith(realRoot.endsWith(sep) ? realRoot : `${realRoot}${sep}`)) {
      return failed('outside', 'it lies outside of the project, and only modules of the project are loaded');
    }
    if (!(await stat(module)).isFile()) return failed('missing', 'it is not a file');
    if (!/\.[cm]?[jt]s$/.test(module)) {
      return failed('missing', 'it is no module; its name must end in .js, .mjs, .cjs, .ts, .mts or .cts');
    }
    return { kind: 'found', module, root: realRoot };
  } catch (error) {
    return failed('missing', reasonOf(error));
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'ELOOP':
      return 'its links lead in a circle';
    default:
      return `it cannot be read (${String(code ?? error)})`;
  }
}

const failed = (code: Failure['code'], detail: string): Located => ({
  kind: 'failed',
  failure: { code, detail },
});
