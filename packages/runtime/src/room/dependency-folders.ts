import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** What an ignored path is to the project. `rebuilt`: tools make it anew by themselves, only slower. */
export type DependencyKind = 'installed' | 'rebuilt';

/** Tells what a project's tools installed from what a build, a test run or a person left lying there. */
export function dependencyKind(root: string, path: string): DependencyKind | null {
  const name = basename(path);
  const beside = (...names: string[]) => names.some((one) => existsSync(join(root, dirname(path), one)));
  if (INSTALLED.has(name) || name.endsWith('.egg-info')) return 'installed';
  if (REBUILT.has(name)) return 'rebuilt';
  const wanted = WITH_MANIFEST[name];
  if (wanted !== undefined) return beside(...wanted.manifests) ? wanted.kind : null;
  const inside = ['pyvenv.cfg', 'conda-meta'];
  return inside.some((one) => existsSync(join(root, path, one))) ? 'installed' : null;
}

/** Files in which a project says what it needs; a change there may mean that packages were added. */
export function isManifest(path: string): boolean {
  const name = basename(path);
  return isLockFile(path) || MANIFESTS.has(name) || /^requirements.*\.(?:txt|in)$/.test(name);
}

/** Files that pin exactly what is installed. */
export function isLockFile(path: string): boolean {
  return LOCKS.has(basename(path));
}

const INSTALLED = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  '.pnp.cjs',
  '.pnp.js',
  '.pnp.loader.mjs',
  '.pnp.data.json',
  '.pnpm-store',
  '.yarn',
  '.venv',
  'venv',
  '__pypackages__',
  '.eggs',
  '.tox',
  '.nox',
  '.bundle',
  'Pods',
  'Carthage',
  'elm-stuff',
  '.dart_tool',
  '.terraform',
]);

const REBUILT = new Set([
  '.gradle',
  '.stack-work',
  'dist-newstyle',
  '.zig-cache',
  'zig-cache',
  '.bloop',
  '.metals',
]);

const WITH_MANIFEST: Record<string, { kind: DependencyKind; manifests: readonly string[] }> = {
  // Of yarn and of bundler the ignored parts are folders of their own.
  cache: { kind: 'installed', manifests: ['releases', 'berry'] },
  vendor: {
    kind: 'installed',
    manifests: ['go.mod', 'composer.json', 'Gemfile', 'Cargo.toml', 'package.json'],
  },
  bundle: { kind: 'installed', manifests: ['../Gemfile'] },
  deps: { kind: 'installed', manifests: ['mix.exs', 'rebar.config'] },
  _build: { kind: 'rebuilt', manifests: ['mix.exs', 'rebar.config', 'dune-project'] },
  target: { kind: 'rebuilt', manifests: ['Cargo.toml', 'pom.xml', 'build.sbt', 'project.clj'] },
  '.build': { kind: 'rebuilt', manifests: ['Package.swift'] },
};

const LOCKS = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'Pipfile.lock',
  'Cargo.lock',
  'go.sum',
  'Gemfile.lock',
  'composer.lock',
  'mix.lock',
  'Podfile.lock',
  'pubspec.lock',
  'packages.lock.json',
  'gradle.lockfile',
]);

const MANIFESTS = new Set([
  'package.json',
  'pnpm-workspace.yaml',
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'Pipfile',
  'Cargo.toml',
  'go.mod',
  'Gemfile',
  'composer.json',
  'mix.exs',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
]);
