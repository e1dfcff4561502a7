import { describe, expect, it } from 'vitest';
import { checkIntegrity, withNamedFiles } from './index.ts';
import { check, type Files, makeTrees, noRules, oidOf, told } from './testing.ts';

const test = "it('adds', () => { expect(add(1, 2)).toBe(3); });\n";
const project: Files = {
  'src/add.ts': 'export const add = (a: number, b: number) => a - b;\n',
  'src/add.test.ts': test,
  'src/__snapshots__/add.test.ts.snap': 'exports[`a`] = `1`;\n',
  'package.json': '{"name":"p","scripts":{"test":"vitest run"}}',
  'vitest.config.ts': 'export default {}\n',
  'tsconfig.json': '{"compilerOptions":{"strict":true}}',
  Makefile: 'check:\n\tnpm test\n',
  'check.sh': 'npm test\n',
  'src/test-utils/expect.ts': 'x',
  'vendor/github.com/stretchr/testify/a.go': 'x',
  '.github/workflows/ci.yml': 'on: push\n',
  'tests/conftest.py': 'import pytest\n',
  'tests/test_a.py': 'def test_a():\n    assert f() == 1\n',
};

/** The project with some files other; null takes one away. */
function withFiles(changes: Record<string, Files[string] | null>): Files {
  const all = Object.entries({ ...project, ...changes });
  return Object.fromEntries(all.filter((one): one is [string, Files[string]] => one[1] !== null));
}

describe('a protected file is found changed', () => {
  const other = { mode: '100755', text: test };
  it.each<[string, Record<string, Files[string] | null>, string]>([
    ['a deleted test', { 'src/add.test.ts': null }, 'deleted test src/add.test.ts'],
    [
      'a test with another expectation',
      { 'src/add.test.ts': test.replace('3', '-1') },
      'modified test src/add.test.ts',
    ],
    ['a test with another mode', { 'src/add.test.ts': other }, 'mode test src/add.test.ts'],
    [
      'a test that became a link',
      { 'src/add.test.ts': { mode: '120000', text: 'other.ts' } },
      'modified test src/add.test.ts',
    ],
    [
      'a rewritten snapshot',
      { 'src/__snapshots__/add.test.ts.snap': 'exports[`a`] = `2`;\n' },
      'modified snapshot src/__snapshots__/add.test.ts.snap',
    ],
    [
      'a runner that leaves tests out',
      { 'vitest.config.ts': "export default { test: { exclude: ['**'] } }\n" },
      'modified config vitest.config.ts',
    ],
    [
      'a script that does nothing',
      { 'package.json': '{"name":"p","scripts":{"test":"true"}}' },
      'modified config package.json',
    ],
    ['a recipe that does nothing', { Makefile: 'check:\n\t@true\n' }, 'modified gate Makefile'],
    ['a workflow', { '.github/workflows/ci.yml': 'on: never\n' }, 'modified ci .github/workflows/ci.yml'],
    ['a name that git shall ignore', { '.gitignore': 'conftest.py\n' }, 'added auto-loaded .gitignore'],
    [
      'leftovers that are there',
      { '.gitignore': '*.log\n', 'src/a.log': 'x' },
      'added auto-loaded .gitignore',
    ],
    ['a new workflow', { '.github/workflows/b.yml': 'on: push\n' }, 'added ci .github/workflows/b.yml'],
    ['a looser type check', { 'tsconfig.json': '{"compilerOptions":{}}' }, 'modified config tsconfig.json'],
    ['a hook of pytest', { 'tests/conftest.py': 'import os\n' }, 'modified auto-loaded tests/conftest.py'],
    [
      'a new hook of pytest',
      { 'tests/sub/conftest.py': 'x = 1\n' },
      'added auto-loaded tests/sub/conftest.py',
    ],
    [
      'a file that Python loads first',
      { 'sitecustomize.py': 'x = 1\n' },
      'added auto-loaded sitecustomize.py',
    ],
    ['options for node', { '.npmrc': 'node-options=--require ./x\n' }, 'added auto-loaded .npmrc'],
    [
      'a package that shadows another',
      { 'test/node_modules/vitest/index.js': '' },
      'added auto-loaded test/node_modules/vitest/index.js',
    ],
    ['a mock of a module', { 'src/__mocks__/add.ts': 'x' }, 'added auto-loaded src/__mocks__/add.ts'],
    [
      'settings that go before the others',
      { 'pytest.ini': '[pytest]\naddopts = --deselect a\n' },
      'added config pytest.ini',
    ],
    [
      'settings for one folder of the sources',
      { 'src/.eslintrc.json': '{"rules":{}}' },
      'added config src/.eslintrc.json',
    ],
    ['a makefile that goes before the others', { GNUmakefile: 'check:\n' }, 'added auto-loaded GNUmakefile'],
    [
      'a manifest that gives names another meaning',
      { 'tests/package.json': '{"name":"t","imports":{"#add":"./stub.js"}}' },
      'added config tests/package.json',
    ],
    [
      'a package in a folder of sources',
      { 'src/package.json': '{"type":"commonjs"}' },
      'added config src/package.json',
    ],
    ['a name that differs in case alone', { 'src/ADD.test.ts': 'x' }, 'added test src/ADD.test.ts'],
    ['a name that looks like the git directory', { '.GIT/config': 'x' }, 'added auto-loaded .GIT/config'],
    [
      'code that runs before the tests of a folder',
      { 'tests/__init__.py': 'import x\n' },
      'added test tests/__init__.py',
    ],
    ['a helper of the tests', { 'src/test-utils/expect.ts': 'y' }, 'modified test src/test-utils/expect.ts'],
    [
      'a copy of a test library',
      { 'vendor/github.com/stretchr/testify/a.go': 'y' },
      'modified lock vendor/github.com/stretchr/testify/a.go',
    ],
    [
      'a list of what a linter forgives',
      { 'eslint-suppressions.json': '{}' },
      'added config eslint-suppressions.json',
    ],
    ['settings of git', { '.gitattributes': '* -diff\n' }, 'added auto-loaded .gitattributes'],
  ])('%s', async (_name, changes, expected) => {
    const { changed } = await check(project, withFiles(changes));
    expect(changed.map(({ status, what, path }) => `${status} ${what} ${path}`)).toEqual([expected]);
  });

  it('when a whole folder of tests became a link', async () => {
    const now = withFiles({
      'tests/conftest.py': null,
      'tests/test_a.py': null,
      tests: { mode: '120000', text: '/tmp/x' },
    });
    expect(await told(project, now)).toEqual([
      'deleted auto-loaded tests/conftest.py',
      'deleted test tests/test_a.py',
      'smell tests 0 → 1',
    ]);
  });

  it('and shows what went and what came, free of control characters', async () => {
    const { changed } = await check(
      project,
      withFiles({ 'src/add.test.ts': `${test.replace('3', '4')}// \u001b[31mred\n` }),
    );
    expect(changed[0]).toMatchObject({ oid: expect.any(String) });
    expect(changed[0]?.diff).toContain("- it('adds', () => { expect(add(1, 2)).toBe(3); });");
    expect(changed[0]?.diff).toContain("+ it('adds', () => { expect(add(1, 2)).toBe(4); });");
    expect(changed[0]?.diff).not.toContain('\u001b');
  });

  it('by gates that name it, and by the settings that load it', async () => {
    const base = {
      ...project,
      'vitest.config.ts':
        "export default { test: { setupFiles: ['./build/prepare.ts'], reporters: ['./tools/mine.ts'] } }\n",
      'build/prepare.ts': 'x',
      'tools/mine.ts': 'x',
    };
    const now = { ...base, 'build/prepare.ts': 'y', 'tools/mine.ts': 'y', 'check.sh': 'true\n' };
    expect(await told(base, now, { gateFiles: ['check.sh'] })).toEqual([
      'modified gate build/prepare.ts',
      'modified gate check.sh',
      'modified gate tools/mine.ts',
    ]);
  });

  it('and by settings that read it', async () => {
    const base = {
      'eslint.config.mjs':
        "export default [{ rules: JSON.parse(readFileSync('lint/levels.json', 'utf8')) }];\n",
      'lint/levels.json': '{ "eqeqeq": "error" }\n',
    };
    expect(await told(base, { ...base, 'lint/levels.json': '{}\n' })).toEqual([
      'modified gate lint/levels.json',
    ]);
  });

  it('where Python would take a new file at the top for one of its own modules', async () => {
    const base = { 'shop/a.py': 'x\n', 'queue.py': 'x\n' };
    const now = {
      ...base,
      'shlex.py': '',
      'packaging/__init__.py': '',
      'shop/json.py': '',
      'queue.py': 'y\n',
    };
    expect(await told(base, now)).toEqual([
      'added auto-loaded packaging/__init__.py',
      'added auto-loaded shlex.py',
    ]);
  });

  it('but the sources that settings merely build are the work', async () => {
    const files = {
      'package.json':
        '{"main":"index.js","exports":{"require":"./index.js","import":"./index.mjs"},"scripts":{"test":"node --import ./tools/hook.mjs --test"}}',
      'eslint.config.js': "import own from './src/plugin.js';\n",
      'index.js': '1',
      'index.mjs': '1',
      'src/plugin.js': '1',
      'tools/hook.mjs': '1',
    };
    const reader = makeTrees(files, files);
    const { gateFiles } = await withNamedFiles(await reader.list('base'), reader, noRules);
    expect(gateFiles).toEqual(['tools/hook.mjs']);
  });

  it('unless a person granted exactly this content', async () => {
    const now = withFiles({ 'src/add.test.ts': 'other', 'tests/test_a.py': null });
    const grants = [
      { path: 'src/add.test.ts', oid: oidOf('other') },
      { path: 'tests/test_a.py', oid: null },
    ];
    expect(await told(project, now, { grants })).toEqual([]);
    const stale = [{ path: 'src/add.test.ts', oid: oidOf('else') }, ...grants.slice(1)];
    expect(await told(project, now, { grants: stale })).toContain('modified test src/add.test.ts');
  });
});

describe('what tools leave behind', () => {
  it('accuses nobody, and is not there in a sealed run', async () => {
    const left = {
      'tests/__pycache__/test_a.cpython-312.pyc': 'x',
      '.pytest_cache/.gitignore': '*',
      'tsconfig.tsbuildinfo': 'x',
      '.eslintcache': 'x',
    };
    const { changed, ratchets, fromBase } = await check(project, withFiles(left));
    expect([changed, ratchets]).toEqual([[], []]);
    expect([...fromBase].sort()).toEqual(Object.keys(left).sort());
  });
});

describe('a sealed tree', () => {
  it('has the tests of the baseline, and the new ones of the agent', async () => {
    const now = withFiles({
      'src/add.test.ts': 'x',
      'src/new.test.ts': test,
      'tests/test_a.py': null,
      '.npmrc': 'x',
    });
    const { fromBase } = await check(project, now);
    expect([...fromBase].sort()).toEqual(['.npmrc', 'src/add.test.ts', 'tests/test_a.py']);
  });

  it('has the dependencies of the agent, and the scripts of the baseline', async () => {
    const text = '{"name":"p","scripts":{"test":"true","dev":"vite"},"dependencies":{"lodash":"^4.17.21"}}';
    const { replaced, dependencies } = await check(project, withFiles({ 'package.json': text }));
    expect(JSON.parse(replaced.get('package.json') ?? '')).toEqual({
      name: 'p',
      scripts: { test: 'vitest run', dev: 'vite' },
      dependencies: { lodash: '^4.17.21' },
    });
    expect(dependencies).toEqual(['lodash ^4.17.21 was added in package.json']);
  });

  it('leaves a test that was only moved where it is now', async () => {
    const now = withFiles({ 'src/add.test.ts': null, 'src/math/add.test.ts': test });
    const { changed, fromBase } = await check(project, now);
    expect(changed).toMatchObject([{ path: 'src/add.test.ts', status: 'renamed', oid: null }]);
    expect([...fromBase]).toEqual([]);
  });

  it('brings a test back that was moved to where no test is', async () => {
    const now = withFiles({ 'src/add.test.ts': null, 'notes/add.txt': test });
    const { changed, fromBase } = await check(project, now);
    expect(changed).toMatchObject([{ status: 'renamed', diff: expect.stringContaining('notes/add.txt') }]);
    expect([...fromBase]).toEqual(['src/add.test.ts']);
  });

  it('has the tests of the baseline also where they stand among the sources', async () => {
    const source = 'pub fn add(a: i32) -> i32 { a }\n';
    const block =
      '#[cfg(test)]\nmod tests {\n  use super::*;\n  #[test]\n  fn adds() { assert_eq!(add(1), 2); }\n}\n';
    const cheat = `${source}// more\n${block.replace('add(1), 2', 'add(1), 1')}`;
    const { changed, replaced } = await check({ 'src/a.rs': source + block }, { 'src/a.rs': cheat });
    expect(changed).toMatchObject([
      {
        path: 'src/a.rs',
        status: 'modified',
        what: 'test',
        diff: expect.stringContaining('adds was changed'),
      },
    ]);
    expect(replaced.get('src/a.rs')).toBe(`${source}// more\n${block}`);
    const gone = await check({ 'src/a.rs': source + block }, { 'src/a.rs': source });
    expect(gone.replaced.get('src/a.rs')).toContain('add(1), 2');
  });
});

describe('a repository inside of the other', () => {
  it('is compared by its commit alone', async () => {
    const at = (text: string) => ({
      'tests/sub': { mode: '160000', text },
      'src/sub': { mode: '160000', text },
    });
    const reader = makeTrees(at('a'), at('b'));
    const { changed } = await checkIntegrity('base', 'now', reader, noRules);
    expect(changed).toMatchObject([{ path: 'tests/sub', status: 'modified' }]);
    expect(reader.reads()).toBe(0);
  });
});

describe('a large workspace', () => {
  it('is compared by names of objects; only what differs is read', async () => {
    const files: Files = {};
    for (let i = 0; i < 50_000; i++)
      files[`packages/p${i % 50}/src/f${i}.ts`] = `export const f${i} = ${i};\n`;
    for (let i = 0; i < 500; i++) files[`packages/p${i % 50}/src/f${i}.test.ts`] = test;
    const now = { ...files };
    for (let i = 0; i < 20; i++) now[`packages/p${i}/src/f${i}.ts`] = `export const f${i} = ${i} + 1;\n`;
    const reader = makeTrees(files, now);
    const from = performance.now();
    const checked = await checkIntegrity('base', 'now', reader, noRules);
    expect(performance.now() - from).toBeLessThan(2_000);
    expect(checked).toMatchObject({ changed: [], ratchets: [], dependencies: [] });
    expect(reader.reads()).toBe(40);
  });
});
