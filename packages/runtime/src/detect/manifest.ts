import type { Project } from './project.ts';

/** What a package.json says, as far as it has the right shape. */
export interface Manifest {
  scripts: Record<string, string>;
  dependencies: ReadonlySet<string>;
  /** Globs of the packages that belong to it. */
  workspaces: string[];
  /** The files it gives to others: main, module, bin. */
  entries: string[];
  packageManager: string | null;
}

/** Reads the package.json of a directory of the project; null when there is none that can be read. */
export function readManifest(project: Project, dir = ''): Manifest | null {
  const value = project.readJson(dir === '' ? 'package.json' : `${dir}/package.json`);
  if (value === null) return null;
  const { workspaces, packageManager, main, module, bin } = value;
  const globs = Array.isArray(workspaces) ? workspaces : recordOf(workspaces)['packages'];
  const entries = [main, module, ...(typeof bin === 'string' ? [bin] : Object.values(recordOf(bin)))];
  return {
    scripts: Object.fromEntries(Object.entries(recordOf(value['scripts'])).filter(isText)),
    dependencies: new Set(
      ['dependencies', 'devDependencies'].flatMap((group) => Object.keys(recordOf(value[group]))),
    ),
    workspaces: (Array.isArray(globs) ? globs : []).filter((glob) => typeof glob === 'string'),
    entries: entries.filter((entry) => typeof entry === 'string').map((entry) => entry.replace(/^\.\//, '')),
    packageManager: typeof packageManager === 'string' ? packageManager : null,
  };
}

/** The script that runs tests; what `npm init` puts there tests nothing. */
export function testScript({ scripts }: Manifest): string | undefined {
  const script = scripts['test'];
  return script === undefined || script.includes('no test specified') ? undefined : script;
}

export const typeScripts = ['typecheck', 'type-check', 'check:types', 'types', 'tsc'];
export const lintScripts = ['lint', 'check:lint', 'eslint'];

const recordOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const isText = (pair: [string, unknown]): pair is [string, string] => typeof pair[1] === 'string';
