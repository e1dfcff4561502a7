import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A gate that a project seems to have, with the reason it was found. */
export interface ProposedGate {
  name: string;
  run: string;
  severity: 'hard' | 'soft';
  because: string;
}

/** Looks at a project and proposes its gates: JavaScript and TypeScript first, then what others make plain. */
export function proposeGates(root: string): ProposedGate[] {
  const gates = [...javascript(root), ...others(root)];
  const seen = new Set<string>();
  return gates.filter(({ name }) => !seen.has(name) && seen.add(name));
}

interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

function javascript(root: string): ProposedGate[] {
  const manifest = readManifest(join(root, 'package.json'));
  if (!manifest) return [];
  const scripts = manifest.scripts ?? {};
  const has = (name: string) => name in { ...manifest.dependencies, ...manifest.devDependencies };
  const manager = packageManager(root);
  const script = (name: string) => (name === 'test' ? `${manager} test` : `${manager} run ${name}`);
  const gates: ProposedGate[] = [];
  if (scripts['test'] && !scripts['test'].includes('no test specified')) {
    gates.push({
      name: 'tests',
      run: script('test'),
      severity: 'hard',
      because: 'package.json has a test script',
    });
  }
  const types = ['typecheck', 'type-check', 'check:types', 'types', 'tsc'].find((name) => scripts[name]);
  if (types)
    gates.push({
      name: 'types',
      run: script(types),
      severity: 'hard',
      because: `package.json has a ${types} script`,
    });
  else if (existsSync(join(root, 'tsconfig.json')) && has('typescript')) {
    gates.push({
      name: 'types',
      run: 'npx --no-install tsc --noEmit',
      severity: 'hard',
      because: 'tsconfig.json is there',
    });
  }
  const lint = ['lint', 'check:lint', 'eslint'].find((name) => scripts[name]);
  if (lint)
    gates.push({
      name: 'lint',
      run: script(lint),
      severity: 'hard',
      because: `package.json has a ${lint} script`,
    });
  else {
    const linter = [
      ['eslint', 'eslint .'],
      ['@biomejs/biome', 'biome lint .'],
      ['oxlint', 'oxlint'],
    ].find(([name]) => has(name!));
    if (linter)
      gates.push({
        name: 'lint',
        run: `npx --no-install ${linter[1]}`,
        severity: 'hard',
        because: `${linter[0]} is installed`,
      });
  }
  if (scripts['build']) {
    gates.push({
      name: 'build',
      run: script('build'),
      severity: 'hard',
      because: 'package.json has a build script',
    });
  }
  return gates;
}

function packageManager(root: string): string {
  const locks = { pnpm: 'pnpm-lock.yaml', yarn: 'yarn.lock', bun: 'bun.lock' };
  return Object.entries(locks).find(([, lock]) => existsSync(join(root, lock)))?.[0] ?? 'npm';
}

function others(root: string): ProposedGate[] {
  const gates: ProposedGate[] = [];
  const tests = (run: string, because: string) =>
    gates.push({ name: 'tests', run, severity: 'hard', because });
  if (existsSync(join(root, 'Cargo.toml'))) tests('cargo test', 'Cargo.toml is there');
  if (existsSync(join(root, 'go.mod'))) tests('go test ./...', 'go.mod is there');
  if (['pyproject.toml', 'pytest.ini', 'setup.py', 'tox.ini'].some((name) => existsSync(join(root, name)))) {
    tests('python -m pytest -q', 'it is a Python project');
  }
  const makefile = join(root, 'Makefile');
  if (existsSync(makefile)) {
    const targets = new Set(
      [...readFileSync(makefile, 'utf8').matchAll(/^([a-z][\w-]*)\s*:(?!=)/gm)].map((match) => match[1]),
    );
    if (targets.has('test')) tests('make test', 'the Makefile has a test target');
    if (targets.has('lint'))
      gates.push({
        name: 'lint',
        run: 'make lint',
        severity: 'hard',
        because: 'the Makefile has a lint target',
      });
  }
  return gates;
}

function readManifest(path: string): Manifest | null {
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  } catch {
    // A manifest that cannot be read proposes nothing; the gates themselves will say what is wrong with it.
    return null;
  }
}
