/** Files of which one part belongs to the agent and another to those who judge it. */
export type ManifestKind =
  | 'package.json'
  | 'composer.json'
  | 'pyproject.toml'
  | 'Cargo.toml'
  | 'pubspec.yaml'
  | 'pnpm-workspace.yaml'
  | 'requirements'
  | 'setup.cfg'
  | 'go.mod'
  | 'Gemfile'
  | 'gradle'
  | 'pom.xml'
  | 'msbuild'
  | 'mix.exs';

/** Which kind of manifest a path names; null when it is none. */
export function manifestKindOf(path: string): ManifestKind | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return byName.get(name) ?? shapes.find(([shape]) => shape.test(name))?.[1] ?? null;
}

const byName = new Map<string, ManifestKind>([
  ['package.json', 'package.json'],
  ['composer.json', 'composer.json'],
  ['pyproject.toml', 'pyproject.toml'],
  ['pipfile', 'pyproject.toml'],
  ['cargo.toml', 'Cargo.toml'],
  ['pubspec.yaml', 'pubspec.yaml'],
  ['pnpm-workspace.yaml', 'pnpm-workspace.yaml'],
  ['setup.cfg', 'setup.cfg'],
  ['go.mod', 'go.mod'],
  ['gemfile', 'Gemfile'],
  ['gems.rb', 'Gemfile'],
  ['pom.xml', 'pom.xml'],
  ['mix.exs', 'mix.exs'],
]);

const shapes: readonly (readonly [RegExp, ManifestKind])[] = [
  [/^(?:requirements|constraints)[\w.-]*\.(?:txt|in)$/, 'requirements'],
  [/^build\.gradle(?:\.kts)?$/, 'gradle'],
  [/\.(?:cs|vb|fs)proj$/, 'msbuild'],
];
