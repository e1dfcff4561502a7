import { fileURLToPath } from 'node:url';

// In the source tree the built file is run as well: not every Node reads TypeScript.
const here = import.meta.url;
const child = fileURLToPath(
  new URL(here.endsWith('.ts') ? '../../dist/module-child.js' : './module-child.js', here),
);

// The shell stands between us and the module, so that a module that ends its parent ends itself, and no core file
// is left in the workspace.
const shell = ['/bin/sh', '-c', 'ulimit -c 0; "$@"; exit $?', 'agentgate-module'] as const;

/** The words that start a module's process; it reads requests from one descriptor and answers on the next. */
export function moduleCommand(memoryMb: number, requestsFd: number): [string, ...string[]] {
  const fds = [String(requestsFd), String(requestsFd + 1)];
  return [...shell, process.execPath, `--max-old-space-size=${memoryMb}`, child, ...fds];
}
