import type { ProtectRules, TreeFile, TreeReader } from './checked.ts';
import { parseJson } from './manifest/package-json.ts';
import { own } from './manifest/reconcile.ts';
import { kindOf } from './protected.ts';
import { relativeImports, resolveFile } from './resolve-file.ts';
import { textOf } from './text.ts';

const mostConfigs = 200;
const mostBytes = 256 * 1024;

/**
 * The rules with what the baseline's own settings name: set-up files, reporters, plug-ins, and settings that they
 * are made of. Read from the baseline, so that the agent has no say in it.
 */
export async function withNamedFiles(
  base: readonly TreeFile[],
  reader: TreeReader,
  rules: ProtectRules,
): Promise<ProtectRules> {
  const paths = new Set(base.map((file) => file.path));
  const found = new Set<string>();
  for (const file of base.filter(isReadable).slice(0, mostConfigs)) {
    const text = settingsOf(file.path, textOf(await reader.read(file.oid)));
    for (const path of namedIn(file.path, text, paths)) {
      if (kindOf(path) === null) found.add(path);
    }
  }
  if (paths.has('nx.json'))
    for (const path of paths) if (/(?:^|\/)project\.json$/.test(path)) found.add(path);
  return found.size === 0 ? rules : { ...rules, gateFiles: [...rules.gateFiles, ...found] };
}

function isReadable({ path, size }: TreeFile): boolean {
  if (size > mostBytes) return false;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    (/^(?:vitest|vite|jest|karma|playwright|cypress|ava|wdio|eslint|babel)\.[\w.-]+$|^\.(?:mocharc|eslintrc|nycrc|c8rc|babelrc)/.test(
      name,
    ) ||
      /^(?:pytest\.ini|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py|package\.json|phpunit\.xml|phpunit\.xml\.dist|\.rspec|tsconfig[\w.-]*\.json)$/.test(
        name,
      )) &&
    kindOf(path) !== 'fixture'
  );
}

/** Words before what a runner loads into itself. */
const loads = valuesAfter(
  'setupFiles\\w*|globalSetup|globalTeardown|setupFile|supportFile|reporters?|testEnvironment|environment|snapshotSerializers|snapshotResolver|resolver|testRunner|testSequencer|pytest_plugins|bootstrap|testResultsProcessor|rulePaths|rulesdir',
);

/** Words before what may as well be the work itself, when it lies among the sources. */
const mayLoad = valuesAfter('require|preset|presets|extends|plugins?|watchPlugins|runner');

const flags =
  /(?:^|\s|["'])(?:-r|-p|--require|--import|--loader|--setup-?[Ff]iles?|--reporter|--bootstrap)[=\s]+["']?([\w./@-]+)/g;

/** Data that settings written as code may read. */
const data = /["'`]((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*\.(?:json5?|jsonc|ya?ml|toml|txt))["'`]/g;

const sources = /(?:^|\/)(?:src|lib|app|dist|build)\//;

function valuesAfter(words: string): RegExp {
  return new RegExp(
    `\\b(?:${words})\\b["']?\\s*[:=(]?\\s*(\\[[^\\]]{0,2000}\\]|["'\`][^"'\`\\n]{1,300}["'\`])`,
    'g',
  );
}

function* namedIn(path: string, text: string, paths: ReadonlySet<string>): Generator<string> {
  const dir = path.slice(0, path.lastIndexOf('/') + 1);
  for (const name of [...valuesOf(text, loads), ...[...text.matchAll(flags)].map((one) => one[1] ?? '')]) {
    const found = resolveFile(dir, name, paths);
    if (found !== undefined) yield found;
  }
  for (const name of [
    ...valuesOf(text, mayLoad),
    ...[...text.matchAll(relativeImports)].map((one) => one[1] ?? ''),
    ...(/\.[cm]?[jt]s$/.test(path) ? [...text.matchAll(data)].map((one) => one[1] ?? '') : []),
  ]) {
    const found = resolveFile(dir, name, paths);
    if (found !== undefined && !sources.test(found)) yield found;
  }
}

function valuesOf(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, value = '']) =>
    [...value.matchAll(/["'`]([^"'`\n]{1,300})["'`]/g)].map((one) => one[1] ?? ''),
  );
}

/** Of a package only its scripts and the settings of its tools: what it exports is the work. */
function settingsOf(path: string, text: string): string {
  if (!path.endsWith('package.json')) return text;
  const doc = parseJson(text) ?? {};
  const parts = ['scripts', 'jest', 'mocha', 'ava', 'tap', 'nyc', 'c8', 'babel', 'vitest', 'eslintConfig'];
  return parts.map((part) => JSON.stringify(own(doc, part)) ?? '').join('\n');
}
