import picomatch from 'picomatch';
import { parse } from 'yaml';
import { lintScripts, type Manifest, readManifest, testScript, typeScripts } from './manifest.ts';
import type { PackageManager } from './package-manager.ts';
import type { Project } from './project.ts';
import { commandGate, type Proof, type ProposedGate } from './proposed-gate.ts';

/** What the packages of a monorepo have, run for all of them from the root. */
export function memberGates(project: Project, root: Manifest, manager: PackageManager): ProposedGate[] {
  const members = readMembers(project, root);
  if (members.length === 0) return [];
  const run = forAll(project, manager);
  return wanted.flatMap(([proves, scripts]) => {
    const script = scripts.find((name) => members.some((one) => hasScript(one.manifest, name)));
    if (script === undefined) return [];
    const having = members.filter((one) => hasScript(one.manifest, script));
    const because = `${having.length} of ${members.length} packages have a ${script} script`;
    return [commandGate(proves, run(script, having, members), because)];
  });
}

const wanted: readonly [Proof, string[]][] = [
  ['tests', ['test']],
  ['types', typeScripts],
  ['lint', lintScripts],
  ['build', ['build']],
];

interface Member {
  dir: string;
  manifest: Manifest;
}

function hasScript(manifest: Manifest, name: string): boolean {
  return name === 'test' ? testScript(manifest) !== undefined : manifest.scripts[name] !== undefined;
}

type ForAll = (script: string, having: readonly Member[], members: readonly Member[]) => string;

function forAll(project: Project, manager: PackageManager): ForAll {
  if (project.has('turbo.json')) return (script) => `npx --no-install turbo run ${script}`;
  if (project.has('nx.json')) return (script) => `npx --no-install nx run-many -t ${script}`;
  switch (manager) {
    case 'pnpm':
      return (script, having) => `pnpm ${having.map(({ dir }) => `--filter ./${dir}`).join(' ')} ${script}`;
    case 'bun':
      return (script, having) => having.map(({ dir }) => `bun run --cwd ${dir} ${script}`).join(' && ');
    case 'yarn':
      return (script, having) => having.map(({ dir }) => `yarn --cwd ${dir} ${script}`).join(' && ');
    case 'npm':
      // Named one by one where some have no such script, or only the one of `npm init`, which always fails.
      return (script, having, members) =>
        having.length === members.length
          ? `npm run ${script} --workspaces`
          : `npm run ${script} ${having.map(({ dir }) => `-w ${dir}`).join(' ')}`;
  }
}

function readMembers(project: Project, { workspaces }: Manifest): Member[] {
  const globs = [...workspaces, ...pnpmGlobs(project), ...lernaGlobs(project)];
  if (globs.length === 0) return [];
  const belongs = picomatch(globs.filter((glob) => !glob.startsWith('!')).map(plainGlob), {
    ignore: globs.filter((glob) => glob.startsWith('!')).map((glob) => plainGlob(glob.slice(1))),
  });
  const dirs = project
    .files()
    .filter((path) => path.endsWith('/package.json'))
    .map((path) => path.slice(0, -'/package.json'.length));
  return dirs
    .filter((dir) => belongs(dir) && /^[\w./@-]+$/.test(dir))
    .flatMap((dir) => {
      const manifest = readManifest(project, dir);
      return manifest === null ? [] : [{ dir, manifest }];
    });
}

const plainGlob = (glob: string): string => glob.replace(/^\.\//, '').replace(/\/$/, '');

function pnpmGlobs(project: Project): string[] {
  const text = project.read('pnpm-workspace.yaml');
  try {
    return listOf((parse(text, { logLevel: 'silent' }) as { packages?: unknown } | null)?.packages);
  } catch {
    // A file that pnpm cannot read either names no packages.
    return [];
  }
}

const lernaGlobs = (project: Project): string[] => listOf(project.readJson('lerna.json')?.['packages']);

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
