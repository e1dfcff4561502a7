import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

export type Namespace = Record<string, unknown>;

/** Loads a module by its path. TypeScript goes through one loader on every Node, so that it means the same on all. */
export async function loadModule(path: string): Promise<Namespace> {
  if (!/\.[cm]?ts$/.test(path)) return (await import(pathToFileURL(path).href)) as Namespace;
  const { createJiti } = await import('jiti');
  // No cache on disk: it would lie in the workspace, which is not ours to write.
  const jiti = createJiti(pathToFileURL(path).href, { fsCache: false, interopDefault: false });
  return (await jiti.import(path)) as Namespace;
}

/** What a CommonJS module exports stands in its default, so the names in there count as well. */
export function exportsOf(namespace: Namespace): Namespace {
  const whole = namespace['default'];
  const inner = typeof whole === 'object' && whole !== null && !Array.isArray(whole) ? whole : {};
  return { ...inner, ...namespace };
}

/** What Node says about the syntax of a file: an import that fails on it does not tell the line. */
export function checkSyntax(path: string): string {
  const { stderr } = spawnSync(process.execPath, ['--check', path], { encoding: 'utf8', timeout: 1_000 });
  return stderr;
}
