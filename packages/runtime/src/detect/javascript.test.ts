import { describe, expect, it } from 'vitest';
import { type Files, json, makeBed } from './testing.ts';

const bed = makeBed();
const scripts = (all: Record<string, string>, more: object = {}) => json({ scripts: all, ...more });

describe('JavaScript and TypeScript', () => {
  const cases: [string, Files, string[]][] = [
    [
      'reads the scripts',
      {
        'package.json': scripts({
          test: 'vitest run',
          lint: 'eslint .',
          typecheck: 'tsc --noEmit',
          build: 'vite build',
        }),
      },
      ['tests: npm test', 'types: npm run typecheck', 'lint: npm run lint', 'build: npm run build'],
    ],
    [
      'finds types and linter without scripts, and the manager by its lock file',
      {
        'package.json': scripts({ test: 'vitest' }, { devDependencies: { typescript: '7', eslint: '10' } }),
        'tsconfig.json': '{}',
        'pnpm-lock.yaml': '',
      },
      ['tests: pnpm test', 'types: npx --no-install tsc --noEmit', 'lint: npx --no-install eslint .'],
    ],
    [
      'takes the manager that the manifest names',
      { 'package.json': scripts({ test: 'jest' }, { packageManager: 'yarn@4.1.0' }) },
      ['tests: yarn test'],
    ],
    [
      'runs the script and not the runner of Bun',
      { 'package.json': scripts({ test: 'vitest run' }), 'bun.lock': '' },
      ['tests: bun run test'],
    ],
    [
      'runs the runner of Bun where there is no script',
      { 'package.json': '{}', 'bun.lock': '', 'src/a.test.ts': '' },
      ['tests: bun test'],
    ],
    [
      'finds an installed test runner without a script',
      { 'package.json': json({ devDependencies: { vitest: '4' } }) },
      ['tests: npx --no-install vitest run'],
    ],
    [
      'finds tests of node:test without a script',
      { 'package.json': '{}', 'test/a.test.js': "import test from 'node:test';" },
      ['tests: node --test'],
    ],
    [
      'tells a script that would watch for ever to run once',
      { 'package.json': scripts({ test: 'react-scripts test' }) },
      ['tests: CI=true npm test'],
    ],
    [
      'the same for Angular',
      { 'package.json': scripts({ test: 'ng test' }) },
      ['tests: npm test -- --watch=false'],
    ],
    [
      'does not take the placeholder of npm init for tests',
      { 'package.json': scripts({ test: 'echo "Error: no test specified" && exit 1' }) },
      [],
    ],
    ['survives a broken manifest', { 'package.json': '{' }, []],
    [
      'survives a manifest of another shape',
      { 'package.json': '{"scripts":[1],"bin":7,"workspaces":"x"}' },
      [],
    ],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));
});

describe('a monorepo whose root has no tests', () => {
  const test = scripts({ test: 'node --test' });
  const none = scripts({ test: 'echo "Error: no test specified" && exit 1', build: 'x' });
  const root = json({ workspaces: ['packages/*'] });
  const cases: [string, Files, string[]][] = [
    [
      'runs those of all packages',
      { 'package.json': root, 'packages/a/package.json': test, 'packages/b/package.json': test },
      ['tests: npm run test --workspaces'],
    ],
    [
      'names the packages that have some, where one has the placeholder',
      { 'package.json': root, 'packages/a/package.json': test, 'packages/b/package.json': none },
      ['tests: npm run test -w packages/a', 'build: npm run build -w packages/b'],
    ],
    [
      'reads pnpm-workspace.yaml',
      { 'package.json': '{}', 'pnpm-workspace.yaml': 'packages:\n  - apps/*\n', 'apps/a/package.json': test },
      ['tests: pnpm --filter ./apps/a test'],
    ],
    [
      'asks turbo where it is used',
      { 'package.json': root, 'turbo.json': '{}', 'packages/a/package.json': test },
      ['tests: npx --no-install turbo run test'],
    ],
    [
      'leaves the packages to the root where it has tests',
      {
        'package.json': json({ workspaces: ['packages/*'], scripts: { test: 'x' } }),
        'packages/a/package.json': test,
      },
      ['tests: npm test'],
    ],
    [
      'leaves out packages that the root excludes',
      {
        'package.json': json({ workspaces: ['packages/*', '!packages/b'] }),
        'packages/a/package.json': test,
        'packages/b/package.json': none,
      },
      ['tests: npm run test --workspaces'],
    ],
  ];
  it.each(cases)('%s', (_name, files, expected) => expect(bed.gates(files)).toEqual(expected));
});
