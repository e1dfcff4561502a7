import type { Ecosystem } from './ecosystem.ts';
import { bunTests, nodeTests } from './built-in-tests.ts';
import { memberGates } from './javascript-members.ts';
import { lintScripts, type Manifest, readManifest, testScript, typeScripts } from './manifest.ts';
import { packageManager, type PackageManager, scriptCommand } from './package-manager.ts';
import type { Project } from './project.ts';
import { artifactGate, commandGate, missingProofs, type ProposedGate } from './proposed-gate.ts';
import { nodeSyntax } from './syntax.ts';

/** JavaScript and TypeScript: the scripts of package.json first, then what is configured or installed. */
export const javascript: Ecosystem = {
  name: 'javascript',
  look(project) {
    const manifest = readManifest(project);
    if (manifest === null) return null;
    const manager = packageManager(project, manifest);
    const own = [
      ...tests(project, manifest, manager),
      ...types(project, manifest, manager),
      ...lint(manifest, manager),
      ...build(manifest, manager),
    ];
    return [...own, ...missingProofs(own, memberGates(project, manifest, manager))];
  },
  lookWithoutTests(project, gates) {
    const manifest = readManifest(project);
    const entries = manifest?.entries ?? [];
    const built = entries.filter((entry) => /^(dist|lib|build|out)\//.test(entry) && !entry.includes('*'));
    if (built.length > 0 && gates.some(({ proves }) => proves === 'build')) {
      return [artifactGate([...new Set(built)], 'package.json gives it to others')];
    }
    return gates.length > 0 ? [] : nodeSyntax(project);
  },
  firstTest:
    'write test/first.test.js with node:test, and set "scripts": {"test": "node --test"} in package.json',
};

function tests(project: Project, manifest: Manifest, manager: PackageManager): ProposedGate[] {
  const script = testScript(manifest);
  if (script !== undefined) {
    return [commandGate('tests', onceOnly(script, manager), 'package.json has a test script')];
  }
  const runner = runners.find(([name]) => manifest.dependencies.has(name));
  if (runner) return [commandGate('tests', `npx --no-install ${runner[1]}`, `${runner[0]} is installed`)];
  return manager === 'bun' ? bunTests(project) : nodeTests(project);
}

const runners: readonly [string, string][] = [
  ['vitest', 'vitest run'],
  ['jest', 'jest'],
  ['mocha', 'mocha'],
  ['ava', 'ava'],
];

/** Two test scripts would wait for changes for ever unless they are told not to. */
function onceOnly(script: string, manager: PackageManager): string {
  const command = scriptCommand(manager, 'test');
  if (/\breact-scripts test\b/.test(script)) return `CI=true ${command}`;
  if (/\bng test\b/.test(script) && !script.includes('--watch'))
    return `${command}${manager === 'npm' ? ' --' : ''} --watch=false`;
  return command;
}

function types(project: Project, manifest: Manifest, manager: PackageManager): ProposedGate[] {
  const script = typeScripts.find((name) => manifest.scripts[name]);
  if (script)
    return [commandGate('types', scriptCommand(manager, script), `package.json has a ${script} script`)];
  return project.has('tsconfig.json') && manifest.dependencies.has('typescript')
    ? [commandGate('types', 'npx --no-install tsc --noEmit', 'tsconfig.json is there')]
    : [];
}

function lint({ scripts, dependencies }: Manifest, manager: PackageManager): ProposedGate[] {
  const script = lintScripts.find((name) => scripts[name]);
  if (script)
    return [commandGate('lint', scriptCommand(manager, script), `package.json has a ${script} script`)];
  const linter = linters.find(([name]) => dependencies.has(name));
  return linter ? [commandGate('lint', `npx --no-install ${linter[1]}`, `${linter[0]} is installed`)] : [];
}

const linters: readonly [string, string][] = [
  ['eslint', 'eslint .'],
  ['@biomejs/biome', 'biome lint .'],
  ['oxlint', 'oxlint'],
];

function build({ scripts }: Manifest, manager: PackageManager): ProposedGate[] {
  return scripts['build']
    ? [commandGate('build', scriptCommand(manager, 'build'), 'package.json has a build script')]
    : [];
}
